import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RetryView } from '../bridge/wire';
import { show } from '../test/render';
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
  const { unmount } = show(<RetryLine retry={retry} />);
  expect(words()).toBe('Trying again, attempt 2, in 3 s');
  act(() => void vi.advanceTimersByTime(1_000));
  expect(words()).toBe('Trying again, attempt 2, in 2 s');
  unmount();
  act(() => void vi.advanceTimersByTime(1_000));
  show(<RetryLine retry={retry} />);
  expect(words()).toBe('Trying again, attempt 2, in 1 s');
  act(() => void vi.advanceTimersByTime(5_000));
  expect(words()).toBe('Trying again now, attempt 2');
});
