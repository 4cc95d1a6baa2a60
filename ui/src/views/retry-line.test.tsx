import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBridge } from '../bridge/fake';
import type { RetryView } from '../bridge/wire';
import { makeApp } from '../state/store';
import { inCurrent, recordingBridge, showIn } from '../test/render';
import { RetryLine } from './retry-line';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const retry: RetryView = {
  failure: { code: 'LLM_RATE_LIMITED', message: 'too many requests' },
  attempt: 2,
  inMs: 3_000,
};
const words = () => screen.getByTestId('retry-countdown').textContent;

test('the seconds until the next try are counted down, also when the row was out of sight', () => {
  const { unmount } = showIn(makeApp(fakeBridge('retrying')), <RetryLine retry={retry} />);
  expect(words()).toBe('Retrying in 3 s (attempt 2)');
  act(() => void vi.advanceTimersByTime(1_000));
  expect(words()).toBe('Retrying in 2 s (attempt 2)');
  unmount();
  act(() => void vi.advanceTimersByTime(1_000));
  showIn(makeApp(fakeBridge('retrying')), <RetryLine retry={retry} />);
  expect(words()).toBe('Retrying in 1 s (attempt 2)');
  act(() => void vi.advanceTimersByTime(5_000));
  expect(words()).toBe('Retrying now (attempt 2)');
});

test('a retry is a quiet line: no alarm, all that was said in a fold, and a way to stop it', () => {
  const { bridge, commands } = recordingBridge('retrying');
  const app = makeApp(bridge);
  app.store.setState({ conversationId: 'c-current' });
  showIn(app, <RetryLine retry={retry} />);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('status')).not.toHaveTextContent('3 s');
  expect(screen.queryByText('too many requests')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'What happened' }));
  expect(screen.getByText('too many requests')).toBeVisible();
  fireEvent.click(screen.getByTestId('retry-stop'));
  expect(commands).toEqual([inCurrent({ type: 'stop' })]);
});
