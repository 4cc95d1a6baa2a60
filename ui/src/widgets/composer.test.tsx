import { createEvent, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Phase } from '../bridge/wire';
import { show } from '../test/render';
import { Composer } from './composer';

function compose(phase: Phase = 'waiting-user', taken = true) {
  const onSend = vi.fn(async (_text: string) => taken);
  const onStop = vi.fn();
  show(<Composer phase={phase} waiting={false} stopping={false} onSend={onSend} onStop={onStop} />);
  return { onSend, onStop, user: userEvent.setup(), box: screen.getByTestId('composer-input') };
}

test('Enter sends what was written, without the spaces around it, and empties the field', async () => {
  const { user, box, onSend } = compose();
  await user.type(box, '  Hello {Enter}');
  expect(onSend).toHaveBeenCalledExactlyOnceWith('Hello');
  expect(box).toHaveValue('');
});

test('Shift+Enter makes a new line', async () => {
  const { user, box, onSend } = compose();
  await user.type(box, 'one{Shift>}{Enter}{/Shift}two');
  expect(onSend).not.toHaveBeenCalled();
  expect(box).toHaveValue('one\ntwo');
});

test('the Enter that ends an input method’s choice does not send', async () => {
  const { user, box, onSend } = compose();
  await user.type(box, '你好');
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
  // WebKit: the composition has ended already, the key is marked with 229.
  const late = createEvent.keyDown(box, { key: 'Enter', keyCode: 229 });
  fireEvent(box, late);
  expect(late.defaultPrevented).toBe(false);
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 });
  expect(onSend).toHaveBeenCalledExactlyOnceWith('你好');
});

test('nothing but spaces is not sent', async () => {
  const { user, box, onSend } = compose();
  await user.type(box, '   {Enter}');
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByTestId('send')).toBeDisabled();
});

test('words that were not taken stay in the field', async () => {
  const { user, box } = compose('waiting-user', false);
  await user.type(box, 'Keep me{Enter}');
  expect(box).toHaveValue('Keep me');
});

test('while the run works one can write ahead, nothing is sent, and Stop is there', async () => {
  const { user, box, onSend, onStop } = compose('running');
  await user.type(box, 'Then the roadmap{Enter}');
  expect(box).toHaveValue('Then the roadmap');
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByText('To be sent when it is your turn')).toBeVisible();
  expect(box).toHaveAttribute('placeholder', expect.stringContaining('working'));
  expect(screen.queryByTestId('send')).toBeNull();
  await user.click(screen.getByTestId('stop'));
  expect(onStop).toHaveBeenCalledOnce();
});

test('after completion one can keep talking', () => {
  expect(compose('completed').box).toBeEnabled();
});
