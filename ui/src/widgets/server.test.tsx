import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import {
  askedAdding,
  askedCall,
  serverApproval,
  serverCalls,
  serverQuestion,
} from '../bridge/fake/server-scenes';
import type { ChangeView, Failure } from '../bridge/wire';
import type { Lang } from '../i18n';
import { press, show } from '../test/render';
import { CallCard } from './call-card';
import type { QuestionBody } from './props';
import { Question } from './question';
import { Receipt } from './receipt';
import { serverAnswerOf } from './tool';

function card(one: keyof typeof serverCalls, lang: Lang = 'en') {
  const { body } = serverCalls[one];
  if (body.type !== 'call') throw new Error('no call');
  show(<CallCard call={body} unfolded />, lang);
  return screen.getByTestId('call-card');
}

const question = (part: Partial<QuestionBody>): QuestionBody => ({
  type: 'question',
  widget: serverApproval,
  unbound: false,
  closed: false,
  ...part,
});

function ask(body: QuestionBody, lang: Lang = 'en', server?: string) {
  const onAnswer = vi.fn(async (_value: unknown): Promise<Failure | null> => null);
  show(
    <Question
      body={body}
      enabled
      keys
      armedAfter={0}
      server={server}
      onAnswer={(value) => onAnswer(value)}
    />,
    lang,
  );
  fireEvent.pointerMove(document.body, { clientX: 1, clientY: 1 });
  return onAnswer;
}

test('a call names the tool, the server, and that it is outside', () => {
  expect(within(card('text')).getByRole('button')).toHaveTextContent(
    'read_file· files · outsidedone',
  );
});

test('a name without a tool is shown whole, and a result of another shape as it is', () => {
  const hashed = card('hashed');
  expect(within(hashed).getByRole('button')).toHaveTextContent(/^mcp__server-without-tooldone$/);
  expect(within(hashed).queryByTestId('server-result')).toBeNull();
  expect(hashed).toHaveTextContent('kept: @state/logs/7.json');
});

test('texts of a server are texts, and what cannot be shown is said in words', () => {
  card('parts');
  const result = screen.getByTestId('server-result');
  expect(result).toHaveTextContent('Two issues fit.');
  expect(result).toHaveTextContent('image/png, 47.1 KiB: not shown here');
  expect(result).toHaveTextContent('Issue⟨U+202E⟩ 12 https://issues.example.org/12');
  expect(result).toHaveTextContent('3 more parts are left out.');
  expect(within(result).queryByRole('link')).toBeNull();
  expect(result).toHaveTextContent('title: Notes nobody reads');
});

test('a call that failed says so in the reader’s language', () => {
  expect(card('failed', 'zh')).toHaveTextContent('服务器的一个工具失败了。');
});

test.each([
  undefined,
  null,
  [],
  { server: 'a' },
  { server: 1, content: [] },
  { server: 'a', content: {} },
])('%j is no answer of a server', (result) => {
  expect(serverAnswerOf(result)).toBeNull();
});

test('parts in another shape are parts that are not known', () => {
  const content = [null, 5, { type: 'text', text: 7 }, { type: 'binary' }, { type: 'new' }];
  const parts = serverAnswerOf({ server: 'a', content, leftOut: 'x' });
  expect(parts).toMatchObject({ leftOut: 0 });
  expect(parts?.parts.map(({ kind }) => kind)).toEqual([
    'other',
    'other',
    'other',
    'binary',
    'other',
  ]);
});

test('before a call its arguments are shown as arguments, and not as the change of a file', () => {
  ask(question({ change: askedCall() }));
  const widget = screen.getByTestId('widget-confirmation');
  expect(within(widget).getByRole('heading', { level: 2 })).toHaveTextContent(
    'Call the server’s tool delete_file · files?',
  );
  expect(screen.getByTestId('change-summary')).toHaveTextContent(
    'Calls delete_file of the server files; the server says that this may take something away',
  );
  const given = screen.getByTestId('call-arguments');
  expect(within(given).getByRole('heading')).toHaveTextContent('Arguments');
  expect(given).toHaveTextContent('"reason": "The new notes⟨U+200B⟩ take their place."');
  expect(given.querySelector('[data-line=add]')).toBeNull();
  expect(widget).not.toHaveTextContent('workflow.md');
  expect(screen.queryByTestId('look-preview')).toBeNull();
});

test.each([
  ['destroys', askedCall(), 'unknown', 'danger'],
  ['adds', askedAdding, 'call', 'primary'],
])('a call that %s looks like it', (_, change: ChangeView, effect, kind) => {
  ask(question({ change }));
  expect(screen.getByTestId('widget-confirmation')).toHaveAttribute('data-effect', effect);
  expect(screen.getByTestId('widget-submit')).toHaveAttribute('data-kind', kind);
});

test('a call is allowed once, or not at all; then nothing was called', () => {
  const onAnswer = ask(question({ change: askedCall() }));
  expect(screen.queryByTestId('approval-folder')).toBeNull();
  press(screen.getByTestId('widget-submit'));
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true });
});

test('what was not allowed says in both languages that nothing was called', () => {
  const body = question({ change: askedCall(), answer: { confirmed: false } });
  const { unmount } = show(<Receipt body={body} waits={false} />);
  expect(screen.getByTestId('receipt')).toHaveTextContent(
    'Call the server’s tool delete_file · filesNot allowed, nothing was called',
  );
  unmount();
  show(<Receipt body={body} waits={false} />, 'zh');
  expect(screen.getByTestId('receipt')).toHaveTextContent('未允许，没有调用任何内容');
});

test('of long arguments it is said that they are not all there', () => {
  ask(question({ widget: { ...serverApproval, cut: true }, change: askedCall() }));
  expect(screen.getByTestId('not-all-shown')).toHaveTextContent(
    'Not all of the arguments are shown.',
  );
  expect(screen.queryByTestId('widget-submit')).toBeNull();
});

test('an older journal names the tool as models call it', () => {
  const { parts: _, ...change } = askedCall();
  ask(question({ change: { ...change, parts: [] } }));
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('delete_file · files');
});

test('a server that asks is named, its words are plain, and what is filled in is said to go there', async () => {
  const user = userEvent.setup();
  const onAnswer = ask(question({ widget: serverQuestion }), 'en', 'files');
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('The server “files” asks');
  expect(screen.getByTestId('server-note')).toHaveTextContent('not to the model');
  // No Markdown of a stranger.
  expect(screen.getByText(/The folder \*docs\* has 214 files/)).toBeVisible();
  await user.type(screen.getByTestId('field-most'), '12');
  press(screen.getByTestId('widget-submit'));
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ most: 12, hidden: false });
});

test('where the server is not known, it is still said that one asks', () => {
  ask(question({ widget: serverQuestion }), 'zh');
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('服务器提问');
});

test('a person need not tell a server what it asks, and sees later that they did not', () => {
  const onAnswer = ask(question({ widget: serverQuestion }));
  press(screen.getByTestId('widget-cancel'));
  expect(onAnswer).toHaveBeenCalledWith({ $declined: true });
  const body = question({ widget: serverQuestion, answer: { $declined: true } });
  show(<Receipt body={body} waits={false} />);
  expect(screen.getByTestId('widget-declined')).toHaveTextContent('Not told');
});
