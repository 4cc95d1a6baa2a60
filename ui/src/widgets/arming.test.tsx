import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { approval, approvalChange } from '../bridge/fake/approval';
import { widgets } from '../bridge/fake/widgets';
import type { Failure, Widget } from '../bridge/wire';
import { Cover } from '../kit/cover';
import { show } from '../test/render';
import { SHOWN_FOR } from './arming';
import { Question } from './question';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const AT = { clientX: 400, clientY: 300 };

/** The pointer rests where the last question was answered; the next one appears below it. */
function appear(keys = false, widget: Widget = approval) {
  fireEvent.pointerMove(document.body, AT);
  const onAnswer = vi.fn(async (_value: unknown, _ms: number): Promise<Failure | null> => null);
  const change = widget === approval ? { change: approvalChange } : {};
  const body = { type: 'question', widget, unbound: false, closed: false, ...change } as const;
  show(<Question body={body} enabled keys={keys} onAnswer={onAnswer} />);
  return onAnswer;
}

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

/** Moves the pointer over a part of the question. */
function move(at: { clientX: number; clientY: number }, part = 'widget-submit') {
  fireEvent.pointerMove(screen.getByTestId(part), at);
}

function click(at = AT, button = 'widget-submit') {
  const target = screen.getByTestId(button);
  fireEvent.pointerDown(target, at);
  fireEvent.click(target, { ...at, detail: 1 });
}

/** Ctrl+Enter as a keyboard sends it: two keys. */
function chord() {
  fireEvent.keyDown(document.body, { key: 'Control', ctrlKey: true });
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  fireEvent.keyUp(document.body, { key: 'Enter', ctrlKey: true });
  fireEvent.keyUp(document.body, { key: 'Control' });
}

test('clicks in one place, however often and however late, answer nothing', () => {
  const onAnswer = appear();
  for (let n = 0; n < 10; n++) {
    click();
    wait(300);
  }
  expect(onAnswer).not.toHaveBeenCalled();
  expect(screen.getByTestId('too-early')).toHaveTextContent('move the pointer');
});

test('after it was in sight for a while and the pointer moved, a click answers and says how long', () => {
  const onAnswer = appear();
  wait(SHOWN_FOR);
  move({ clientX: 404, clientY: 300 });
  click({ clientX: 404, clientY: 300 });
  expect(onAnswer).not.toHaveBeenCalled();
  move({ clientX: 420, clientY: 300 });
  click({ clientX: 420, clientY: 300 });
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true }, SHOWN_FOR);
  expect(screen.queryByTestId('too-early')).toBeNull();
});

test('a key that is let go while the pointer presses makes no aim of a stray press', () => {
  const onAnswer = appear();
  wait(SHOWN_FOR);
  const submit = screen.getByTestId('widget-submit');
  fireEvent.pointerDown(submit, AT);
  fireEvent.keyUp(document.body, { key: 'Control' });
  wait(1);
  fireEvent.click(submit);
  expect(onAnswer).not.toHaveBeenCalled();
});

test('a move that came too early does not count', () => {
  const onAnswer = appear();
  wait(SHOWN_FOR - 1);
  move({ clientX: 100, clientY: 100 });
  wait(1);
  click({ clientX: 100, clientY: 100 });
  expect(onAnswer).not.toHaveBeenCalled();
});

test('a press that began too early does not answer when it is let go', () => {
  const onAnswer = appear();
  const target = screen.getByTestId('widget-submit');
  wait(SHOWN_FOR - 1);
  fireEvent.pointerDown(target, AT);
  wait(200);
  move({ clientX: 450, clientY: 300 });
  fireEvent.click(target, { ...AT, detail: 1 });
  expect(onAnswer).not.toHaveBeenCalled();
});

test('every kind of question is armed, also one that only tells', () => {
  const onAnswer = appear(false, widgets.action_selection as Widget);
  fireEvent.click(screen.getByTestId('widget-option-revise'));
  click();
  expect(onAnswer).not.toHaveBeenCalled();
  wait(SHOWN_FOR);
  move({ clientX: 10, clientY: 10 });
  click({ clientX: 10, clientY: 10 });
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith('revise', SHOWN_FOR);
});

test('the keys on the dialog work in the whole window, and are armed like clicks', () => {
  const onAnswer = appear(true);
  expect(screen.getByText('Esc: do not allow · Ctrl+Enter: allow once')).toBeVisible();
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onAnswer).not.toHaveBeenCalled();
  wait(SHOWN_FOR);
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true, repeat: true });
  expect(onAnswer).not.toHaveBeenCalled();
  chord();
  expect(onAnswer).not.toHaveBeenCalled();
  expect(screen.getByTestId('too-early')).toHaveTextContent('press the key again');
  chord();
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true }, SHOWN_FOR);
});

test('a key that was on its way to the composer arms a refusal, and gives none', () => {
  const onAnswer = appear(true);
  wait(SHOWN_FOR);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  fireEvent.keyUp(document.body, { key: 'Escape' });
  expect(onAnswer).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: false }, SHOWN_FOR);
});

test('what is pressed in a dialog over the question says nothing about it', () => {
  const onAnswer = appear(true);
  const over = document.body.appendChild(document.createElement('div'));
  over.setAttribute('role', 'dialog');
  wait(SHOWN_FOR);
  fireEvent.keyDown(over, { key: 'Escape' });
  fireEvent.pointerMove(over, { clientX: 10, clientY: 10 });
  over.remove();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onAnswer).not.toHaveBeenCalled();
});

test('keys that are not printed do nothing', () => {
  const onAnswer = appear(false);
  expect(screen.queryByText('Esc: do not allow · Ctrl+Enter: allow once')).toBeNull();
  wait(SHOWN_FOR);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  expect(onAnswer).not.toHaveBeenCalled();
});

test('an assistive tool that acts without pointer and keys is heard when it was in sight', () => {
  const onAnswer = appear();
  wait(SHOWN_FOR);
  fireEvent.click(screen.getByTestId('widget-submit'), { detail: 0 });
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true }, SHOWN_FOR);
});

const HERE = { clientX: 420, clientY: 300 };

test('a move elsewhere arms nothing', () => {
  const onAnswer = appear();
  wait(SHOWN_FOR);
  fireEvent.pointerMove(document.body, { clientX: 100, clientY: 100 });
  fireEvent.pointerMove(document.body, HERE);
  click(HERE);
  expect(onAnswer).not.toHaveBeenCalled();
});

test('a button that came under the resting pointer is not clicked, though the question is armed', () => {
  const onAnswer = appear();
  wait(SHOWN_FOR);
  move({ clientX: 100, clientY: 100 }, 'widget-confirmation');
  move(HERE, 'widget-confirmation');
  expect(screen.getByTestId('widget-confirmation')).toHaveAttribute('data-armed', 'armed');
  click(HERE);
  // A hand trembles, and some browsers send a move when what lies below the pointer moves.
  move(HERE);
  click(HERE);
  move({ clientX: 422, clientY: 301 });
  click({ clientX: 422, clientY: 301 });
  expect(onAnswer).not.toHaveBeenCalled();
  move({ clientX: 428, clientY: 301 });
  click({ clientX: 428, clientY: 301 });
  expect(onAnswer).toHaveBeenCalledOnce();
});

test('another window that came over it, and went with a click, has not aimed', () => {
  const onAnswer = appear();
  wait(SHOWN_FOR);
  move(HERE);
  fireEvent.pointerLeave(document.documentElement);
  click(HERE);
  expect(onAnswer).not.toHaveBeenCalled();
});

test('what lies under a dialog is not in sight, and is shown anew when the dialog is closed', async () => {
  const onAnswer = appear();
  wait(SHOWN_FOR);
  const dialog = show(
    <div role="dialog">
      <Cover />
    </div>,
  );
  await act(async () => undefined);
  const widget = screen.getByTestId('widget-confirmation');
  expect(widget).toHaveAttribute('data-armed', 'hidden');
  wait(5 * SHOWN_FOR);
  dialog.unmount();
  await act(async () => undefined);
  expect(widget).toHaveAttribute('data-armed', 'filling');
  wait(SHOWN_FOR);
  move(HERE);
  click(HERE);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true }, SHOWN_FOR);
});

test('a question that was locked for a while is shown anew', () => {
  const onAnswer = vi.fn(async (): Promise<Failure | null> => null);
  const body = { type: 'question', widget: approval, unbound: false, closed: false } as const;
  const question = (enabled: boolean) => (
    <Question body={body} enabled={enabled} onAnswer={onAnswer} />
  );
  const { rerender } = show(question(true));
  wait(SHOWN_FOR);
  move({ clientX: 300, clientY: 300 });
  move(HERE);
  rerender(question(false));
  wait(2000);
  rerender(question(true));
  wait(50);
  expect(screen.getByTestId('widget-confirmation')).toHaveAttribute('data-armed', 'filling');
  move({ clientX: 300, clientY: 300 });
  move(HERE);
  click(HERE);
  expect(onAnswer).not.toHaveBeenCalled();
});
