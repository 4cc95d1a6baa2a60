import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { call } from '../bridge/fake/pieces';
import type { SubagentView } from '../bridge/wire';
import type { Lang } from '../i18n';
import { show } from '../test/render';
import type { CallBody } from './call-card';
import { SubagentCard } from './subagent';

const view = (more: Partial<SubagentView> = {}): SubagentView => ({
  callId: 'c1',
  conversationId: 'task-1',
  agentId: 'dev',
  taskType: 'review',
  steps: 0,
  ...more,
});

interface Shown {
  call?: Partial<CallBody>;
  view?: SubagentView;
  lang?: Lang;
  rests?: boolean;
}

const ARGS = { task_type: 'review', prompt: 'Read the story.', agentId: 'dev' };

function showCard({ call: more, view: known, lang, rests }: Shown) {
  const made = call('agent.spawn', undefined, {
    callId: 'c1',
    class: 'delegate',
    args: ARGS,
    ...more,
  });
  const onStop = vi.fn();
  const onShow = vi.fn();
  const agent = { id: 'dev', name: 'Theo', title: 'Developer', icon: '🛠️', menu: [] };
  show(
    <SubagentCard
      call={made.body as CallBody}
      view={known}
      agent={known && agent}
      rests={rests}
      onStop={onStop}
      onShow={onShow}
    />,
    lang,
  );
  return { card: screen.getByTestId('subagent'), onStop, onShow, user: userEvent.setup() };
}

const running = { state: 'running', result: undefined, durationMs: 0 } as const;

const reported = (report: unknown, more: object = {}) => ({
  result: { ok: true, end: 'completed', steps: 4, report, ...more },
});

test('one whose program ended in between is interrupted, and is not stopped', () => {
  const { card } = showCard({ call: running, view: view({ steps: 3 }), rests: true });
  expect(within(card).getByTestId('subagent-end')).toHaveTextContent('Interrupted');
  expect(within(card).queryByTestId('subagent-stop')).toBeNull();
  expect(within(card).queryByTestId('subagent-progress')).toBeNull();
});

test('while it works the card says who, at what, and how far it is', async () => {
  const { card, onStop, onShow, user } = showCard({
    call: running,
    view: view({ steps: 3, doing: 'fs.read' }),
  });
  expect(card).toHaveTextContent('TheoReview');
  expect(screen.getByTestId('subagent-prompt')).toHaveTextContent('Read the story.');
  expect(screen.getByTestId('subagent-end')).toHaveTextContent('Working');
  expect(screen.getByTestId('subagent-progress')).toHaveTextContent('Request 3·fs.read');
  await user.click(screen.getByTestId('subagent-stop'));
  expect(onStop).toHaveBeenCalledTimes(1);
  await user.click(screen.getByTestId('subagent-show'));
  expect(onShow).toHaveBeenCalledTimes(1);
});

test('before its first answer it is at its first request', () => {
  showCard({ call: running, view: view() });
  expect(screen.getByTestId('subagent-progress')).toHaveTextContent('Request 1');
});

test('one that has not begun waits for its turn, and cannot be stopped', () => {
  showCard({ call: running });
  expect(screen.getByTestId('subagent-end')).toHaveTextContent('Waiting for its turn');
  expect(screen.queryByTestId('subagent-stop')).toBeNull();
  expect(screen.queryByTestId('subagent-show')).toBeNull();
});

test('one of which nobody knows yet what became of it cannot be stopped', () => {
  showCard({ call: { ...running, state: 'inDoubt' }, view: view({ steps: 2 }) });
  expect(screen.getByTestId('subagent-end')).toHaveTextContent('being looked up');
  expect(screen.queryByTestId('subagent-stop')).toBeNull();
  expect(screen.queryByTestId('subagent-progress')).toBeNull();
});

test('a report is shown with its findings, its changes and the changed files', async () => {
  const findings = Array.from({ length: 7 }, (_, n) => `Finding ${n + 1}`);
  const report = { summary: 'It is too long.', findings, patches: ['Shorten it.', '-a\n+b'] };
  const { card, user } = showCard({
    call: reported(report, { changed: ['@project/a.md'] }),
    view: view({ steps: 4, end: 'completed' }),
  });
  expect(screen.getByTestId('subagent-end')).toHaveTextContent('Reported');
  expect(card).toHaveAttribute('data-tone', 'ok');
  expect(card).toHaveTextContent('4 requests');
  expect(screen.getByTestId('subagent-summary')).toHaveTextContent('It is too long.');
  const list = screen.getByTestId('subagent-findings');
  expect(within(list).getAllByRole('listitem')).toHaveLength(5);
  await user.click(within(list).getByRole('button', { name: '2 more' }));
  expect(within(list).getAllByRole('listitem')).toHaveLength(7);
  expect(screen.getByTestId('subagent-patches').querySelector('pre')).toHaveTextContent('-a +b');
  expect(screen.getByTestId('subagent-changed')).toHaveTextContent('@project/a.md');
  expect(screen.queryByTestId('subagent-stop')).toBeNull();
});

test.each<[Partial<SubagentView>, string, string]>([
  [{ end: 'completed', verdict: 'passed' }, 'Passed', 'ok'],
  [{ end: 'completed', verdict: 'failed' }, 'Did not pass', 'bad'],
  [{ end: 'stopped' }, 'Stopped', 'warn'],
  [{ end: 'timed_out' }, 'Ran out of time', 'warn'],
  [{ end: 'max_steps' }, 'Used up its requests', 'warn'],
  [{ end: 'no_report' }, 'No report', 'bad'],
  [{ end: 'failed' }, 'Could not go on', 'bad'],
  [{ end: 'unrecognised' }, 'Ended', 'plain'],
  [{ end: 'eaten' as never }, 'Ended', 'plain'],
])('how it ended is said in words and has a tone: %j', (more, words, tone) => {
  const { card } = showCard({ call: reported({ summary: 'x' }), view: view(more) });
  expect(screen.getByTestId('subagent-end')).toHaveTextContent(words);
  expect(card).toHaveAttribute('data-tone', tone);
});

test('why it could not go on is told, and of a stop nothing more', () => {
  const message = 'the sub-agent ended without a report (failed): the server answered 503';
  const failed = (end: string) => ({
    state: 'handled' as const,
    result: { ok: false, error: { code: 'E_SUBAGENT_FAILED', message, details: { end } } },
  });
  showCard({ call: failed('failed') });
  expect(screen.getByTestId('subagent-end')).toHaveTextContent('Could not go on');
  expect(screen.getByTestId('failure')).toHaveTextContent('the server answered 503');
  document.body.replaceChildren();
  showCard({ call: failed('stopped') });
  expect(screen.queryByTestId('failure')).toBeNull();
});

test('a long prompt can be unfolded, with what else it was told', async () => {
  const prompt = 'Read every line of it. '.repeat(40);
  const args = { ...ARGS, prompt, expected_output: 'A list.', allowed_paths: ['@project/docs'] };
  const { card, user } = showCard({ call: { ...running, args }, view: view() });
  expect(card).not.toHaveTextContent('A list.');
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(card).toHaveTextContent('The report should cover: A list.');
  expect(card).toHaveTextContent('Limited to: @project/docs');
  await user.click(screen.getByRole('button', { name: 'Show less' }));
  expect(card).not.toHaveTextContent('A list.');
});

test('what models write is shown as text, with signs for what cannot be seen', () => {
  const evil = '<img src=x onerror=alert(1)> **bold** [go](javascript:alert(1)) \u202eexe.\u0007';
  const report = { summary: evil, findings: [evil], patches: [evil, `${evil}\n+`] };
  const { card } = showCard({
    call: { ...reported(report, { changed: [evil] }), args: { ...ARGS, prompt: evil } },
    view: view({ end: 'completed', agentId: evil, doing: evil }),
  });
  expect(card.querySelector('img, a, strong, em')).toBeNull();
  for (const unseen of ['\u202e', '\u0007']) expect(card.textContent).not.toContain(unseen);
  const shown = '<img src=x onerror=alert(1)> **bold** [go](javascript:alert(1)) ⟨U+202E⟩exe.␇';
  for (const part of ['prompt', 'summary', 'findings', 'patches', 'changed']) {
    expect(screen.getByTestId(`subagent-${part}`)).toHaveTextContent(shown);
  }
});

test.each([
  [undefined, undefined],
  [null, null],
  ['{"task_type":', 'text'],
  [[], []],
  [
    { prompt: 7, task_type: {} },
    { report: 7, end: {}, changed: 'a', steps: '1' },
  ],
  [{ task_type: 'toString' }, { error: { code: 'E_SUBAGENT_FAILED', details: 'none' } }],
])('arguments and results in another shape are no reason to break: %j, %j', (args, result) => {
  for (const state of ['running', 'done', 'handled', 'failed', 'inDoubt'] as const) {
    for (const known of [undefined, view(), view({ end: 'completed' })]) {
      const { card } = showCard({ call: { args, result, state }, view: known });
      expect(card).toBeVisible();
      document.body.replaceChildren();
    }
  }
});

test('it is told in the language of the reader', () => {
  const report = { summary: 'x', findings: ['y'], status: 'failed' };
  const { card } = showCard({
    call: reported(report),
    view: view({ taskType: 'verify', end: 'completed', verdict: 'failed', steps: 2 }),
    lang: 'zh',
  });
  expect(card).toHaveTextContent('Theo核验2 次请求');
  expect(screen.getByTestId('subagent-end')).toHaveTextContent('核验未通过');
  expect(screen.getByTestId('subagent-findings')).toHaveTextContent('发现 1');
});
