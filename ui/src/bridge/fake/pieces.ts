// What recorded conversations are made of.
import type {
  Approval,
  EffectClass,
  FactRecord,
  FileGiven,
  Frame,
  Item,
  ItemBody,
  ItemPage,
  JudgementRecord,
  Obligation,
  Phase,
  Progress,
  Reason,
  RewindPreview,
  Status,
  StepStatus,
  Todo,
  TodoSummary,
  Widget,
} from '../wire';
import { at, packages, storySteps } from './data';

/** A conversation as `whole` frames carry it. */
export interface Scene {
  items: Item[];
  status: Status;
  /** What is known of its run beside it; nothing when absent. */
  todos?: Todo[];
  facts?: FactRecord[];
  obligations?: Obligation[];
  approvals?: Approval[];
  /** Judgements that stand in no item of it. */
  judged?: JudgementRecord[];
  /** Where the run stood at each version of its state document; known from its steps when absent. */
  past?: Progress[];
  /** What it was before its run was last taken back to a step, and what became of files then. */
  before?: { status: Status; files: RewindPreview['files'] };
  /** How many items a page has; all of them when absent. */
  pageSize?: number;
}

let made = 0;
/** One item, with the next id. */
export const item = (body: ItemBody, id = `i-${++made}`): Item => ({
  id,
  seq: made,
  at: at(made),
  body,
});

export const user = (text: string, files: FileGiven[] = []) =>
  item({ type: 'message', by: 'user', text, streaming: false, cut: false, files });
export const says = (text: string, more: Partial<Extract<ItemBody, { type: 'message' }>> = {}) =>
  item({
    type: 'message',
    by: 'assistant',
    text,
    streaming: false,
    cut: false,
    agent: 'sm',
    ...more,
  });
type Call = Extract<ItemBody, { type: 'call' }>;
const CLASSES: Record<string, EffectClass> = {
  'fs.write': 'write_project',
  'workflow.rewind': 'write_state',
};

export const call = (tool: string, path: string | undefined, more: Partial<Call> = {}) => {
  const callId = more.callId ?? String(++made);
  const body: Call = {
    type: 'call',
    callId,
    tool,
    ...(path ? { path } : {}),
    class: CLASSES[tool] ?? 'read',
    args: path ? { path } : {},
    state: 'done',
    result: { ok: true },
    durationMs: 8,
    ...more,
  };
  return item(body, `call-${callId}`);
};
export const notice = (kind: Extract<ItemBody, { type: 'notice' }>['kind'], more = {}) =>
  item({ type: 'notice', kind, canResume: false, ...more });

/** How many of these todos there are, as the program counts them. */
export function summaryOf(todos: readonly Todo[]): TodoSummary {
  const required = todos.filter((todo) => todo.required && todo.status !== 'canceled');
  const count = (...statuses: Todo['status'][]) =>
    required.filter((todo) => statuses.includes(todo.status)).length;
  return {
    total: todos.length,
    required: required.length,
    completed: count('completed'),
    failed: count('failed'),
    open: count('pending', 'in_progress', 'blocked'),
    changes: todos.reduce((sum, todo) => sum + todo.revision, 0),
  };
}

/** The status of a run whose first `done` steps are completed. */
export function status(
  phase: Phase,
  done: number,
  more: Partial<Status> = {},
  reason: Reason | null = null,
): Status {
  const standing = (n: number): StepStatus =>
    n < done ? 'completed' : n === done ? 'current' : 'pending';
  return {
    seq: 40 + done,
    run: {
      runId: 'r-3',
      conversationId: 'c-current',
      packageId: packages[0]?.packageId ?? '',
      workflowId: 'create-story',
      activeAgentId: 'sm',
      phase,
      reason,
      demo: false,
    },
    steps: storySteps.map(({ id, title }, n) => ({
      id,
      title,
      type: id === 'size' ? 'decision' : id === 'end' ? 'end' : 'step',
      status: standing(n),
    })),
    waitingWidget: null,
    waitingWidgets: [],
    grants: [],
    usage: { promptTokens: 18_240 + done * 3100, completionTokens: 2210, estimated: true },
    usageByModel: [
      {
        model: 'gpt-4.1-2026-04-14',
        usage: { promptTokens: 18_240 + done * 3100, completionTokens: 2210, estimated: true },
      },
    ],
    todos: summaryOf([]),
    retry: null,
    ...more,
  };
}

export const STATE_DIFF = `--- before
+++ after
@@ -2,6 +2,8 @@
 workflow: create-story
-currentNodeId: gather
+currentNodeId: size
 stepsCompleted:
+  - gather
 variables:
-  audience: ""
+  audience: "new colleagues"
   priority: medium
`;

/** The run comes to a step. */
export const step = (node: string, afterCompleted = true) =>
  item({ type: 'step', node, afterCompleted });

export const opening = (): Item[] => [
  notice('started'),
  step('gather'),
  user('I want our release notes to be understood by people who are not engineers.'),
  call('fs.read', '@state/workflow.md', { durationMs: 3 }),
  call('fs.read', '@pkg/steps/step-01.md', {
    durationMs: 4,
    result: { ok: true, content: '# Gather the idea\n\nAsk who reads it and why.' },
  }),
  call('fs.search', '@project', {
    durationMs: 27,
    args: { path: '@project', pattern: 'release' },
    details: { looksFor: 'release', found: 3 },
  }),
  call('fs.glob', '@project', {
    durationMs: 6,
    args: { pattern: 'docs/**/*.md' },
    details: { looksFor: 'docs/**/*.md', found: 12 },
  }),
  call('fs.move', '@project/notes.md', {
    callId: 'moved',
    class: 'write_project',
    args: { from: '@project/notes.md', to: '@project/docs/notes.md' },
    details: { to: '@project/docs/notes.md' },
  }),
  call('fs.delete', '@project/draft.md', { class: 'write_project' }),
  says(
    'I have read the first step and looked through the project. There are **three earlier release notes**, and all of them begin with a list of ticket numbers.\n\n1. Readers do not learn *what changed for them*.\n2. The tone differs from file to file.\n\nBefore I go on, I need to know a little more.',
    {
      thinking:
        'The step asks for the audience first. The earlier notes in the folder show the style, so a search is worth it before asking.',
    },
  ),
];

/** A widget waiting at the end of a conversation, or answered in it. */
export function asking(
  widget: Widget,
  more: Partial<Extract<ItemBody, { type: 'question' }>> = {},
): Scene {
  const body: ItemBody = { type: 'question', widget, unbound: false, closed: false, ...more };
  const question = item(body, `w-${widget.type}`);
  const answered = more.answer !== undefined;
  const completed = widget.widgetId === 'workflow_state_change_confirm';
  return {
    items: [...opening(), question],
    status: status(
      answered ? 'running' : 'waiting-user',
      completed ? 5 : 1,
      {
        waitingWidget: answered ? null : question.id,
        waitingWidgets: answered ? [] : [question.id],
      },
      'widget',
    ),
  };
}

/** Keeps what frames say of a conversation. */
export function remember(scene: Scene, frames: Frame[]) {
  const put = (item: Item) => {
    const at = scene.items.findIndex((i) => i.id === item.id);
    if (at >= 0) scene.items[at] = item;
    else scene.items.push(item);
  };
  for (const frame of frames) {
    if (frame.type === 'status' || frame.type === 'snapshot') scene.status = frame.status;
    if (frame.type === 'upsert') put(frame.item);
    if (frame.type === 'snapshot') frame.items.forEach(put);
  }
}

/** The last page of a scene, or the one that ends at `before`. */
export function page(
  { items, pageSize = items.length }: Scene,
  before = Number.POSITIVE_INFINITY,
): ItemPage {
  const left = items.filter((i) => i.seq < before);
  const shown = left.slice(-pageSize);
  return { items: shown, earlier: left.length > pageSize ? (shown[0]?.seq ?? null) : null };
}

/** What watching a conversation begins with. */
export const whole = (scene: Scene): Frame => ({
  type: 'snapshot',
  ...page(scene),
  status: scene.status,
});

/** What is waited for after an answer: the other questions of the same reply, then the model. */
export function statusAfter(before: Status, messageId: string): Status {
  const left = before.waitingWidgets.filter((id) => id !== messageId);
  const [next] = left;
  if (next === undefined) return status('running', 2);
  return { ...before, waitingWidget: next, waitingWidgets: left };
}
