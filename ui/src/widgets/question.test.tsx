import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { approval, approvalChange, newText } from '../bridge/fake/approval';
import { change, widgets } from '../bridge/fake/widgets';
import type { Failure, Phrase, Widget, WidgetKind } from '../bridge/wire';
import { type Lang, WordsProvider } from '../i18n';
import { choose, show } from '../test/render';
import type { QuestionBody } from './props';
import { Question } from './question';

// Typing into fields is slow in a browser that is none.
vi.setConfig({ testTimeout: 30_000 });

const widget = (kind: WidgetKind): Widget => widgets[kind] as Widget;

let at = 0;
/** The pointer comes from elsewhere, as to a question that was read. */
function movePointer(target: Element) {
  for (const part of [document.body, target]) {
    at += 50;
    fireEvent.pointerMove(part, { clientX: at, clientY: at });
  }
}

/** A person whose pointer comes from elsewhere to whatever is clicked. */
function person() {
  const user = userEvent.setup();
  const click = (target: Element) => {
    movePointer(target);
    return user.pointer([{ target, coords: { clientX: at, clientY: at } }, '[MouseLeft]']);
  };
  return { ...user, click };
}

function ask(
  kind: WidgetKind,
  more: Partial<QuestionBody> = {},
  enabled = true,
  lang: Lang = 'en',
) {
  const onAnswer = vi.fn(async (_value: unknown): Promise<Failure | null> => null);
  const body: QuestionBody = {
    type: 'question',
    widget: widget(kind),
    unbound: false,
    closed: false,
    ...more,
  };
  const view = show(
    <Question
      body={body}
      enabled={enabled}
      keys
      armedAfter={0}
      onAnswer={(value) => onAnswer(value)}
    />,
    lang,
  );
  movePointer(view.container.querySelector('.widget') ?? view.container);
  return { onAnswer, user: person(), ...view };
}

const submit = () => screen.getByTestId('widget-submit');

test('a form submits an object of typed values and leaves empty optional fields out', async () => {
  const { user, onAnswer } = ask('form');
  await user.type(screen.getByTestId('field-title'), 'Readable notes');
  await user.type(screen.getByTestId('field-points'), '5');
  await choose(user, 'field-audience', 'support');
  await user.click(screen.getByTestId('field-urgent'));
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({
    title: 'Readable notes',
    audience: 'support',
    points: 5,
    urgent: true,
  });
});

test('who sent a form from one of its fields goes on where one writes', async () => {
  const composer = document.body.appendChild(document.createElement('textarea'));
  composer.dataset.focusHome = '';
  const { rerender } = ask('form');
  screen.getByTestId('field-title').focus();
  rerender(<WordsProvider lang="en">{null}</WordsProvider>);
  await waitFor(() => expect(composer).toHaveFocus());
  composer.remove();
});

test('a pattern is the runtime’s to try: the window sends the value and shows what it says', async () => {
  // 2⁶⁰ ways to fail, for an engine that tries them one by one.
  const slow = { title: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(60)}!` } };
  const schema = { type: 'object', properties: slow };
  const { user, onAnswer } = ask('form', { widget: { ...widget('form'), schema } });
  const message = 'title: The text must match ^(a+)+$.';
  onAnswer.mockResolvedValueOnce({ code: 'WIDGET_VALUE_INVALID', message });
  await user.click(screen.getByTestId('widget-submit'));
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ title: slow.title.default });
  expect(await screen.findByTestId('failure')).toHaveTextContent('^(a+)+$');
});

test('a change that is not shown whole is never allowed as shown, for a folder, or with a key', async () => {
  const { grant: _, ...widget } = approval;
  const body = { widget: { ...widget, cut: true }, change: approvalChange };
  const { user, onAnswer } = ask('confirmation', body);
  expect(screen.getByTestId('not-all-shown')).toHaveTextContent('Not all of the change is shown');
  expect(screen.queryByTestId('widget-submit')).toBeNull();
  expect(screen.queryByTestId('approval-folder')).toBeNull();
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onAnswer).not.toHaveBeenCalled();
  await user.click(screen.getByTestId('widget-unseen'));
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true, unseen: true });
});

test('a change that was allowed unseen says so afterwards, in both languages', () => {
  const { grant: _, ...widget } = approval;
  const body = { widget: { ...widget, cut: true }, change: approvalChange };
  const answer = { confirmed: true, unseen: true };
  const { unmount } = ask('confirmation', { ...body, answer });
  expect(screen.getByText('Allowed once, not all of it was shown')).toBeVisible();
  unmount();
  ask('confirmation', { ...body, answer }, true, 'zh');
  expect(screen.getByText('已允许一次，改动未完整显示')).toBeVisible();
});

test('a form with a missing or wrong field is not submitted, and the first one gets the focus', async () => {
  const { user, onAnswer } = ask('form');
  await user.type(screen.getByTestId('field-points'), '99');
  await user.click(submit());
  expect(onAnswer).not.toHaveBeenCalled();
  expect(screen.getByTestId('field-title')).toHaveFocus();
  expect(screen.getByTestId('field-title')).toHaveAccessibleDescription(/Please fill in/);
  expect(screen.getByTestId('field-points')).toHaveAccessibleDescription(/At most 13/);
});

test('a selection of several submits an array in the order of the list', async () => {
  const { user, onAnswer } = ask('selection');
  expect(submit()).toBeDisabled();
  await user.click(screen.getByTestId('widget-option-tickets'));
  await user.click(screen.getByTestId('widget-option-highlights'));
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(['highlights', 'tickets']);
});

test('a selection of one submits an array too', async () => {
  const { user, onAnswer } = ask('selection', { widget: { ...widget('selection'), multi: false } });
  await user.click(screen.getByTestId('widget-option-tickets'));
  await user.click(screen.getByTestId('widget-option-changes'));
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(['changes']);
});

test('a confirmation shows the runtime’s diff, the file, and that completion is undone', () => {
  ask('confirmation', { change });
  expect(screen.getByText('@state/workflow.md')).toBeVisible();
  expect(screen.getByTestId('diff')).toHaveTextContent('currentNodeId: gather');
  expect(screen.getByTestId('undoes-completion')).toBeVisible();
  expect(screen.queryByTestId('unbound')).toBeNull();
});

test('a confirmation of a rewind names each file and what becomes of it', () => {
  ask('confirmation', {
    change: {
      ...change,
      tool: 'workflow.rewind',
      files: [
        { path: '@project/a.md', preHash: '1', postHash: '2' },
        { path: '@project/new.md', preHash: '3', replacesOthers: true },
      ],
      conflicts: [{ path: '@project/hers.md', reason: 'changed' }],
    },
  });
  const groups = screen.getByTestId('restored-files').querySelectorAll('section');
  expect([...groups].map((group) => group.textContent)).toEqual([
    'Go back to what they were@project/a.md',
    'Will be removed: they were not there then@project/new.mdchanged by someone else since; that change is overwritten',
    'Stay as they are@project/hers.mdchanged by someone else since',
  ]);
});

test('a number chooses, a second one another, and Ctrl+Enter submits, wherever the focus is', async () => {
  const { user, onAnswer } = ask('action_selection');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onAnswer).not.toHaveBeenCalled();
  await user.keyboard('{Alt>}[Digit9][Digit3][Digit2]{/Alt}2');
  expect(screen.getByRole('radio', { checked: true })).toHaveAttribute('value', 'revise');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith('revise');
});

test('where several can be chosen a number turns its option on and off', async () => {
  const { user, onAnswer } = ask('selection');
  const options = screen.getAllByRole('checkbox').map((it) => it.getAttribute('value'));
  await user.keyboard('{Alt>}[Digit2][Digit1][Digit2]{/Alt}{Control>}{Enter}{/Control}');
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith([options[0]]);
});

test('going back names the step, and keeps the state document for who wants to see it', () => {
  ask('confirmation', { change: { ...change, effect: 'back', backTo: 'Gather the idea' } });
  expect(screen.getByRole('heading')).toHaveTextContent('Go back to “Gather the idea”?');
  expect(screen.getByTestId('technical-diff')).not.toHaveAttribute('open');
  expect(screen.queryByTestId('look-split')).toBeNull();
});

test('a change is shown side by side, by mouse or by key, and a new text as it reads', async () => {
  const { user, unmount } = ask('confirmation', { widget: approval, change: approvalChange });
  const sides = () => document.querySelectorAll('.diff-cell + .diff-cell').length;
  expect(sides()).toBe(0);
  await user.click(screen.getByTestId('look-split'));
  expect(sides()).toBeGreaterThan(0);
  await user.keyboard('{Alt>}d{/Alt}');
  expect(sides()).toBe(0);
  unmount();
  ask('confirmation', { widget: approval, change: newText });
  await user.click(screen.getByTestId('look-preview'));
  expect(screen.getByRole('heading', { name: 'What is ripe' })).toBeVisible();
});

test('a new text of which something is left out is not shown as if it were whole', () => {
  const diff = `${newText.diff}…\n`;
  ask('confirmation', { widget: { ...approval, cut: true }, change: { ...newText, diff } });
  expect(screen.queryByTestId('look-preview')).toBeNull();
});

test('a confirmation of an unknown change says so', () => {
  ask('confirmation', { unbound: true });
  expect(screen.getByTestId('unbound')).toHaveTextContent('not known yet');
});

test('Enter on the confirm button does not confirm; a click does', async () => {
  const { user, onAnswer } = ask('confirmation', { change });
  expect(submit()).not.toHaveFocus();
  submit().focus();
  await user.keyboard('{Enter}{Enter}');
  expect(onAnswer).not.toHaveBeenCalled();
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true });
});

test('Space and Ctrl+Enter confirm, so that it can be done with the keyboard', async () => {
  const first = ask('confirmation');
  submit().focus();
  await first.user.keyboard(' ');
  expect(first.onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true });
  first.unmount();
  const second = ask('confirmation');
  submit().focus();
  await second.user.keyboard('{Control>}{Enter}{/Control}');
  expect(second.onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true });
});

test('Esc inside a confirmation cancels it', async () => {
  const { user, onAnswer } = ask('confirmation');
  screen.getByTestId('widget-cancel').focus();
  await user.keyboard('{Escape}');
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: false });
});

test('an approval shows the change and the folder, in the window’s own words', () => {
  ask('confirmation', { widget: approval, change: approvalChange });
  expect(screen.getByText('@project/docs/release-notes.md')).toBeVisible();
  expect(screen.getByTestId('diff')).toHaveTextContent('Faster search');
  expect(screen.getByTestId('approval-folder-hint')).toHaveTextContent('fs.write');
  expect(screen.getByTestId('approval-folder-hint')).toHaveTextContent('@project/docs');
  expect(screen.queryByText(approval.message)).toBeNull();
});

test('an approval is given once, for the folder, or not at all', async () => {
  const choices: [string, unknown][] = [
    ['widget-submit', { confirmed: true }],
    ['approval-folder', { confirmed: true, forFolder: true }],
    ['widget-cancel', { confirmed: false }],
  ];
  for (const [button, value] of choices) {
    const { user, onAnswer, unmount } = ask('confirmation', {
      widget: approval,
      change: approvalChange,
    });
    expect(screen.getByTestId(button)).not.toHaveFocus();
    await user.click(screen.getByTestId(button));
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(value);
    unmount();
  }
});

test('a bare Enter gives no approval, neither once nor for the folder', async () => {
  const { user, onAnswer } = ask('confirmation', { widget: approval, change: approvalChange });
  for (const button of ['widget-submit', 'approval-folder']) {
    screen.getByTestId(button).focus();
    await user.keyboard('{Enter}');
  }
  expect(onAnswer).not.toHaveBeenCalled();
});

test.each([
  ['en', '+2 −1 lines', 'currentNodeId write → gather; stepsCompleted -gather'],
  ['zh', '+2 −1 行', '当前步骤 write → gather；已完成步骤 -gather'],
] as const)('what a change does is said in the window’s language: %s', (lang, lines, state) => {
  const { unmount } = ask('confirmation', { widget: approval, change: approvalChange }, true, lang);
  expect(screen.getByTestId('change-summary')).toHaveTextContent(lines);
  unmount();
  ask('confirmation', { change }, true, lang);
  expect(screen.getByTestId('change-summary')).toHaveTextContent(state);
});

test.each([
  ['en', 'moves it to @project/.husky/pre-push; it holds 1 lines'],
  ['zh', '移动到 @project/.husky/pre-push；内容共 1 行'],
] as const)('a move shows what it brings: %s', (lang, words) => {
  const to = '@project/.husky/pre-push';
  const parts: Phrase[] = [
    { key: 'moves', values: { to } },
    { key: 'holds_lines', values: { lines: '1' } },
  ];
  const diff = `--- ${to}\n+++ ${to}\n@@ -0,0 +1 @@\n+evil\n`;
  const move = { ...approvalChange, tool: 'fs.move', parts, diff };
  ask('confirmation', { widget: approval, change: move }, true, lang);
  expect(screen.getByTestId('change-summary')).toHaveTextContent(words);
  expect(screen.getByTestId('diff')).toHaveTextContent('evil');
});

test('a change of an older journal keeps the words it was recorded with', () => {
  const old = { ...approvalChange, parts: [], summary: 'moves it to @project/b.md' };
  ask('confirmation', { widget: approval, change: old }, true, 'zh');
  expect(screen.getByTestId('change-summary')).toHaveTextContent('moves it to @project/b.md');
});

test('without an offered folder there is no such choice', () => {
  const { grant: _, ...once } = approval;
  ask('confirmation', { widget: once, change: approvalChange });
  expect(screen.queryByTestId('approval-folder')).toBeNull();
});

test('a question whose call was closed needs no answer and says so', () => {
  ask('confirmation', { widget: approval, change: approvalChange, closed: true });
  expect(screen.getByTestId('widget-closed')).toBeVisible();
  expect(screen.queryByTestId('widget-submit')).toBeNull();
});

test.each([
  [{ confirmed: true }, 'Allowed once'],
  [{ confirmed: true, forFolder: true }, 'Allowed for this folder'],
])('an answered approval says what was decided: %j', (answer, words) => {
  ask('confirmation', { widget: approval, change: approvalChange, answer });
  expect(screen.getByText(words)).toBeVisible();
});

test('a plan is approved with one click', async () => {
  const { user, onAnswer } = ask('plan_review');
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ decision: 'approve' });
});

test('a request for changes needs words', async () => {
  const { user, onAnswer } = ask('plan_review');
  await user.click(screen.getByTestId('widget-option-request_changes'));
  await user.click(submit());
  expect(onAnswer).not.toHaveBeenCalled();
  await user.type(screen.getByTestId('plan-feedback'), 'Ask sales too');
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({
    decision: 'request_changes',
    feedback: 'Ask sales too',
  });
});

test('feedback maps every item to its text', async () => {
  const { user, onAnswer } = ask('feedback');
  await user.click(submit());
  expect(onAnswer).not.toHaveBeenCalled();
  await user.type(screen.getByTestId('field-b'), 'Too technical');
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ a: '', b: 'Too technical' });
});

test('an action is submitted by its id', async () => {
  const { user, onAnswer } = ask('action_selection');
  await user.click(screen.getByTestId('widget-option-revise'));
  await user.click(submit());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith('revise');
});

const answers: [WidgetKind, unknown, string][] = [
  ['form', { title: 'Kept', points: 3 }, 'Kept'],
  ['selection', ['changes'], ''],
  ['confirmation', { confirmed: true }, 'Confirmed'],
  ['plan_review', { decision: 'request_changes', feedback: 'Shorter' }, 'Shorter'],
  ['feedback', { a: 'Fine', b: '' }, 'Fine'],
  ['action_selection', 'pause', ''],
];

test.each(answers)(
  'an answered %s is read-only and shows what was submitted',
  (kind, answer, shown) => {
    const { container } = ask(kind, { answer });
    expect(screen.getByTestId('widget-submitted')).toBeVisible();
    expect(screen.queryByTestId('widget-submit')).toBeNull();
    expect(screen.queryByTestId('widget-cancel')).toBeNull();
    const texts = [...container.querySelectorAll('input,textarea')].map(
      (e) => (e as HTMLInputElement).value,
    );
    expect(container.textContent + texts.join()).toContain(shown);
    for (const control of container.querySelectorAll<HTMLInputElement>('input,textarea,select')) {
      expect(control.matches(':disabled') || control.readOnly).toBe(true);
    }
    const checked = [...container.querySelectorAll<HTMLInputElement>('input:checked')].map(
      (e) => e.value,
    );
    if (kind === 'selection') expect(checked).toEqual(['changes']);
    if (kind === 'action_selection') expect(checked).toEqual(['pause']);
  },
);

test('a question that may not be answered now has no submit button', () => {
  ask('selection', {}, false);
  expect(screen.queryByTestId('widget-submit')).toBeNull();
  expect(screen.queryByTestId('widget-submitted')).toBeNull();
});

test('a refused answer shows why, and can be given again', async () => {
  const { user, onAnswer } = ask('action_selection');
  onAnswer.mockResolvedValueOnce({ code: 'WIDGET_VALUE_INVALID', message: 'No such action.' });
  await user.click(screen.getByTestId('widget-option-revise'));
  await user.click(submit());
  await waitFor(() => expect(screen.getByTestId('failure')).toHaveTextContent('No such action.'));
  await user.click(submit());
  await waitFor(() => expect(screen.queryByTestId('failure')).toBeNull());
});

test('an unknown kind of question says so', () => {
  ask('form', { widget: { ...widget('form'), type: 'hologram' as WidgetKind } });
  expect(screen.getByTestId('widget-unknown')).toHaveTextContent('hologram');
});

test.each([
  ['approval', { widget: approval, change: approvalChange }, 'Not allowed, nothing changed'],
  ['confirmation', { change }, 'Cancelled, nothing changed'],
] as const)('a refused %s looks like one, with its diff folded', (_, more, words) => {
  ask('confirmation', { ...more, answer: { confirmed: false } }, false);
  expect(screen.getByTestId('widget-declined')).toHaveTextContent(words);
  expect(screen.queryByTestId('widget-submitted')).toBeNull();
  expect(screen.getByTestId('refused-diff')).not.toHaveAttribute('open');
});

/** Names that every object answers to, and one that is no ordinary name. */
const ODD = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];

test.each(ODD)('a form may have a field named %s', async (name) => {
  const properties = Object.fromEntries([[name, { type: 'string', default: { toString: 1 } }]]);
  const schema = { type: 'object', required: [name], properties };
  const { user, onAnswer } = ask('form', { widget: { ...widget('form'), schema } });
  expect(screen.getByTestId(`field-${name}`)).toHaveValue('');
  await user.click(submit());
  expect(screen.getByTestId(`field-${name}`)).toHaveAccessibleDescription(/Please fill in/);
  await user.type(screen.getByTestId(`field-${name}`), 'yes');
  await user.click(submit());
  expect(JSON.stringify(onAnswer.mock.calls)).toBe(`[[{"${name}":"yes"}]]`);
});

test.each(ODD)('feedback may be asked about an item named %s', async (name) => {
  const items = [
    { id: name, content: 'One' },
    { id: 'b', content: 'Two' },
  ];
  const { user, onAnswer } = ask('feedback', { widget: { ...widget('feedback'), items } });
  expect(screen.getByTestId(`field-${name}`)).toHaveValue('');
  await user.type(screen.getByTestId('field-b'), 'fine');
  await user.click(submit());
  expect(JSON.stringify(onAnswer.mock.calls)).toBe(`[[{"${name}":"","b":"fine"}]]`);
});

test('the answer to a form with an odd name is shown as it was given', () => {
  const properties = { constructor: { type: 'string' }, title: { type: 'string' } };
  const schema = { type: 'object', properties };
  ask('form', { widget: { ...widget('form'), schema }, answer: { title: 'Notes' } });
  expect(screen.getByTestId('field-constructor')).toHaveValue('');
});

test('who says what they want instead refuses with it, and can go back', async () => {
  const { user, onAnswer } = ask('confirmation', { widget: approval, change: approvalChange });
  await user.click(screen.getByTestId('widget-instead'));
  const field = screen.getByTestId('instead-words');
  expect(field).toHaveFocus();
  expect(screen.queryByTestId('widget-submit')).toBeNull();
  await user.click(screen.getByTestId('instead-send'));
  expect(screen.getByText('Please fill in this field.')).toBeVisible();
  await user.type(field, 'Not in docs{Escape}');
  expect(screen.queryByTestId('instead-words')).toBeNull();
  expect(submit()).toBeEnabled();
  // What was written stays, and is no bare no.
  expect(screen.getByTestId('widget-instead')).toHaveFocus();
  expect(screen.queryByText('Esc: do not allow · Ctrl+Enter: allow once')).toBeNull();
  await user.keyboard('{Escape}');
  expect(onAnswer).not.toHaveBeenCalled();
  await user.click(screen.getByTestId('widget-instead'));
  expect(screen.getByTestId('instead-words')).toHaveValue('Not in docs');
  await user.clear(screen.getByTestId('instead-words'));
  await user.type(screen.getByTestId('instead-words'), ' Write it to notes. ');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({
    confirmed: false,
    instead: 'Write it to notes.',
  });
});

test('a no with words shows the words', () => {
  const answer = { confirmed: false, instead: 'Write it to \u202enotes.' };
  ask('confirmation', { widget: approval, change: approvalChange, answer });
  expect(screen.getByTestId('widget-declined')).toHaveTextContent('Not allowed');
  expect(screen.getByText('Write it to ⟨U+202E⟩notes.')).toBeVisible();
});

test('arrow keys go round the options and choose, Enter chooses, and the conversation stays', async () => {
  const { user } = ask('selection', { widget: { ...widget('selection'), multi: false } });
  const boxes = screen.getAllByRole('radio');
  const [first] = boxes;
  const last = boxes.at(-1);
  first?.focus();
  const passed = vi.fn((event: KeyboardEvent) => event.defaultPrevented);
  window.addEventListener('keydown', passed);
  await user.keyboard('{ArrowUp}');
  expect(last).toHaveFocus();
  expect(last).toBeChecked();
  await user.keyboard('{ArrowDown}');
  expect(first).toHaveFocus();
  expect(first).toBeChecked();
  expect(passed.mock.results.map(({ value }) => value)).toEqual([true, true]);
  window.removeEventListener('keydown', passed);
});

test('Enter chooses the option it is on and answers nothing; of several the arrows choose none', async () => {
  const { user, onAnswer } = ask('selection', { widget: { ...widget('selection'), multi: true } });
  const [first, second] = screen.getAllByRole('checkbox');
  first?.focus();
  await user.keyboard('{ArrowDown}');
  expect(second).toHaveFocus();
  expect(second).not.toBeChecked();
  await user.keyboard('{Enter}');
  expect(second).toBeChecked();
  expect(onAnswer).not.toHaveBeenCalled();
});
