import type { ReactNode } from 'react';
import {
  callStates,
  decisionKinds,
  delegated,
  fileCalls,
  hookStates,
  judgedAs,
  noticeKinds,
  noticeOf,
  taskEndings,
  undoable,
} from '../bridge/fake/kinds';
import { call, item, opening, type Scene, says, status, step, user } from '../bridge/fake/pieces';
import { rewind, rewindResult } from '../bridge/fake/rewind';
import { progress } from '../bridge/fake/server-scenes';
import type {
  CallState,
  DecisionStatus,
  HookStatus,
  Item,
  NoticeKind,
  ServerProgress,
  TaskEnd,
} from '../bridge/wire';
import type { OpenTask } from '../state/store';
import { Completed } from '../views/completed';
import { DecisionRow } from '../views/decision-row';
import { ActivityLine, ItemRow, RowView } from '../views/message-row';
import { RetryLine } from '../views/retry-line';
import { StepRow } from '../views/step-row';
import { SubagentRow } from '../views/subagent-row';
import { CallCard } from '../widgets/call-card';
import { Calls } from '../widgets/calls';
import { Code } from '../widgets/code';
import { DecisionBlock, NextActions } from '../widgets/decision';
import { FailureBox } from '../widgets/failure';
import { FileChip } from '../widgets/file-chip';
import { InlineCode, OpenFile } from '../widgets/file-link';
import { FindBar } from '../widgets/find-bar';
import { GivenFiles } from '../widgets/given';
import { HookResult } from '../widgets/hook';
import { Lines } from '../widgets/lines';
import { LongText } from '../widgets/long-text';
import { Markdown, Plain } from '../widgets/markdown';
import { AssistantMessage, UserMessage } from '../widgets/message';
import { MissingFacts } from '../widgets/missing';
import { Notice } from '../widgets/notice';
import { RestoredFiles, ResultFiles } from '../widgets/restored';
import { Step } from '../widgets/step';
import { SubagentCard } from '../widgets/subagent';
import { each, type Section } from './sections';
import { InList, isLast, isOf, Say, Stage, sceneOf } from './stage';

/** A state for each of these, in an exhaustive map. */
const mapOf = <K extends string>(kinds: readonly K[], show: (kind: K) => ReactNode) =>
  Object.fromEntries(kinds.map((kind) => [kind, show(kind)])) as Record<K, ReactNode>;

/** One item alone, in a run that rests. */
const alone = (one: Item, more: Partial<Scene> = {}): Scene => ({
  items: [one],
  status: status('waiting-user', 2, {}, 'answered'),
  ...more,
});

const last = (scene: Scene) => <InList scene={scene} of={isLast} />;
const single = (one: Item) => last(alone(one));

const messages = each({
  user: single(user('Mostly people in sales and support.')),
  'user given': <InList scene={sceneOf('given')} of={({ body }) => isUser(body) && !!body.files} />,
  'user sending': <Say>{() => <UserMessage text="Mostly people in sales." sending />}</Say>,
  assistant: <InList scene={sceneOf('completed')} of={({ body }) => isSaid(body)} />,
  streaming: last(sceneOf('running')),
  thinking: single(says('', { streaming: true, thinking: 'Sales and support read it.' })),
  cut: single(says('I was about to', { cut: true })),
  'nobody known': single(says('Who speaks is not known.', { agent: undefined })),
});

function isUser(body: Item['body']): body is Extract<Item['body'], { type: 'message' }> {
  return body.type === 'message' && body.by === 'user';
}
const isSaid = (body: Item['body']) => body.type === 'message' && body.by === 'assistant';

const MARKDOWN = [
  '# Level 1\n## Level 2\n### Level 3\n#### Level 4',
  'Words, **strong** and *leant on*, `code`, [a link](https://example.org/manual).',
  '- one\n- two\n  - below\n\n1. first\n2. second\n\n- [x] done\n- [ ] open',
  '> It was said before.',
  '| step | who |\n|---|---|\n| read | support |',
  '```ts\nexport const ripe = (today = new Date()) => 12.5; // now\n```',
  '---\n![a chart](https://example.org/chart.png)',
].join('\n\n');

const CODE =
  'import { open } from "node:fs";\n\n// Only what is ripe.\nexport const ripe = 12.5;\n';

const texts = each({
  markdown: <Markdown text={MARKDOWN} />,
  'longer than is shown at once': (
    <LongText text={'a word and another. '.repeat(3_000)}>
      {(shown) => <p className="clip">{shown}</p>}
    </LongText>
  ),
  plain: <Plain text={'# as it is\n  **and** no more'} />,
  code: <Say>{({ t }) => <Code text={CODE} name="save.ts" label={t('call.change')} />}</Say>,
});

const states = mapOf<CallState>(Object.keys(callStates) as CallState[], (state) =>
  single(callStates[state]),
);

const openCall = (one: Item) =>
  one.body.type === 'call' ? <CallCard call={one.body} unfolded /> : null;

const looked = opening().filter(isOf('call')).slice(0, 4);

const calls = each({
  done: last({ ...alone(opening()[0] as Item), items: looked }),
  running: single(call('fs.read', '@project/vision.md', { state: 'running' })),
  missing: single(call('fs.read', '@project/docs/old.md', { state: 'missing' })),
  unfolded: (
    <Say>
      {() => (
        <Calls
          calls={looked.flatMap(({ body }) => (body.type === 'call' ? [body] : []))}
          unfolded
          onUnfold={() => undefined}
        >
          {looked.map(({ id, body }) => body.type === 'call' && <CallCard key={id} call={body} />)}
        </Calls>
      )}
    </Say>
  ),
});

const notices: Record<NoticeKind, ReactNode> = mapOf(noticeKinds, (kind) => last(noticeOf(kind)));

const decisions: Record<DecisionStatus, ReactNode> = mapOf(decisionKinds, (status) =>
  last(judgedAs(status)),
);

const hooks: Record<HookStatus, ReactNode> = mapOf(
  Object.keys(hookStates) as HookStatus[],
  (state) => single(item(hookStates[state])),
);

const ends: Record<TaskEnd, ReactNode> = mapOf(taskEndings, (end) => last(delegated(end)));

const steps = each({
  now: <InList scene={sceneOf('running')} of={({ body }, at, all) => isStep(body, at, all, -1)} />,
  done: <InList scene={sceneOf('running')} of={({ body }, at, all) => isStep(body, at, all, 0)} />,
  'done open': <OpenStep />,
  left: <InList scene={leftStep()} of={({ body }, at, all) => isStep(body, at, all, 0)} />,
});

/** The step of a conversation at that place among its steps. */
function isStep(body: Item['body'], at: number, all: readonly Item[], place: number) {
  const steps = all.filter(isOf('step'));
  return body.type === 'step' && all[at] === steps.at(place);
}

/** A run that was taken back out of its first step. */
function leftStep(): Scene {
  const { items, status } = sceneOf('stopped');
  const [first, ...rest] = items.filter(isOf('step'));
  const before = items.slice(0, items.indexOf(rest[0] as Item));
  return { items: first ? [...before, step('gather', false)] : [], status };
}

function OpenStep() {
  const scene = sceneOf('running');
  const [first] = scene.items.filter(isOf('step'));
  const more = { openSteps: new Set(first ? [first.id] : []) };
  return <InList scene={scene} more={more} of={(one) => one === first} />;
}

/** A server that says how far it is. */
const activityOfServer = (said: ServerProgress) => (
  <Stage scene={sceneOf('servers-progress')}>
    <ActivityLine activity={{ kind: 'tool', tool: 'mcp__files__search_files', progress: said }} />
  </Stage>
);

const activities = each({
  thinking: (
    <Stage scene={sceneOf('running')}>
      <ActivityLine activity={{ kind: 'thinking' }} />
    </Stage>
  ),
  tool: (
    <Stage scene={sceneOf('tool')}>
      <ActivityLine activity={{ kind: 'tool', tool: 'fs.write' }} />
    </Stage>
  ),
  progress: activityOfServer(progress),
  'progress long': activityOfServer({ ...progress, message: `${progress.message}: `.repeat(9) }),
  'progress uncounted': activityOfServer({ ...progress, percent: undefined }),
  'progress unsaid': activityOfServer({ ...progress, message: undefined }),
  hook: (
    <Stage scene={sceneOf('hooks-wait')}>
      <ActivityLine activity={{ kind: 'hook', names: 'tests' }} />
    </Stage>
  ),
  subagents: (
    <Stage scene={sceneOf('subagents-work')}>
      <ActivityLine activity={{ kind: 'subagents', agents: ['dev', 'sm'] }} />
    </Stage>
  ),
  retry: (
    <Stage scene={sceneOf('retrying')}>
      <RetryLine
        retry={{
          failure: { code: 'LLM_RATE_LIMITED', message: 'The server answered 429.' },
          attempt: 2,
          inMs: 0,
        }}
      />
    </Stage>
  ),
});

/** A sub-agent whose conversation is open. */
const TASK: OpenTask = {
  parent: 'c-current',
  itemId: 'call-sub-done',
  seq: 1,
  packageId: undefined,
  phase: 'waiting-user',
  subagent: {
    callId: 'sub-done',
    conversationId: 'task-done',
    agentId: 'dev',
    taskType: 'review',
    steps: 6,
    end: 'completed',
  },
};

/** What stands in a conversation. */
export const conversationItems: readonly Section[] = [
  {
    name: 'Message',
    of: [UserMessage, AssistantMessage, GivenFiles, ItemRow, RowView],
    place: 'list',
    entries: messages,
  },
  {
    name: 'Markdown',
    of: [Markdown, LongText, Plain, Code, FindBar, InlineCode],
    place: 'list',
    entries: texts,
  },
  { name: 'Step', of: [Step, StepRow], place: 'list', entries: steps },
  { name: 'Calls', of: [Calls], place: 'list', entries: calls },
  {
    name: 'CallCard',
    of: [CallCard, OpenFile, ResultFiles, RestoredFiles],
    place: 'list',
    entries: [
      ...each(states),
      { state: 'open', node: openCall(fileCalls.changed) },
      {
        state: 'rewind open',
        node: openCall(
          call('workflow.rewind', '@state/workflow.md', {
            args: { steps: rewind.parts.length },
            result: rewindResult,
          }),
        ),
      },
      {
        state: 'repaired open',
        node: openCall(call('fs.read', '@project/vision.md', { repaired: true })),
      },
    ],
  },
  {
    name: 'FileChip',
    of: [FileChip, Lines],
    place: 'list',
    entries: each(
      mapOf(Object.keys(fileCalls) as (keyof typeof fileCalls)[], (effect) =>
        single(fileCalls[effect]),
      ),
    ),
  },
  {
    name: 'Decision',
    of: [DecisionBlock, DecisionRow, MissingFacts, NextActions],
    place: 'list',
    entries: [
      ...each(decisions),
      { state: 'overruled', node: last(judgedAs('incomplete', true)) },
      { state: 'long', node: last(sceneOf('decision')) },
    ],
  },
  { name: 'HookResult', of: [HookResult], place: 'list', entries: each(hooks) },
  {
    name: 'Notice',
    of: [Notice, FailureBox, Completed],
    place: 'list',
    entries: [
      ...each(notices),
      { state: 'model_error key', node: last(sceneOf('no-key')) },
      { state: 'model_error too long', node: last(sceneOf('context-too-long')) },
      { state: 'went_back undoable', node: last(undoable()) },
      { state: 'foreign_change many', node: last(sceneOf('foreign-change')) },
      {
        state: 'stopped ofTask',
        node: <InList scene={noticeOf('stopped')} more={{ task: TASK }} of={isLast} />,
      },
      {
        state: 'completed ofTask',
        node: <InList scene={noticeOf('completed')} more={{ task: TASK }} of={isLast} />,
      },
    ],
  },
  {
    name: 'Subagent',
    of: [SubagentCard, SubagentRow],
    place: 'list',
    entries: [
      { state: 'working', node: atWorkSubagents() },
      ...each(ends),
      { state: 'verdicts', node: <InList scene={sceneOf('subagents')} of={isSpawn} /> },
    ],
  },
  {
    name: 'ActivityLine',
    of: [ActivityLine, RetryLine],
    place: 'list',
    entries: activities,
  },
];

function isSpawn({ body }: Item) {
  return body.type === 'call' && body.tool === 'agent.spawn';
}

function atWorkSubagents() {
  return <InList scene={sceneOf('subagents-work')} of={isSpawn} />;
}
