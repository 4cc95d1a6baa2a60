// One recorded item of every kind, also of those that no whole conversation shows.
import type {
  CallState,
  ChangeEffect,
  ChangeView,
  Decision,
  DecisionStatus,
  HookStatus,
  Item,
  NoticeKind,
  TaskEnd,
} from '../wire';
import { approvalChange, newText } from './approval';
import { call, item, notice, opening, type Scene, status } from './pieces';
import { rewind } from './rewind';
import { change } from './widgets';

const STORY = '@project/artifacts/create-story/story.md';

const phrase = (key: string, values: Record<string, string> = {}) => ({ key, values });

type NoticeBody = Extract<Item['body'], { type: 'notice' }>;

/** What each notice says beside its kind. */
const noticeParts: Record<NoticeKind, Partial<NoticeBody>> = {
  started: {},
  task_started: {},
  completed: {},
  model_error: {
    failure: {
      code: 'LLM_UNREACHABLE',
      message: 'no connection to 127.0.0.1:11434 in time',
      said: phrase('no_connection', { host: '127.0.0.1:11434' }),
    },
    canResume: true,
  },
  demo_over: { canResume: true },
  model_switched: {},
  stopped: { canResume: true },
  interrupted: { canResume: true },
  limit: {
    failure: {
      code: 'ENGINE_MAX_TURNS_EXCEEDED',
      message: 'the model was asked 50 times without coming to an end',
      said: phrase('asked_too_often', { limit: '50' }),
    },
    canResume: true,
  },
  state_adopted: {},
  state_rejected: {
    failure: {
      code: 'E_INVALID_TRANSITION',
      message: 'the run cannot go back to draft',
      said: phrase('no_way_back_to', { node: 'draft' }),
    },
  },
  store_error: {
    failure: { code: 'STORE_WRITE_FAILED', message: 'No space is left on the disk.' },
    canResume: true,
  },
  imported: {},
  unchanged: { parts: [phrase('not_gone_back_unconfirmed')] },
  order_kept: { parts: [phrase('no_such_move')] },
  ended: { parts: [phrase('ended_because', { reason: 'The sprint is over.' })] },
  foreign_change: { parts: [phrase('others_changed', { path: STORY })] },
  put_back: { parts: [phrase('back_again', { path: STORY })] },
  not_put_back: {
    failure: {
      code: 'E_PRECONDITION_FAILED',
      message: `the program ended before ${STORY} was put back; nothing was changed`,
      said: phrase('not_put_back', { path: STORY }),
    },
  },
  went_back: {
    parts: [
      phrase('went_back_to', { title: 'Gather the idea' }),
      phrase('back_as_then', { path: STORY }),
      phrase('gone_as_then', { path: '@project/docs/audience.md' }),
    ],
    canResume: true,
  },
  not_went_back: {
    failure: {
      code: 'E_PRECONDITION_FAILED',
      message: 'the program ended before the run was taken back; nothing was changed',
      said: phrase('not_gone_back_to', { title: 'Gather the idea' }),
    },
  },
  agent_chosen: { parts: [phrase('talks_with', { agent: 'Mia' })] },
  chat_chosen: { parts: [phrase('talks_with_the_model')] },
  run_chosen: { parts: [phrase('goes_on_with_the_run')] },
  skill_began: {
    parts: [
      phrase('skill_begins', { name: 'pdf', place: '~/.claude/skills/pdf' }),
      phrase('has_script', { first: 'scripts/fill_form.py' }),
    ],
  },
  skill_ended: { parts: [phrase('skill_ends_by_you', { name: 'pdf' })] },
  compacted: { parts: [phrase('context_shortened', { before: '27180', after: '15420' })] },
};

/** A conversation that ends with a notice of that kind. */
export const noticeOf = (kind: NoticeKind): Scene => {
  const isDone = kind === 'completed';
  return {
    items: [...opening(), notice(kind, noticeParts[kind])],
    status: isDone
      ? status('completed', 5, {}, 'completed')
      : status('waiting-user', 2, {}, 'stopped'),
  };
};

/** The run was taken back, and that can be undone. */
export function undoable(): Scene {
  const undo = { nodeId: 'check', title: 'Check the checklist' };
  return { ...noticeOf('went_back'), status: status('waiting-user', 0, { undo }, 'went_back') };
}

/** Every kind of notice. */
export const noticeKinds = Object.keys(noticeParts) as NoticeKind[];

const error = (code: string, message: string) => ({ ok: false, error: { code, message } });

/** What a call came to. */
const outcomes: Record<CallState, Parameters<typeof call>[2]> = {
  running: { result: undefined, durationMs: 0 },
  waiting: { result: undefined, durationMs: 0, diff: approvalChange.diff },
  done: {},
  asked: {
    result: error('STATE_CHANGE_REQUIRES_CONFIRMATION', 'Ask the user to confirm the change.'),
  },
  refused: { result: error('USER_REFUSED', 'The user did not allow this call.') },
  missing: { result: error('ENOENT', 'There is no such file.') },
  handled: { result: error('E_SANDBOX_VIOLATION', 'The path leaves @project/artifacts.') },
  failed: { result: error('STORE_WRITE_FAILED', 'No space is left on the disk.') },
  inDoubt: { result: undefined, durationMs: 0 },
};

/** A call for each of them. One that is done has changed nothing, so that it stays a line. */
export const callStates = Object.fromEntries(
  Object.entries(outcomes).map(([state, more]) => [
    state,
    call('fs.write', STORY, {
      ...more,
      state: state as CallState,
      class: state === 'done' ? 'session' : 'write_project',
    }),
  ]),
) as Record<CallState, Item>;

/** What a run did to a file, as calls. */
export const fileCalls = {
  created: call('fs.write', STORY, {
    details: { created: true, lines: { added: 23, removed: 0 } },
  }),
  changed: call('fs.apply_patch', '@project/README.md', {
    class: 'write_project',
    details: { lines: { added: 4, removed: 2 } },
    diff: approvalChange.diff,
  }),
  deleted: call('fs.delete', '@project/docs/config.yaml', { class: 'write_project' }),
  moved: call('fs.move', '@project/notes.md', {
    class: 'write_project',
    args: { from: '@project/notes.md', to: '@project/docs/notes.md' },
    details: { to: '@project/docs/notes.md' },
  }),
};

type Judged = Pick<Decision, 'stop_reason' | 'said'>;

const missing = [phrase('output_missing', { path: STORY, node: 'write' })];

const judgements: Record<DecisionStatus, Judged> = {
  accepted: { stop_reason: 'accepted', said: phrase('complete') },
  continue: { stop_reason: 'missing_output', said: { key: 'goes_on', values: { missing } } },
  blocked: {
    stop_reason: 'needs_user',
    said: {
      key: 'needs_you',
      values: { why: [phrase('step_waits_for_you', { node: 'write' })] },
    },
  },
  incomplete: {
    stop_reason: 'no_progress_after_final_intercept',
    said: { key: 'no_progress', values: { missing } },
  },
  failed: {
    stop_reason: 'repeated_failure',
    said: {
      key: 'cannot_be_done',
      values: { why: [phrase('failed_often', { path: STORY, code: 'EACCES', times: '3' })] },
    },
  },
  unrecognised: { stop_reason: 'unrecognised', said: undefined },
};

/** A conversation that rests with that judgement. */
export function judgedAs(decided: DecisionStatus, overruled = false): Scene {
  const stands = decided === 'accepted' || decided === 'blocked';
  const isOpen = decided === 'incomplete' || decided === 'failed';
  const judged = item({
    type: 'decision',
    decision: {
      status: decided,
      ...judgements[decided],
      user_summary: 'The reviewer has not looked at the story yet.',
      missing_facts: stands ? [] : [{ kind: 'file_exists', target: STORY, node: 'write' }],
      required_next_actions: stands ? [] : [{ tool: 'fs_write', args: { path: STORY } }],
      obligations: [],
      task_kind: 'workspace_write',
    },
    ...(stands ? {} : { rejected: 'The story is **written and checked**.' }),
    overruled,
  });
  const reason = isOpen && !overruled ? 'not_accepted' : 'answered';
  return { items: [...opening(), judged], status: status('waiting-user', 2, {}, reason) };
}

/** Every status of a judgement. */
export const decisionKinds = Object.keys(judgements) as DecisionStatus[];

type HookBody = Extract<Item['body'], { type: 'hook' }>;

const hookParts: Record<HookStatus, Partial<HookBody>> = {
  passed: {},
  blocked: { output: 'test story::has_a_heading ... FAILED' },
  warned: { point: 'run_start', output: 'no network' },
  unanswered: {
    failure: {
      code: 'E_HOOK_FAILED',
      message: 'the command of the hook `tests` did not end within 600 s; it was ended',
      said: phrase('hook_took_too_long', { name: 'tests', seconds: '600' }),
    },
  },
  unrecognised: {},
};

/** A command of the person that came to each of them. */
export const hookStates = Object.fromEntries(
  Object.entries(hookParts).map(([state, more]) => [
    state,
    {
      type: 'hook',
      name: 'tests',
      point: 'accept_gate',
      status: state as HookStatus,
      durationMs: 4200,
      ...more,
    } satisfies HookBody,
  ]),
) as Record<HookStatus, HookBody>;

/** A change of each kind that waits for the person. */
export const askedChanges: Record<ChangeEffect, ChangeView> = {
  made: newText,
  changed: approvalChange,
  moved: {
    ...approvalChange,
    tool: 'fs.move',
    effect: 'moved',
    summary: 'moves it to @project/docs/notes.md',
    path: '@project/notes.md',
    parts: [phrase('moves', { to: '@project/docs/notes.md' })],
    diff: '@@ -1,2 +1,2 @@\n # Notes\n What sales said.\n',
  },
  gone: {
    ...approvalChange,
    tool: 'fs.delete',
    effect: 'gone',
    path: '@project/docs/config.yaml',
    summary: 'deletes it',
    parts: [phrase('lines', { added: '0', removed: '2' })],
    diff: '@@ -1,2 +1,2 @@\n audience: sales\n tone: plain\n',
  },
  back: { ...change, ...rewind },
};

/** A sub-agent that ended in each way. */
const taskEnds: Record<TaskEnd, string> = {
  completed: 'It can be understood, though it takes long.',
  stopped: 'stopped by the user',
  timed_out: 'it worked for 600 s',
  max_steps: 'it took all of its 20 steps',
  no_report: 'it ended without a report',
  failed: 'the model did not answer',
  unrecognised: 'it ended in a way that a newer program knows',
};

/** Every way in which a sub-agent can end. */
export const taskEndings = Object.keys(taskEnds) as TaskEnd[];

/** A conversation with a sub-agent that ended so. */
export function delegated(end: TaskEnd): Scene {
  const callId = `sub-${end}`;
  const result =
    end === 'completed'
      ? {
          ok: true,
          end,
          steps: 6,
          report: { summary: taskEnds[end], findings: ['Line 3: nobody says “payload”.'] },
        }
      : {
          ok: false,
          error: {
            code: 'E_SUBAGENT_FAILED',
            message: `the sub-agent ended without a report (${end}): ${taskEnds[end]}`,
            details: { end, steps: 4, changed: [STORY] },
          },
        };
  const spawn = call('agent.spawn', undefined, {
    callId,
    class: 'delegate',
    args: { task_type: 'review', prompt: `Read ${STORY}.`, agentId: 'dev' },
    state: end === 'completed' ? 'done' : 'handled',
    durationMs: 21_000,
    result,
  });
  const ended = {
    callId,
    conversationId: `task-${end}`,
    agentId: 'dev',
    taskType: 'review' as const,
    steps: 4,
    end,
  };
  return {
    items: [spawn],
    status: status('waiting-user', 2, { subagents: [ended] }, 'answered'),
  };
}
