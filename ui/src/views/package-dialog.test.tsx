import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { badReport, goodReport } from '../bridge/fake/data';
import type { PackageReport } from '../bridge/wire';
import { inspect, inspectEach, pickFolderAndInspect } from '../state/actions';
import { useView } from '../state/store';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { SHOWN_FOR } from '../widgets/arming';
import { useNotices } from './notices';
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

test('a folder in which a package is written is looked at again when something in it changes', async () => {
  const { bridge } = recordingBridge('start');
  let changed: () => void = () => {};
  let looked = 0;
  const app = makeApp({
    ...bridge,
    async query(query) {
      if (query.type !== 'inspectPackage') return bridge.query(query);
      looked += 1;
      return { ok: true, value: (looked === 1 ? badReport : goodReport) as never };
    },
    notice(target, onNoticed) {
      if (target.type !== 'package') return () => undefined;
      const { path } = target;
      changed = () => onNoticed([{ type: 'package', path }]);
      return () => undefined;
    },
  });
  function Noticing() {
    useNotices();
    return <Dialogs />;
  }
  showIn(app, <Noticing />);
  await act(() => pickFolderAndInspect(app));
  expect(screen.getByTestId('package-file')).toHaveTextContent('story');
  expect(screen.getByTestId('install-blocked')).toBeVisible();
  await act(async () => changed());
  await later(0);
  expect(looked).toBe(2);
  expect(screen.queryByTestId('install-blocked')).toBeNull();
});

/** What is shown of a package; `null`: of a file that is none. */
async function shown(report: PackageReport | null) {
  const { bridge } = recordingBridge('start');
  const app = makeApp({
    ...bridge,
    async query(query) {
      if (query.type !== 'inspectPackage') return bridge.query(query);
      return report
        ? { ok: true, value: report as never }
        : { ok: false, failure: { code: 'ARCHIVE_INVALID', message: 'it is cut off' } };
    },
  });
  showIn(app, <Dialogs />);
  await act(() => inspect(app, '/downloads/a.bmad'));
  return screen.getByTestId('package-dialog');
}

/** Whether one stands above the other. */
const isAbove = (one: Element, other: Element) =>
  Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

test('what prevents the install stands first, and can be copied for whoever made the package', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  const file = 'steps/a\u202e.md';
  const turned = badReport.findings.slice(0, 1).map((error) => ({ ...error, file }));
  await shown({ ...badReport, findings: [...turned, ...badReport.findings] });
  expect(isAbove(screen.getByTestId('findings'), screen.getByText('Workflows'))).toBe(true);
  expect(screen.queryByTestId('install')).toBeNull();
  await act(async () => fireEvent.click(screen.getByTestId('copy-findings')));
  expect(screen.getByTestId('copy-findings')).toHaveTextContent('Copied');
  expect(writeText).toHaveBeenCalledWith(
    expect.stringContaining(
      [
        'create-story-micro 1.2.0',
        '',
        'Error steps/a⟨U+202E⟩.md /nodes/2/file',
        '`steps/step-03.md` is not in the package',
        'Add the file, or correct the path; paths count from the package root.',
        '',
        'Error workflows/create-story/workflow.graph.json /nodes/2/file',
      ].join('\n'),
    ),
  );
  expect(writeText).toHaveBeenCalledWith(expect.stringContaining('Warning workflows'));
  vi.unstubAllGlobals();
});

test('findings that prevent nothing stand below what the package may do', async () => {
  await shown(goodReport);
  expect(isAbove(screen.getByTestId('permission-sheet'), screen.getByTestId('findings'))).toBe(
    true,
  );
  expect(screen.getByTestId('install')).toBeVisible();
});

test('there is nothing to install of a file that cannot be read', async () => {
  await shown(null);
  expect(screen.getByTestId('failure')).toHaveTextContent('it is cut off');
  expect(screen.queryByTestId('install')).toBeNull();
});

test('an update says which version becomes which, and names the files on demand', async () => {
  const files = Array.from({ length: 120 }, (_, n) => `assets/${n}.md`);
  const upgrade = { ...goodReport.upgrade, changed: ['agents.json', ...files] };
  const dialog = await shown({ ...goodReport, upgrade: upgrade as typeof goodReport.upgrade });
  expect(dialog).toHaveTextContent('Update 1.1.0 → 1.2.0. 1.1.0 is kept.');
  expect(screen.getByTestId('install')).toHaveTextContent('Update');
  expect(dialog).not.toHaveTextContent('agents.json');
  fireEvent.click(screen.getByText('Files: 121 changed · 1 added'));
  expect(dialog).toHaveTextContent('changedagents.json');
  expect(dialog).toHaveTextContent('and 22 more');
  expect(dialog).not.toHaveTextContent('step-05.md');
});

test('another export with the same number is told as that', async () => {
  const upgrade = { ...goodReport.upgrade, fromVersion: '1.2.0' } as typeof goodReport.upgrade;
  const dialog = await shown({ ...goodReport, upgrade });
  expect(dialog).toHaveTextContent('Version 1.2.0 again, with other content.');
});

test('a package of which nothing is installed is installed', async () => {
  const { upgrade: _, ...first } = goodReport;
  await shown(first);
  expect(screen.queryByTestId('upgrade')).toBeNull();
  expect(screen.getByTestId('install')).toHaveTextContent('Install');
});

test('a report that is there when the dialog comes can be installed, too', async () => {
  const { bridge, commands } = recordingBridge('start');
  const app = makeApp(bridge);
  const inspection = { path: '/downloads/a.bmad', report: goodReport, failure: null };
  app.store.setState({ inspection });
  showIn(app, <Dialogs />);
  await later(SHOWN_FOR);
  fireEvent.click(screen.getByTestId('install'));
  await later(0);
  expect(commands.map(({ type }) => type)).toEqual(['installPackage']);
});

test('it is told how far a large package is read and installed, and both can be stopped', async () => {
  const { bridge, commands } = recordingBridge('start');
  const ends: (() => void)[] = [];
  const ending = <T,>(value: T) => new Promise<T>((resolve) => ends.push(() => resolve(value)));
  const asked: unknown[] = [];
  let reading = { done: 1200, of: 5000, isInstalling: false };
  const app = makeApp({
    ...bridge,
    async query(query) {
      if (query.type === 'packageReading') {
        asked.push([query.path, query.installs]);
        return { ok: true, value: reading as never };
      }
      if (query.type !== 'inspectPackage') return bridge.query(query);
      return ending({ ok: true, value: goodReport as never });
    },
    async submit(command) {
      if (command.type !== 'installPackage') return bridge.submit(command);
      const stopped = { code: 'PACKAGE_READING_STOPPED' as const, message: 'stopped' };
      return ending({ ok: false, failure: stopped });
    },
  });
  showIn(app, <Dialogs />);
  act(() => void inspect(app, '/downloads/a.bmad'));
  await later(500);
  expect(screen.getByTestId('package-reading')).toHaveTextContent('1,200 of 5,000 files');
  fireEvent.click(screen.getByText('Cancel'));
  const path = '/downloads/a.bmad';
  const stopped = (installs: boolean) => ({ type: 'stopPackageReading', path, installs });
  expect(commands).toEqual([stopped(false)]);
  expect(screen.queryByTestId('package-dialog')).toBeNull();

  act(() => void inspect(app, '/downloads/a.bmad'));
  // What was cancelled is no answer to what is looked at now.
  await act(async () => ends.shift()?.());
  expect(screen.getByTestId('package-reading')).toBeVisible();
  await act(async () => ends.shift()?.());
  await later(SHOWN_FOR);
  expect(screen.queryByTestId('package-reading')).toBeNull();
  fireEvent.click(screen.getByTestId('install'));
  reading = { done: 40, of: 5000, isInstalling: true };
  await later(500);
  expect(screen.getByTestId('package-reading')).toHaveTextContent('Installing: 40 of 5,000 files');
  expect(asked).toEqual([
    [path, false],
    [path, true],
  ]);
  // Who saves the package meanwhile does not have it looked at again.
  await act(() => inspect(app, path));
  fireEvent.click(screen.getByTestId('stop-install'));
  fireEvent.click(screen.getByTestId('stop-install'));
  await act(async () => ends.shift()?.());
  expect(commands).toEqual([stopped(false), stopped(true)]);
  expect(screen.getByTestId('install')).toBeEnabled();
  expect(screen.queryByText('stopped')).toBeNull();
  fireEvent.click(screen.getByText('Cancel'));
  expect(commands).toHaveLength(2);
});
