// Conversations in which the runtime judges what the model says, and what a person makes of it.
import type {
  Decision,
  FactRecord,
  Frame,
  Item,
  MissingFact,
  NextAction,
  Obligation,
  Phrase,
  Reason,
  Todo,
} from '../wire';
import { at as minutes } from './data';
import { withEvidence } from './evidence';
import { call, item, notice, type Scene, says, status, summaryOf } from './pieces';
import { refuse } from './refusals';

const STORY = '@project/artifacts/create-story/story.md';
const CHECKLIST = '@project/artifacts/create-story/checklist.md';

const SAID =
  'The story is **written and checked**. You find it in `artifacts/create-story/story.md`, and the checklist beside it.';

const phrase = (key: string, values: Phrase['values'] = {}): Phrase => ({ key, values });

const missing = [
  phrase('output_missing', { path: CHECKLIST, node: 'write' }),
  phrase('not_as_expected', { path: STORY }),
  phrase('todo_open', { id: 'sign-off' }),
];

const facts: MissingFact[] = [
  { kind: 'file_exists', target: CHECKLIST, node: 'write', failed: { code: 'EACCES', times: 3 } },
  {
    kind: 'verification_passed',
    target: STORY,
    expected: ['As a colleague in support', '## Acceptance\n\n- [ ] Read by somebody in sales\n'],
  },
  { kind: 'verification_passed', target: '@project/docs/release-notes.md' },
  { kind: 'todo_terminal', target: 'sign-off' },
];

const actions: NextAction[] = [
  {
    tool: 'fs_glob',
    args: {
      pattern: 'artifacts/create-story/checklist.md',
      path: '@project',
      expect_min_matches: 1,
      verification_scope: 'artifact:artifacts/create-story/checklist.md',
    },
  },
  {
    tool: 'fs_read',
    args: {
      path: STORY,
      expect_contains: ['As a colleague in support'],
      verification_scope: 'artifact:artifacts/create-story/story.md',
    },
  },
  { tool: 'todo_write', args: { action: 'complete', id: 'sign-off', expected_revision: 3 } },
];

const obligations: Obligation[] = [
  { kind: 'missing_output', node: 'write', path: CHECKLIST },
  { kind: 'failed_verification', path: STORY },
  { kind: 'unverified_write', path: '@project/docs/release-notes.md' },
  { kind: 'open_todo', id: 'sign-off', revision: 3 },
];

const todos: Todo[] = [
  {
    id: 'read-notes',
    content: 'Read the three earlier release notes',
    status: 'completed',
    required: false,
    revision: 2,
  },
  {
    id: 'story',
    content: 'Write the story in the words of somebody in support',
    status: 'completed',
    required: true,
    revision: 4,
  },
  {
    id: 'checklist',
    content: 'Write the checklist',
    status: 'in_progress',
    required: true,
    revision: 2,
  },
  {
    id: 'sign-off',
    content: 'Have the story read by somebody in sales',
    status: 'blocked',
    required: true,
    blockedReason: 'user_input_wait',
    revision: 3,
  },
  {
    id: 'publish',
    content: 'Put the story into the folder of the sprint',
    status: 'pending',
    required: true,
    dependencies: ['checklist', 'sign-off'],
    revision: 1,
  },
  {
    id: 'translate',
    content: 'Translate the story',
    status: 'failed',
    required: false,
    failureReason: 'There is no glossary in the project.',
    revision: 2,
  },
  {
    id: 'sketch',
    content: 'Draw a sketch',
    status: 'canceled',
    required: false,
    failureReason: 'The story does not need one.',
    revision: 2,
  },
];

const HASH = '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce';

/** Facts of these calls, and of others that are not shown any more. */
function factsOf(calls: readonly Item[]): FactRecord[] {
  const at = (n: number, more: Partial<FactRecord> & Pick<FactRecord, 'kind'>): FactRecord => {
    const body = calls[n % calls.length]?.body;
    const made =
      body?.type === 'call' ? { callId: body.callId, tool: body.tool } : { callId: null };
    return {
      seq: n + 1,
      at: minutes(n),
      turn: n + 1,
      runId: 'r-3',
      agentPath: [],
      ...made,
      ...more,
    };
  };
  const older = Array.from({ length: 52 }, (_, n) =>
    at(n, { kind: 'file_read', path: `@project/notes/2026-${n + 1}.md` }),
  );
  return [
    ...older,
    at(0, { kind: 'file_written', path: STORY, sha256: HASH }),
    at(0, { kind: 'verification', path: STORY, check: 'readback', outcome: 'passed' }),
    at(1, { kind: 'file_moved', path: '@project/notes.md', to: '@project/docs/notes.md' }),
    at(1, { kind: 'tool_error', path: CHECKLIST, outcome: 'E_SANDBOX_VIOLATION' }),
    at(2, { kind: 'todo_created', todo: 'sign-off' }),
    { ...at(2, { kind: 'file_foreign_change', path: STORY, sha256: 'b' }), callId: null },
    { ...at(2, { kind: 'user_confirmed' }), callId: null },
    at(0, {
      kind: 'verification',
      path: STORY,
      check: 'content',
      outcome: 'failed',
      expected: ['As a colleague in support'],
      scope: 'artifact:artifacts/create-story/story.md',
      sha256: HASH,
    }),
    at(0, { kind: 'verification', scope: 'workspace', outcome: 'passed' }),
  ];
}

type Judged = Pick<Decision, 'status' | 'stop_reason'> & Partial<Decision>;

/** A judgement that stands for what the model said. */
const judged = (decision: Judged, more: { rejected?: string; overruled?: boolean } = {}) =>
  item(
    {
      type: 'decision',
      decision: {
        user_summary: 'Something is missing.',
        missing_facts: facts,
        required_next_actions: actions,
        obligations,
        task_kind: 'workspace_write',
        ...decision,
      },
      overruled: false,
      ...more,
    },
    `m-${decision.status}`,
  );

const goesOn = () =>
  judged(
    {
      status: 'continue',
      stop_reason: 'missing_output',
      said: phrase('goes_on', { missing }),
    },
    { rejected: SAID },
  );

const incomplete = (more: { overruled?: boolean } = {}) =>
  judged(
    {
      status: 'incomplete',
      stop_reason: 'no_progress_after_final_intercept',
      said: phrase('no_progress', { missing }),
      not_listed: 2,
    },
    { rejected: SAID, ...more },
  );

const failed = () =>
  judged(
    {
      status: 'failed',
      stop_reason: 'repeated_failure',
      said: phrase('cannot_be_done', {
        why: [phrase('failed_often', { path: CHECKLIST, code: 'EACCES', times: '3' })],
      }),
      missing_facts: facts.slice(0, 1),
      required_next_actions: [],
    },
    { rejected: SAID },
  );

const blocked = () =>
  judged({
    status: 'blocked',
    stop_reason: 'needs_user',
    said: phrase('needs_you', {
      why: [phrase('step_waits_for_you', { node: 'write' }), ...missing.slice(0, 1)],
    }),
    missing_facts: facts.slice(0, 1),
    required_next_actions: [],
  });

/** A judgement that only a newer program makes. */
const unknown = () =>
  judged({
    status: 'unrecognised',
    stop_reason: 'unrecognised',
    user_summary: 'The reviewer has not looked at the story yet.',
    missing_facts: [{ kind: 'unrecognised', target: 'review/1' }],
    required_next_actions: [],
  });

const resting = (items: Item[], reason: Reason, known: Partial<Scene> = {}): Scene => ({
  items,
  ...known,
  status: status('waiting-user', 2, { todos: summaryOf(known.todos ?? []) }, reason),
});

/** A run that rests because something is missing. */
function unaccepted(items: Item[]): Scene {
  const calls = items.filter((known) => known.body.type === 'call');
  const beside = { todos, obligations, facts: factsOf(calls) };
  return resting([...items, goesOn(), incomplete()], 'not_accepted', beside);
}

/** These conversations by name. `middle` is how each begins. */
export const acceptance = (middle: () => Item[]): Record<string, () => Scene> => ({
  decision: () => unaccepted(middle()),
  evidence: () => withEvidence(unaccepted(middle())),
  'decision-continue': () => ({
    items: [...middle(), goesOn(), call('fs.glob', '@project', { state: 'running' })],
    status: status('running', 2),
  }),
  'decision-blocked': () =>
    resting([...middle(), says('Who is to read the story first?'), blocked()], 'answered'),
  'decision-failed': () => resting([...middle(), failed()], 'not_accepted'),
  'decision-overruled': () =>
    resting([...middle(), incomplete({ overruled: true }), says(SAID)], 'answered'),
  'decision-unknown': () => resting([...middle(), unknown()], 'not_accepted'),
  ended: () => {
    const why = phrase('ended_because', { reason: 'The sprint is over; the story goes by hand.' });
    const items = [...middle(), notice('ended', { parts: [why] })];
    return { items, status: status('completed', 2, {}, 'ended_early') };
  },
  'foreign-change': () => {
    const changed = (path: string) => phrase('others_changed', { path });
    const many = Array.from({ length: 7 }, (_, n) => changed(`@project/docs/part-${n + 1}.md`));
    const items = [
      ...middle(),
      notice('foreign_change', { parts: [changed(STORY)] }),
      says('I see that the story was changed. I read it again.'),
      notice('foreign_change', { parts: [phrase('others_took', { path: CHECKLIST }), ...many] }),
    ];
    return resting(items, 'answered');
  },
});

const ran = (body: Partial<Extract<Item['body'], { type: 'hook' }>>) =>
  item({
    type: 'hook',
    name: 'tests',
    point: 'accept_gate',
    status: 'passed',
    durationMs: 4200,
    ...body,
  });

const FAILED = `running 14 tests
test story::has_a_heading ... FAILED

artifacts/create-story/story.md: line 1 is no heading`;

/** Conversations in which commands of the person were run. */
export const hooked = (middle: () => Item[]): Record<string, () => Scene> => ({
  hooks: () => {
    const red = judged(
      {
        status: 'continue',
        stop_reason: 'failed_gate',
        said: phrase('goes_on', { missing: [phrase('check_not_passed', { hook: 'tests' })] }),
        missing_facts: [{ kind: 'command_passed', target: 'tests', output: FAILED }],
        required_next_actions: [{ tool: 'fs_read', args: { path: STORY } }],
      },
      { rejected: SAID },
    );
    const took = 'the command of the hook `tests` did not end within 600 s; it was ended';
    const items = [
      ran({
        point: 'run_start',
        name: 'begin',
        status: 'warned',
        output: 'no network',
        durationMs: 40,
      }),
      ...middle(),
      ran({
        point: 'before_tool_call',
        name: 'no secrets',
        status: 'blocked',
        tool: 'fs.write',
        output: 'no passwords in files',
        durationMs: 12,
      }),
      ran({ status: 'blocked', output: FAILED }),
      red,
      ran({
        status: 'unanswered',
        failure: {
          code: 'E_HOOK_FAILED',
          message: took,
          said: phrase('hook_took_too_long', { name: 'tests', seconds: '600' }),
        },
      }),
      ran({}),
      says('Now all tests pass.'),
    ];
    return resting(items, 'answered', {
      obligations: [
        { kind: 'failed_gate', hook: 'tests', outputSha256: 'a' },
        { kind: 'unanswered_gate', hook: 'lint' },
      ],
    });
  },
  'hooks-wait': () => ({
    items: [...middle(), says(SAID)],
    status: status('running', 2, { waitsFor: ['tests'] }),
  }),
});

/** The judgement whose words a person may let stand. */
export function rejectedIn({ items, status: now }: Scene) {
  const found = items.findLast(({ body }) => body.type === 'decision');
  if (now.run?.reason !== 'not_accepted' || found?.body.type !== 'decision') return null;
  const { body } = found;
  return body.rejected ? { item: found, body, words: body.rejected } : null;
}

/** What is sent when a person lets words stand. */
export function letStand(scene: Scene, messageId: string): Frame[] {
  const { status: now } = scene;
  const { run } = now;
  const found = rejectedIn(scene);
  if (!run || found?.item.id !== messageId) {
    return refuse('NOT_NOW', 'there are no words of that message that were not accepted');
  }
  return [
    { type: 'upsert', item: { ...found.item, body: { ...found.body, overruled: true } } },
    { type: 'upsert', item: says(found.words) },
    { type: 'status', status: { ...now, run: { ...run, reason: 'answered' } } },
  ];
}

/** What is sent when a person ends a run. */
export function ended({ status: now }: Scene, reason: string | null): Frame[] {
  if (now.run?.phase === 'completed') refuse('NOT_NOW', 'the run is over already');
  const parts = reason === null ? [] : [phrase('ended_because', { reason })];
  return [
    { type: 'upsert', item: notice('ended', { parts }) },
    { type: 'status', status: status('completed', 2, { todos: now.todos }, 'ended_early') },
  ];
}
