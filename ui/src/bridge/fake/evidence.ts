// What was judged in a recorded run, and what its person answered.
import type {
  Approval,
  ChangeView,
  EvidenceView,
  GivenAnswer,
  Item,
  JudgementRecord,
} from '../wire';
import { approval, approvalChange } from './approval';
import { at } from './data';
import { call, item, type Scene, says, status } from './pieces';

type Question = Extract<Item['body'], { type: 'question' }>;

/** The judgements that stand in the conversation itself. */
const shownIn = ({ items }: Scene): JudgementRecord[] =>
  items.flatMap(({ id, seq, at, body }) =>
    body.type === 'decision'
      ? [{ seq, at, item: id, decision: body.decision, overruled: body.overruled }]
      : [],
  );

/** The questions of the conversation that were answered. */
const answeredIn = ({ items }: Scene): GivenAnswer[] =>
  items.flatMap(({ id, seq, at, body }) => {
    if (body.type !== 'question' || body.answer === undefined) return [];
    const { widget, answer } = body;
    const change = body.change && { ...body.change, diff: '' };
    return [{ seq, at, item: id, widget, answer, ...(change ? { change } : {}) }];
  });

/** What is known of a scene, the newest first. */
export function evidenceOf(scene: Scene): EvidenceView {
  const judgements = [...(scene.judged ?? []), ...shownIn(scene)].reverse();
  return {
    judgements: judgements.toSorted((one, other) => other.at.localeCompare(one.at)),
    earlierJudgements: scene.judged ? 12 : 0,
    answers: answeredIn(scene).reverse(),
    earlierAnswers: 0,
  };
}

/** A judgement with which words stood. */
const accepted = (minutes: number, item: string): JudgementRecord => ({
  seq: minutes,
  at: at(minutes),
  item,
  decision: {
    status: 'accepted',
    stop_reason: 'accepted',
    user_summary: 'Waiting for you.',
    said: { key: 'waiting_for_you', values: {} },
    task_kind: 'read_only',
  },
});

const asked = (id: string, body: Omit<Question, 'type' | 'unbound' | 'closed'>) =>
  item({ type: 'question', unbound: false, closed: false, ...body }, id);

const GONE = { ...approvalChange, id: 'ch-3', callId: 'call-delete', tool: 'fs.delete' };

const BACK: ChangeView = {
  ...approvalChange,
  id: 'ch-4',
  tool: 'workflow.rewind',
  path: '@state/workflow.md',
  effect: 'back',
  backTo: 'Gather the idea',
  summary: '',
  parts: [],
};
delete BACK.callId;

const nobody: Approval = {
  at: '',
  changeId: null,
  confirmed: false,
  bound: true,
  unseen: false,
  whole: false,
  tool: null,
  path: null,
  summary: null,
  parts: [],
  diffSha256: null,
  folder: null,
  spentBy: null,
  calls: [],
  revokedAt: null,
};

/** A change that was shown, and what became of the answer. */
const approvalOf = (
  { id, tool, path }: Pick<typeof approvalChange, 'id' | 'tool' | 'path'>,
  more: Partial<Approval>,
): Approval => ({
  ...nobody,
  changeId: id,
  tool,
  path,
  diffSha256: 'c1f0a9d27b8e4d35a6f1e2c3b4a5968778695a4b3c2d1e0f99887766554433aa',
  ...more,
});

/** Makes a run with everything that can be known of one out of one in which something is missing. */
export function withEvidence(known: Scene): Scene {
  const folder = '@project/docs';
  const used = call('fs.write', `${folder}/release-notes.md`, {
    callId: 'call-approval',
    class: 'write_project',
  });
  const questions = [
    asked('w-reader', {
      widget: {
        widgetId: 'reader',
        type: 'selection',
        message: 'Who is to read the **story** first?',
        options: [
          { value: 'sales', label: 'Somebody in sales' },
          { value: 'support', label: 'Somebody in support' },
        ],
      },
      answer: 'sales',
    }),
    asked('w-write', {
      widget: approval,
      change: approvalChange,
      answer: { confirmed: true, forFolder: true },
    }),
    used,
    asked('w-delete', {
      widget: { ...approval, changeId: GONE.id, grant: undefined },
      change: { ...GONE, path: '@project/config.yaml', effect: 'gone', summary: '', parts: [] },
      answer: { confirmed: false, instead: 'Keep it, and only take the old key out.' },
    }),
    asked('w-back', {
      widget: {
        widgetId: 'workflow_state_change_confirm',
        type: 'confirmation',
        message: 'Go back to the first step?',
        changeId: BACK.id,
      },
      change: BACK,
      answer: { confirmed: true },
    }),
  ];
  const last = says('The three earlier notes are read.');
  const items = [...known.items.slice(0, -2), ...questions, last, ...known.items.slice(-2)];
  return {
    ...known,
    items,
    judged: [accepted(2, 'm-not-there'), accepted(5, last.id)],
    approvals: [
      approvalOf(approvalChange, {
        confirmed: true,
        folder,
        spentBy: 'call-approval',
        calls: ['call-approval', 'call-later'],
        revokedAt: at(90),
      }),
      approvalOf({ ...GONE, path: '@project/config.yaml' }, {}),
      approvalOf(BACK, { confirmed: true, tool: 'workflow.rewind' }),
    ],
    status: status('waiting-user', 2, { todos: known.status.todos }, 'not_accepted'),
  };
}
