// Conversations in which sub-agents work or have worked, and those of the sub-agents themselves.
import type { FactRecord, Frame, Item, SubagentView } from '../wire';
import { at } from './data';
import { call, item, notice, type Scene, says, status } from './pieces';
import { refuse } from './refusals';

const STORY = '@project/artifacts/create-story/story.md';

const REVIEW =
  'Read @project/artifacts/create-story/story.md as somebody in support would.\nSay which words they do not know, and where a sentence asks for more than one thing.\n\nThe three earlier release notes are in @project/docs. Compare the tone, not the length.';

const view = (name: string, more: Partial<SubagentView>): SubagentView => ({
  callId: `sub-${name}`,
  conversationId: `task-${name}`,
  agentId: 'dev',
  taskType: 'review',
  steps: 0,
  ...more,
});

const spawn = (name: string, args: unknown, more: Parameters<typeof call>[2] = {}) =>
  call('agent.spawn', undefined, { callId: `sub-${name}`, class: 'delegate', args, ...more });

const working = { state: 'running', result: undefined, durationMs: 0 } as const;

/** What a call says whose sub-agent handed in no report. */
const noReport = (
  end: SubagentView['end'],
  steps: number,
  why: string,
  changed: string[] = [],
) => ({
  ok: false,
  error: {
    code: 'E_SUBAGENT_FAILED',
    message: `the sub-agent ended without a report (${end}): ${why}`,
    details: { end, steps, changed },
  },
});

/** Two at work, and one that waits for its turn. */
const atWork = (middle: Item[]): Scene => ({
  items: [
    ...middle,
    says('Two colleagues look at the story side by side. Then the glossary is written.'),
    spawn('review', { task_type: 'review', prompt: REVIEW, agentId: 'dev' }, working),
    spawn(
      'verify',
      { task_type: 'verify', prompt: `Verify that ${STORY} names a reader.`, max_steps: 5 },
      working,
    ),
    spawn(
      'edit',
      {
        task_type: 'edit',
        prompt: 'Write the glossary to @project/artifacts/create-story/glossary.md.',
        agentId: 'dev',
        expected_output: 'Which words are in it.',
        allowed_paths: ['@project/artifacts/create-story', '@project/docs'],
      },
      working,
    ),
  ],
  status: status('running', 2, {
    subagents: [
      view('review', { steps: 3, doing: 'fs.read' }),
      view('verify', { taskType: 'verify', agentId: 'sm' }),
    ],
  }),
});

const findings = [
  'Line 3: “payload” is a word that nobody in support uses.',
  'Line 7 asks for two things at once: the export, and who may see it.',
  'Line 12: the date has no year.',
  'The heading says “story”, the text says “ticket”.',
  'The earlier notes speak to the reader; this one speaks of “the user”.',
  'Line 20: the sentence has 41 words.',
  'The last paragraph says again what the first one says.',
];

const reviewed = () =>
  spawn(
    'done',
    { task_type: 'review', prompt: REVIEW, agentId: 'dev' },
    {
      durationMs: 48_200,
      result: {
        ok: true,
        end: 'completed',
        steps: 6,
        report: {
          summary:
            'The story can be understood, though it takes long. Seven places stop a reader who does not write code.',
          findings,
          patches: [
            'Say “the exported file” in place of “payload”.',
            '--- a/story.md\n+++ b/story.md\n@@ -7,1 +7,2 @@\n-I want to export invoices and see who may read them.\n+I want to export invoices.\n+I want to see who may read them.',
          ],
        },
      },
    },
  );

const verified = () =>
  spawn(
    'verified',
    { task_type: 'verify', prompt: `Verify that ${STORY} names a reader.` },
    {
      durationMs: 9400,
      result: {
        ok: true,
        end: 'completed',
        steps: 2,
        report: {
          summary: 'It names no reader.',
          findings: ['The first line begins with “As a user”.'],
          status: 'failed',
        },
      },
    },
  );

const edited = () =>
  spawn(
    'edited',
    {
      task_type: 'edit',
      prompt: 'Write the glossary, and shorten the story.',
      agentId: 'dev',
      allowed_paths: ['@project/artifacts/create-story'],
    },
    {
      state: 'handled',
      durationMs: 21_000,
      result: noReport('stopped', 4, 'stopped by the user', [
        '@project/artifacts/create-story/glossary.md',
        STORY,
      ]),
    },
  );

/** It is not remembered any more: what is known of it is in its result. */
const lost = () =>
  spawn(
    'lost',
    { task_type: 'edit', prompt: 'Translate the glossary.', agentId: 'sm' },
    {
      state: 'handled',
      durationMs: 1200,
      result: noReport('failed', 1, 'the model server answered 503'),
    },
  );

const fact = (
  seq: number,
  by: string | null,
  more: Partial<FactRecord> & Pick<FactRecord, 'kind'>,
) =>
  ({
    seq,
    at: at(seq),
    turn: 4,
    callId: by,
    runId: 'r-3',
    agentPath: by === null ? [] : ['dev'],
    ...more,
  }) satisfies FactRecord;

const over = (middle: Item[]): Scene => ({
  items: [
    ...middle,
    lost(),
    reviewed(),
    verified(),
    edited(),
    says('The review is in, and one of us was stopped. Shall I shorten the story myself?'),
  ],
  facts: [
    fact(1, null, { kind: 'file_written', path: STORY }),
    fact(2, 'sub-done', { kind: 'subagent_started' }),
    fact(3, 'sub-done', { kind: 'file_read', path: STORY }),
    fact(4, 'sub-done', { kind: 'subagent_completed', outcome: 'completed' }),
    {
      ...fact(5, 'sub-verified', { kind: 'verification', outcome: 'failed', scope: 'subagent' }),
      agentPath: ['sm'],
    },
    fact(6, 'sub-edited', {
      kind: 'file_written',
      path: '@project/artifacts/create-story/glossary.md',
    }),
    fact(7, 'sub-edited', { kind: 'subagent_failed', outcome: 'stopped' }),
  ],
  obligations: [
    { kind: 'failed_subagent', callId: 'sub-edited' },
    { kind: 'failed_subagent', callId: 'sub-lost' },
    { kind: 'missing_report' },
  ],
  status: status(
    'waiting-user',
    2,
    {
      subagents: [
        view('done', { steps: 6, end: 'completed' }),
        view('verified', {
          agentId: 'sm',
          taskType: 'verify',
          steps: 2,
          end: 'completed',
          verdict: 'failed',
        }),
        view('edited', { taskType: 'edit', steps: 4, end: 'stopped' }),
      ],
    },
    'answered',
  ),
});

/** Those that asked. `middle` is how each begins. */
export const delegating = (middle: () => Item[]): Record<string, () => Scene> => ({
  subagents: () => over(middle()),
  'subagents-work': () => atWork(middle()),
});

/** Where a sub-agent's own conversation stands: it has no run. */
const ofTask = (items: Item[]): Scene => ({
  items: [notice('task_started'), says(REVIEW), ...items],
  status: status('idle', 0, { run: null, steps: [] }),
});

const steps = () => [
  says('I read the story first, then the three notes.', { agent: 'dev' }),
  call('fs.read', STORY, { durationMs: 3 }),
  call('fs.glob', '@project/docs', { durationMs: 5 }),
];

const reports = () =>
  call('agent.report', undefined, {
    class: 'session',
    args: { summary: 'The story can be understood.', findings },
    result: { ok: true, taken: true },
  });

/** The conversation of a sub-agent, when it is one: at its end, or at work. */
export function taskScene(conversationId: string): Scene | null {
  if (!isTask(conversationId)) return null;
  if (conversationId === 'task-done') {
    return ofTask([...steps(), reports(), notice('completed')]);
  }
  const reading = call('fs.read', '@project/docs/release-notes.md', working);
  return ofTask(conversationId === 'task-review' ? [...steps(), reading] : []);
}

/** Whether a conversation is that of a sub-agent. */
export const isTask = (conversationId: string): boolean => conversationId.startsWith('task-');

/** What is sent when a person stops one: to its own conversation, and to the one that asked. */
export function stopTask(parent: Scene, conversationId: string): { own: Frame[]; asked: Frame[] } {
  const { subagents = [] } = parent.status;
  const stopped = subagents.find((one) => one.conversationId === conversationId);
  if (!stopped || stopped.end !== undefined) {
    return refuse('NOT_NOW', "the sub-agent's work is over");
  }
  const frames: Frame[] = parent.items.flatMap((made) => {
    const { body } = made;
    if (body.type !== 'call' || body.callId !== stopped.callId) return [];
    const result = noReport('stopped', stopped.steps, 'stopped by the user');
    return [{ type: 'upsert', item: { ...made, body: { ...body, state: 'handled', result } } }];
  });
  const now = subagents.map(({ doing, ...one }) =>
    one.callId === stopped.callId ? { ...one, end: 'stopped' as const } : { ...one, doing },
  );
  const own = item({ type: 'notice', kind: 'stopped', canResume: true });
  return {
    own: [{ type: 'upsert', item: own }],
    asked: [...frames, { type: 'status', status: { ...parent.status, subagents: now } }],
  };
}
