import { createEvent, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { files } from '../bridge/fake/server-list';
import { filePrompts } from '../bridge/fake/server-offers';
import type { Phase } from '../bridge/wire';
import { callableIn } from '../state/slash';
import { show } from '../test/render';
import { Composer } from './composer';

const servers = { ok: true as const, value: [{ ...files, trust: 'trusted' as const }] };

function calling(more: { phase?: Phase; command?: string } = {}) {
  const [onSend, onCall, onStop] = [vi.fn(async (_text: string) => true), vi.fn(), vi.fn()];
  const callable = callableIn(servers, true);
  const props = { phase: 'waiting-user', waiting: false, stopping: false, callable } as const;
  show(<Composer {...props} {...more} onSend={onSend} onCall={onCall} onStop={onStop} />);
  const box = screen.getByTestId<HTMLTextAreaElement>('composer-input');
  return { onSend, onCall, onStop, box, user: userEvent.setup() };
}

const shown = () => screen.queryAllByRole('option').map((option) => option.textContent);

test('a / offers prompts and commands, each with what it has to be told and what it is for', async () => {
  const { user, box, onCall } = calling();
  await user.type(box, '/');
  expect(screen.getByRole('listbox', { name: 'Prompts and commands' })).toBeVisible();
  expect(shown()).toEqual([
    '/mcp__files__summarise path=…Summarise a file',
    '/mcp__files__compare before=… after=… [style=…]Compare two files',
    '/mcp__files__tidy Asks for what could be tidied up⟨U+202E⟩ in the folder.',
    '/menu Show what the agent can do',
    '/stop Stop what is going on',
    '/resume Go on with the newest run',
    '/dismiss Let the agent go and talk with the model alone',
    '/compact Shorten older messages for the model',
  ]);
  expect(screen.getByText('8 match. Arrow keys choose, Enter takes one.')).toBeInTheDocument();
  expect(onCall).toHaveBeenCalledOnce();
  await user.type(box, 'TWO');
  expect(shown()).toEqual([expect.stringContaining('Compare two files')]);
  expect(screen.getByText('One matches. Enter takes it.')).toBeInTheDocument();
  // Not with each key.
  expect(onCall).toHaveBeenCalledOnce();
  await user.clear(box);
  await user.type(box, '/');
  expect(onCall).toHaveBeenCalledTimes(2);
});

test('the keys choose one, Enter takes it, and only the next Enter sends', async () => {
  const { user, box, onSend } = calling();
  await user.type(box, '/mcp');
  const options = screen.getAllByRole('option');
  expect(box).toHaveAttribute('aria-controls', screen.getByRole('listbox').id);
  expect(box).toHaveAttribute('aria-activedescendant', options[0]?.id);
  await user.keyboard('{ArrowUp}');
  expect(options[2]).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(box).toHaveAttribute('aria-activedescendant', options[1]?.id);
  await user.keyboard('{Enter}');
  // The first of what it needs, where there is more than one.
  expect(box).toHaveValue('/mcp__files__compare before=');
  expect(box).toHaveFocus();
  expect(box.selectionStart).toBe(box.value.length);
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(onSend).not.toHaveBeenCalled();
  await user.keyboard('a.md after="b c.md"{Enter}');
  expect(onSend).toHaveBeenCalledExactlyOnceWith('/mcp__files__compare before=a.md after="b c.md"');
});

test('Tab and a click take one as well; the only argument is all that follows', async () => {
  const { user, box, onSend } = calling();
  await user.type(box, '/summ{Tab}');
  expect(box).toHaveValue('/mcp__files__summarise ');
  await user.clear(box);
  await user.type(box, '/');
  await user.click(screen.getByText('Compare two files'));
  expect(box).toHaveValue('/mcp__files__compare before=');
  expect(box).toHaveFocus();
  expect(onSend).not.toHaveBeenCalled();
});

test('what is written whole and needs nothing is sent by Enter; what needs something is not', async () => {
  const { user, box, onSend } = calling();
  await user.type(box, '/menu{Enter}');
  expect(onSend).toHaveBeenLastCalledWith('/menu');
  await user.type(box, '/mcp__files__tidy{Enter}');
  expect(onSend).toHaveBeenLastCalledWith('/mcp__files__tidy');
  await user.type(box, '/mcp__files__summarise{Enter}');
  expect(onSend).toHaveBeenCalledTimes(2);
  expect(box).toHaveValue('/mcp__files__summarise ');
});

test('Escape closes the list for this call; an empty field begins anew', async () => {
  const { user, box, onStop } = calling();
  await user.type(box, '/m');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('en');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.clear(box);
  await user.keyboard('/m');
  expect(screen.getByRole('listbox')).toBeVisible();
  expect(onStop).not.toHaveBeenCalled();
});

test('behind the first word, before the sign and in the middle of a text there is no list', async () => {
  const { user, box } = calling();
  await user.type(box, '/menu now');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.type(box, '{Home}');
  fireEvent.select(box);
  expect(screen.queryByRole('listbox')).toBeNull();
  box.setSelectionRange(4, 4);
  fireEvent.select(box);
  expect(shown()).toEqual([expect.stringContaining('/menu')]);
  // What follows stays.
  await user.keyboard('{Tab}');
  expect(box).toHaveValue('/menu now');
  expect(box.selectionStart).toBe('/menu '.length);
  await user.clear(box);
  await user.type(box, 'see /menu');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.clear(box);
  await user.type(box, '/home/mia/notes.md');
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('what follows a call is not told another thing', async () => {
  const { user, box } = calling();
  await user.type(box, '/comp after=b.md');
  box.setSelectionRange(5, 5);
  fireEvent.select(box);
  await user.click(screen.getByText('Compare two files'));
  expect(box).toHaveValue('/mcp__files__compare after=b.md');
});

test('the keys of an input method are not those of the list', async () => {
  const { user, box } = calling();
  await user.type(box, '/m');
  const first = box.getAttribute('aria-activedescendant');
  fireEvent.keyDown(box, { key: 'ArrowDown', isComposing: true });
  expect(box).toHaveAttribute('aria-activedescendant', first);
  const late = createEvent.keyDown(box, { key: 'Enter', keyCode: 229 });
  fireEvent(box, late);
  expect(late.defaultPrevented).toBe(false);
  expect(box).toHaveValue('/m');
  expect(screen.getByRole('listbox')).toBeVisible();
});

test('behind a command that was chosen, a / calls nothing', async () => {
  const { user, box, onCall } = calling({ command: 'create-story' });
  await user.type(box, '/');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(onCall).not.toHaveBeenCalled();
});

test('/stop stops what is going on instead of waiting for its end', async () => {
  const { user, box, onSend, onStop } = calling({ phase: 'running' });
  await user.type(box, '/stop{Enter}');
  expect(onStop).toHaveBeenCalledOnce();
  expect(onSend).not.toHaveBeenCalled();
  expect(box).toHaveValue('');
});

test('only prompts of servers that are on and trusted can be called, and each name once', () => {
  const promptsOf = (more: object, isOn = true) =>
    callableIn({ ok: true, value: [{ ...files, trust: 'trusted', ...more }] }, isOn).filter(
      ({ kind }) => kind === 'prompt',
    ).length;
  expect(promptsOf({})).toBe(3);
  expect(promptsOf({ enabled: false })).toBe(0);
  expect(promptsOf({ trust: 'changed' })).toBe(0);
  expect(promptsOf({ trust: 'none' })).toBe(0);
  expect(promptsOf({}, false)).toBe(0);
  expect(promptsOf({ prompts: [...filePrompts, ...filePrompts] })).toBe(3);
  expect(callableIn(null, true).map(({ called }) => called)).toContain('menu');
});
