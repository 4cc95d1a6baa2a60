import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { call, STATE_DIFF } from '../bridge/fake/pieces';
import type { NoticeKind } from '../bridge/wire';
import { type Lang, wordsIn } from '../i18n';
import { show } from '../test/render';
import { type CallBody, CallCard } from './call-card';
import { tellCalls } from './calls';
import { FilesContext } from './file-link';
import { AssistantMessage, type MessageBody, UserMessage } from './message';
import { Notice, type NoticeBody } from './notice';
import { pretty } from './pretty';

const body = (more: Partial<MessageBody> = {}): MessageBody => ({
  type: 'message',
  by: 'assistant',
  text: 'Hello',
  streaming: false,
  cut: false,
  ...more,
});

test('a tool call is one line that opens to its arguments, result and change', async () => {
  const made = call('fs.apply_patch', '@state/workflow.md', {
    class: 'write_state',
    diff: STATE_DIFF,
    args: { path: '@state/workflow.md', note: 'first\nsecond' },
    result: { ok: true, sha256: 'abc' },
  });
  show(<CallCard call={made.body as CallBody} />);
  const card = screen.getByTestId('call-card');
  expect(card).toHaveTextContent('Change@state/workflow.md');
  expect(screen.queryByTestId('diff')).toBeNull();
  await userEvent.click(screen.getByRole('button'));
  expect(screen.getByTestId('diff')).toHaveTextContent('currentNodeId: size');
  expect(card).toHaveTextContent('fs.apply_patch');
  expect(card).toHaveTextContent('sha256: abc');
});

test('moving and deleting are not called writing', () => {
  const to = { details: { to: '@project/b.md' } };
  const state = { class: 'write_project', state: 'refused' } as const;
  show(<CallCard call={call('fs.delete', '@project/a.md', state).body as CallBody} />);
  expect(screen.getByTitle('Deletes a file or folder')).toBeInTheDocument();
  show(<CallCard call={call('fs.move', '@project/a.md', { ...state, ...to }).body as CallBody} />);
  expect(screen.getByTitle('Moves a file or folder')).toBeInTheDocument();
  expect(screen.getByText('@project/a.md → @project/b.md')).toBeInTheDocument();
});

test('a file that was changed is a chip that opens it, with the call beside it', async () => {
  const open = vi.fn();
  const made = call('fs.write', '@project/docs/a.md', {
    details: { created: true, lines: { added: 23, removed: 0 } },
  });
  show(
    <FilesContext value={{ changed: new Set(), open }}>
      <CallCard call={made.body as CallBody} />
    </FilesContext>,
  );
  expect(screen.getByTestId('open-file')).toHaveTextContent('a.md+23');
  await userEvent.click(screen.getByTestId('open-file'));
  expect(open).toHaveBeenCalledExactlyOnceWith('@project/docs/a.md');
  await userEvent.click(screen.getByRole('button', { name: 'What was called' }));
  expect(screen.getByTestId('call-card')).toHaveTextContent('fs.write · 8 ms');
});

test('a file that was moved opens where it is now', async () => {
  const open = vi.fn();
  const details = { to: '@project/docs/b.md' };
  const moved = call('fs.move', '@project/a.md', { class: 'write_project', details });
  show(
    <FilesContext value={{ changed: new Set(), open }}>
      <CallCard call={moved.body as CallBody} />
    </FilesContext>,
  );
  await userEvent.click(screen.getByTestId('open-file'));
  expect(open).toHaveBeenCalledExactlyOnceWith('@project/docs/b.md');
});

test('calls that changed nothing are told in one line, in words', () => {
  const made = [
    call('fs.read', '@pkg/steps/step-01.md'),
    call('fs.read', '@project/none.md', { state: 'missing' }),
    call('fs.search', '@project', { details: { looksFor: 'ripe', found: 3 } }),
    call('fs.read', '@pkg/steps/step-01.md'),
    ...['a', 'b', 'c'].map((name) => call('fs.read', `@project/${name}.md`)),
    call('fs.apply_patch', '@state/workflow.md', { class: 'write_state' }),
    call('todo.list', undefined, { class: 'session' }),
  ];
  const calls = made.map(({ body }) => body as CallBody);
  expect(tellCalls(calls, wordsIn('en'))).toBe(
    'Read step-01.md, none.md (not there), a.md +2 · Searched for ripe (3) · Kept the state · Kept the list of tasks',
  );
});

test('values are shown without JSON quotes, long texts line by line', () => {
  const text = pretty({
    path: '@project/a.md',
    content: 'one\ntwo\n',
    list: [1, { a: true }],
    none: [],
  });
  expect(text.trim()).toBe(
    'path: @project/a.md\ncontent:\n  one\n  two\nlist:\n  - 1\n  - a: true\nnone: []',
  );
});

test('durations are short, in the words of the language', () => {
  const told = (lang: Lang) => [3, 3400, 125_000].map(wordsIn(lang).duration);
  expect(told('en')).toEqual(['3 ms', '3.4 s', '2 min']);
  expect(told('zh')).toEqual(['3 毫秒', '3.4 秒', '2 分钟']);
});

test('sentences that follow each other have a space between them only where it is written', () => {
  expect(wordsIn('en').sentences('One.', undefined, 'Two.')).toBe('One. Two.');
  expect(wordsIn('zh').sentences('一。', false, '二。')).toBe('一。二。');
});

test('a person’s words are shown as they are, not as Markdown', () => {
  show(<UserMessage text={'**not bold** <b>x</b>'} />);
  expect(screen.getByTestId('message-user')).toHaveTextContent('**not bold** <b>x</b>');
});

test.each(['by-user', 'by-assistant'])('a message is copied as it was written: %s', async (by) => {
  const user = userEvent.setup();
  const text = '**Two** lines\nof it';
  show(
    by === 'by-user' ? (
      <UserMessage text={text} at="2026-11-21T09:00:00Z" />
    ) : (
      <AssistantMessage body={body({ text })} at="" headed />
    ),
  );
  await user.click(screen.getByRole('button', { name: 'Copy the message' }));
  expect(await navigator.clipboard.readText()).toBe(text);
  expect(screen.getByRole('button', { name: 'Copied' })).toBeInTheDocument();
});

test('what is on its way, or still being written, cannot be copied', () => {
  show(<UserMessage text="a" sending />);
  show(<AssistantMessage body={body({ text: 'a', streaming: true })} at="" headed />);
  expect(screen.queryByTestId('copy-message')).toBeNull();
});

test('reasoning is folded, and a reply that was cut says so', () => {
  show(<AssistantMessage body={body({ thinking: 'hm', cut: true })} at="" headed />);
  expect(screen.getByText('hm').closest('details')).not.toHaveAttribute('open');
  expect(screen.getByText('Unfinished')).toBeVisible();
});

test('a growing reply is marked as such', () => {
  const { container } = show(<AssistantMessage body={body({ streaming: true })} at="" headed />);
  expect(container.querySelector('.md.streaming')).not.toBeNull();
});

const offers: [NoticeKind, string, string][] = [
  ['model_error', 'retry', 'Retry'],
  ['store_error', 'retry', 'Retry'],
  ['limit', 'resume', 'Continue'],
  ['stopped', 'resume', 'Resume'],
  ['interrupted', 'resume', 'Resume'],
];

test.each(offers)('a %s notice offers to go on', async (kind, testId, words) => {
  const onResume = vi.fn();
  const notice = { type: 'notice', kind, canResume: true } as const;
  const view = show(<Notice body={notice} resumable busy={false} onResume={onResume} />);
  expect(screen.getByTestId(`notice-${kind}`)).toBeVisible();
  await userEvent.click(screen.getByTestId(testId));
  expect(screen.getByTestId(testId)).toHaveTextContent(words);
  expect(onResume).toHaveBeenCalledOnce();
  view.unmount();
  show(<Notice body={notice} resumable={false} busy={false} onResume={onResume} />);
  expect(screen.queryByTestId(testId)).toBeNull();
});

test('completion is said in words, and that one can keep talking', () => {
  const notice = { type: 'notice', kind: 'completed', canResume: false } as const;
  show(<Notice body={notice} resumable={false} busy={false} onResume={() => undefined} />);
  expect(screen.getByTestId('completed-label')).toHaveTextContent('Done');
});

test('below words that may not be true stands what was not changed', () => {
  const body: NoticeBody = {
    type: 'notice',
    kind: 'unchanged',
    canResume: false,
    parts: [{ key: 'not_changed_refused', values: { path: '@project/a.md' } }],
  };
  show(<Notice body={body} resumable={false} busy={false} onResume={vi.fn()} />, 'zh');
  expect(screen.getByTestId('notice-unchanged')).toHaveTextContent(
    '@project/a.md 没有任何改动：你没有允许',
  );
});

/** A notice with these parts, in Chinese. */
function tell(kind: NoticeKind, parts: NoticeBody['parts'] = []) {
  const body: NoticeBody = { type: 'notice', kind, canResume: false, parts };
  show(<Notice body={body} resumable={false} busy={false} onResume={vi.fn()} />, 'zh');
  return screen.getByTestId(`notice-${kind}`);
}

test('a step that was to be left out is told as stopped by the runtime', () => {
  expect(tell('order_kept', [{ key: 'no_such_move', values: {} }])).toHaveTextContent(
    '模型想直接去一个从这里走不到的步骤。运行仍停在原来的步骤',
  );
});

test('that the person ended the run stands above their reason', () => {
  const reason = 'The sprint is over.';
  expect(tell('ended', [{ key: 'ended_because', values: { reason } }])).toHaveTextContent(
    '你结束了这次运行The sprint is over.',
  );
});

test('a run that was ended without a reason says only that', () => {
  expect(tell('ended').textContent).toBe('你结束了这次运行');
});

test('one file that others changed is named in one line', () => {
  const parts = [{ key: 'others_took', values: { path: '@project/a.md' } }];
  expect(tell('foreign_change', parts).textContent).toBe('@project/a.md 已被移走，或无法再读取');
});

test('of many files that others changed some are named, and the others on demand', async () => {
  const parts = Array.from({ length: 7 }, (_, n) => ({
    key: 'others_changed',
    values: { path: `@project/${n}.md` },
  }));
  const notice = tell('foreign_change', parts);
  expect(notice).toHaveTextContent('他人修改了这次运行的文件');
  expect(notice).toHaveTextContent('@project/4.md 被他人修改过');
  expect(notice).not.toHaveTextContent('@project/5.md');
  await userEvent.click(screen.getByRole('button', { name: '另有 2 项' }));
  expect(notice).toHaveTextContent('@project/6.md 被他人修改过');
});

test.each([
  ['asked', 'asked you'],
  ['refused', 'refused by you'],
  ['missing', 'not found'],
  ['handled', 'not done'],
] as const)('a call that needs nobody is no failure: %s', (state, words) => {
  show(<CallCard call={call('fs.read', '@project/a.md', { state }).body as CallBody} />);
  expect(screen.getByTestId('call-card')).toHaveTextContent(words);
  expect(screen.getByTestId('call-card')).not.toHaveTextContent('failed');
});
