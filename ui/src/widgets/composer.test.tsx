import { act, createEvent, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import type { Phase } from '../bridge/wire';
import type { Queued } from '../state/store';
import { show } from '../test/render';
import { Composer } from './composer';
import { mentionOf } from './mentions';

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

type Rest = Partial<Pick<Parameters<typeof Composer>[0], 'phase' | 'reason' | 'waiting'>>;

/** A composer while the run works; it comes to rest as it is told. */
function atWork() {
  const [onSend, onStop] = [vi.fn(async (_text: string) => true), vi.fn()];
  let rest: (props: Rest) => void = () => undefined;
  function Held() {
    const [queued, onQueue] = useState<Queued | null>(null);
    const [more, setMore] = useState<Rest>({ phase: 'running', reason: null, waiting: false });
    rest = (props) => act(() => setMore({ phase: 'waiting-user', waiting: false, ...props }));
    const props = { phase: 'running' as const, waiting: false, ...more };
    return (
      <Composer
        {...props}
        stopping={false}
        queued={queued}
        onQueue={onQueue}
        onSend={onSend}
        onStop={onStop}
      />
    );
  }
  show(<Held />);
  const box = screen.getByTestId('composer-input');
  return { onSend, onStop, box, user: userEvent.setup(), rest: (props: Rest) => rest(props) };
}

test('while the run works one can write ahead, nothing is sent, and Stop is there', async () => {
  const { user, box, onSend, onStop } = compose('running');
  await user.type(box, 'Then the roadmap{Enter}');
  expect(box).toHaveValue('Then the roadmap');
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByTestId('composer-ahead')).toHaveTextContent('sent when it is your turn');
  expect(box).toHaveAttribute('placeholder', expect.stringContaining('working'));
  expect(screen.queryByTestId('send')).toBeNull();
  await user.click(screen.getByTestId('stop'));
  expect(onStop).toHaveBeenCalledOnce();
});

test.each(['answered', 'completed'] as const)(
  'what was written ahead is sent once when the run rests: %s',
  async (reason) => {
    const { user, box, onSend, rest } = atWork();
    await user.type(box, 'Then the roadmap{Enter}');
    expect(screen.getByTestId('composer-ahead')).toHaveTextContent('Is sent when it is your turn');
    rest({ reason });
    expect(onSend).toHaveBeenCalledExactlyOnceWith('Then the roadmap');
    rest({ reason, phase: 'running' });
    rest({ reason });
    expect(onSend).toHaveBeenCalledOnce();
  },
);

test.each([
  ['answered', true],
  ['widget', true],
  ['failed', false],
  ['limit', false],
  ['stopped', false],
  ['not_accepted', false],
] as const)(
  'what was written ahead is held back where it would not fit: %s',
  async (reason, waiting) => {
    const { user, box, onSend, rest } = atWork();
    await user.type(box, 'Then the roadmap{Enter}');
    rest({ reason, waiting });
    expect(onSend).not.toHaveBeenCalled();
    expect(box).toHaveValue('Then the roadmap');
    expect(screen.getByTestId('composer-ahead')).toHaveTextContent('Not sent');
  },
);

test('who goes on writing sends it themselves', async () => {
  const { user, box, onSend, rest } = atWork();
  await user.type(box, 'Then{Enter} the roadmap');
  rest({ reason: 'answered' });
  expect(onSend).not.toHaveBeenCalled();
  expect(box).toHaveValue('Then the roadmap');
});

test('sending at once stops the run, and what was written is sent when it has stopped', async () => {
  const { user, box, onSend, onStop, rest } = atWork();
  await user.type(box, 'No, the other file{Enter}');
  await user.click(screen.getByTestId('send-now'));
  expect(onStop).toHaveBeenCalledOnce();
  expect(onSend).not.toHaveBeenCalled();
  rest({ reason: 'stopped' });
  expect(onSend).toHaveBeenCalledExactlyOnceWith('No, the other file');
});

test('Esc stops the run, but no press that was meant for the question before', async () => {
  const { onStop, user } = atWork();
  await user.keyboard('{Escape}');
  expect(onStop).not.toHaveBeenCalled();
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 1000);
  await user.keyboard('{Escape}');
  expect(onStop).toHaveBeenCalledOnce();
});

test('after completion one can keep talking', () => {
  expect(compose('completed').box).toBeEnabled();
});

function mentioning(files = ['@project/notes.md', '@project/my docs/a.md']) {
  const onSend = vi.fn(async (_text: string) => true);
  const onFiles = vi.fn(async (matching: string) => files.filter((it) => it.includes(matching)));
  const props = { phase: 'waiting-user', waiting: false, stopping: false } as const;
  show(<Composer {...props} onSend={onSend} onStop={vi.fn()} onFiles={onFiles} />);
  return { onSend, onFiles, user: userEvent.setup(), box: screen.getByTestId('composer-input') };
}

test('an @ offers files, and Enter takes the chosen one instead of sending', async () => {
  const { user, box, onSend, onFiles } = mentioning();
  await user.type(box, 'See @');
  const options = await screen.findAllByRole('option');
  expect(options.map((it) => it.textContent)).toEqual(['notes.md', 'my docs/a.md']);
  expect(screen.getByRole('listbox', { name: 'Files to mention' })).toBeVisible();
  expect(box).toHaveAttribute('aria-activedescendant', options[0]?.id);
  await user.keyboard('{ArrowDown}');
  expect(box).toHaveAttribute('aria-activedescendant', options[1]?.id);
  expect(options[1]).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{Enter}');
  expect(box).toHaveValue('See @"my docs/a.md" ');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('and @not');
  await screen.findByRole('option', { name: 'notes.md' });
  await user.keyboard('{Tab}');
  expect(box).toHaveValue('See @"my docs/a.md" and @notes.md ');
  expect(box).toHaveFocus();
  expect(onSend).not.toHaveBeenCalled();
  expect(onFiles).toHaveBeenLastCalledWith('not');
  await user.keyboard('{Enter}');
  expect(onSend).toHaveBeenCalledExactlyOnceWith('See @"my docs/a.md" and @notes.md');
});

test('Escape closes the list for this mention, and the mouse takes a file', async () => {
  const { user, box, onSend } = mentioning();
  await user.type(box, '@no');
  await screen.findByRole('option');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('t @');
  await user.click(await screen.findByRole('option', { name: 'my docs/a.md' }));
  expect(box).toHaveValue('@not @"my docs/a.md" ');
  expect(box).toHaveFocus();
  expect(onSend).not.toHaveBeenCalled();
});

test('within a word, and where no file matches, there is no list and Enter sends', async () => {
  const { user, box, onSend, onFiles } = mentioning();
  await user.type(box, 'mia@example');
  expect(onFiles).not.toHaveBeenCalled();
  await user.type(box, ' @nobody');
  await vi.waitFor(() => expect(onFiles).toHaveBeenLastCalledWith('nobody'));
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{Enter}');
  expect(onSend).toHaveBeenCalledExactlyOnceWith('mia@example @nobody');
});

test.each([
  ['@project/notes.md', '@notes.md '],
  ['@project/my notes.md', '@"my notes.md" '],
  ['@project/笔记.md', '@笔记.md '],
  ['@project/a,b.md', '@"a,b.md" '],
  ['@project/pkg/a.md', '@project/pkg/a.md '],
  ['@project/say "x".md', '@“say "x".md” '],
])('%s is mentioned as the runtime reads it', (path, mention) => {
  expect(mentionOf(path)).toBe(mention);
});
