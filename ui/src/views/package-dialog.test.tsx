import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inspectEach } from '../state/actions';
import { useView } from '../state/store';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { SHOWN_FOR } from '../widgets/arming';
import { PackageDialog } from './package-dialog';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function Dialogs() {
  return useView((v) => v.inspection !== null) && <PackageDialog />;
}

test('two files that are opened together are installed one by one, each after it was shown', async () => {
  const { bridge, commands } = recordingBridge('start');
  const app = makeApp(bridge);
  showIn(app, <Dialogs />);
  act(() => inspectEach(app, ['/downloads/a.bmad', 'C:\\downloads\\b.bmad']));
  await later(0);
  const installed = () => commands.map((c) => (c.type === 'installPackage' ? c.path : ''));
  expect(screen.getByTestId('package-file')).toHaveTextContent('a.bmad1 more file waits');
  fireEvent.click(screen.getByTestId('install'));
  await later(SHOWN_FOR);
  expect(installed()).toEqual([]);
  fireEvent.click(screen.getByTestId('install'));
  await later(120);
  fireEvent.click(screen.getByTestId('install'));
  await later(0);
  expect(installed()).toEqual(['/downloads/a.bmad']);
  expect(screen.getByTestId('package-file').textContent).toBe('b.bmad');
  await later(SHOWN_FOR);
  fireEvent.click(screen.getByTestId('install'));
  await later(0);
  expect(installed()).toHaveLength(2);
});
