// Recorded conversations, one a state that must be seen: what `watch` sends first.
import type { CallState, Item, StepView, Widget } from '../wire';
import { acceptance, hooked } from './acceptance';
import { approval, approvalChange, newText, twoPlaces } from './approval';
import { contextScenes } from './context';
import { at } from './data';
import { ends } from './ends';
import { given } from './given';
import { hostile } from './hostile';
import { nested } from './nested';
import {
  asking,
  call,
  item,
  notice,
  opening,
  type Scene,
  STATE_DIFF,
  says,
  status,
  step,
  user,
} from './pieces';
import { rewind, rewindResult } from './rewind';
import { serverScenes } from './server-scenes';
import { skillScenes } from './skill-scenes';
import { delegating } from './subagents';
import { talkScenes } from './talks';
import { cutScenes } from './whole';
import { change, widgets } from './widgets';

const middle = (): Item[] => [
  ...opening(),
  user('Mostly people in sales and support.'),
  call('fs.apply_patch', '@state/workflow.md', {
    class: 'write_state',
    durationMs: 12,
    diff: STATE_DIFF,
    args: { path: '@state/workflow.md', patch: '@@ …' },
  }),
  step('size'),
  call('fs.write', '@project/artifacts/create-story/../../secrets.md', {
    state: 'handled',
    durationMs: 1,
    result: {
      ok: false,
      error: {
        code: 'E_SANDBOX_VIOLATION',
        message: 'The path leaves @project/artifacts. Write below it.',
      },
    },
  }),
];

const values: Record<string, unknown> = {
  form: { title: 'Release notes people read', audience: 'support', points: 5, urgent: true },
  selection: ['highlights', 'changes'],
  confirmation: { confirmed: true },
  plan_review: { decision: 'request_changes', feedback: 'Let sales read them too.' },
  feedback: { a: 'Clear at once.', b: '' },
  action_selection: 'revise',
};

const failure = (kind: 'model_error' | 'limit') =>
  kind === 'model_error'
    ? {
        code: 'LLM_UNREACHABLE' as const,
        message: 'http://127.0.0.1:11434/v1 refused the connection.',
      }
    : {
        code: 'ENGINE_MAX_TURNS_EXCEEDED' as const,
        message: 'the model was asked 50 times without coming to an end',
        said: { key: 'asked_too_often', values: { limit: '50' } },
      };

const done = (): Item[] => [
  ...middle(),
  step('write'),
  call('fs.write', '@project/artifacts/create-story/story.md', {
    durationMs: 6,
    args: {
      path: '@project/artifacts/create-story/story.md',
      content:
        '# Release notes people read\n\nAs a colleague in support\nI want to know what changed for me\n',
    },
    details: { created: true, lines: { added: 4, removed: 0 } },
    result: { ok: true, bytes: 96 },
  }),
  step('end'),
  says(
    'The story is written and checked. You find it in `artifacts/create-story/story.md`.\n\n> As a colleague in support I want to know what changed for me.',
  ),
  notice('completed'),
];

function many(length: number): Scene {
  const items = Array.from({ length }, (_, n) =>
    n % 4 === 0
      ? user(`Question ${n}`)
      : n % 4 === 3
        ? says(
            `Answer **${n}**, with a few words more so that the lines differ. ${'So it goes on. '.repeat(n % 7)}`,
          )
        : call('fs.read', `@project/file-${n}.md`),
  );
  return { items, status: status('waiting-user', 2, {}, 'answered') };
}

/** A run that went one of two ways, and rests after it. */
function branched(): Scene {
  const now = status('waiting-user', 3, {}, 'answered');
  const [gather, size, ...rest] = now.steps;
  const split: StepView = { id: 'split', title: 'Cut the story', type: 'step', status: 'skipped' };
  const steps = [gather, size, rest[0], split, ...rest.slice(1)].filter((step) => step != null);
  return {
    items: [...middle(), step('write'), says('It is written.'), step('check')],
    status: { ...now, steps },
  };
}

/** The recorded conversations by the name `?fake=` takes. */
export const scenes: Record<string, () => Scene> = {
  ...contextScenes,
  running: () => ({
    items: [
      ...middle(),
      says(
        'Thank you. That makes the **second question** easier: the story is small enough if it covers only the',
        { streaming: true, thinking: 'Sales and support read for different reasons.' },
      ),
    ],
    status: status('running', 1),
  }),
  tool: () => ({
    items: [
      ...middle(),
      call('fs.write', '@project/artifacts/create-story/story.md', {
        state: 'running',
        durationMs: 0,
        result: undefined,
      }),
    ],
    status: status('running', 2),
  }),
  log: () => ({ items: done(), status: status('completed', 5, {}, 'completed') }),
  edited: () => ({
    items: middle(),
    status: status('waiting-user', 2, { stateEdit: {} }, 'answered'),
  }),
  'edit-refused': () => ({
    items: middle(),
    status: status(
      'waiting-user',
      2,
      {
        stateEdit: {
          refused: {
            code: 'E_INVALID_TRANSITION',
            message: 'currentNodeId `draft` is no node of the graph',
          },
        },
      },
      'answered',
    ),
  }),
  completed: () => ({ items: done(), status: status('completed', 5, {}, 'completed') }),
  graph: branched,
  nested,
  ...given(middle),
  ...ends(done, user),
  ...acceptance(middle),
  ...hooked(middle),
  ...delegating(middle),
  ...serverScenes(middle),
  ...skillScenes(middle),
  ...talkScenes,
  ...hostile(),
  ...cutScenes(),
  error: () => ({
    items: [
      ...middle(),
      notice('model_error', { failure: failure('model_error'), canResume: true }),
    ],
    status: status('waiting-user', 1, {}, 'failed'),
  }),
  limit: () => ({
    items: [...middle(), notice('limit', { failure: failure('limit'), canResume: true })],
    status: status('waiting-user', 1, {}, 'limit'),
  }),
  stopped: () => ({
    items: [
      ...middle(),
      says('I was about to', { cut: true }),
      notice('stopped', { canResume: true }),
    ],
    status: status('waiting-user', 1, {}, 'stopped'),
  }),
  interrupted: () => ({
    items: [
      ...middle(),
      call('fs.write', '@project/artifacts/draft.md', { state: 'inDoubt' }),
      notice('interrupted', { canResume: true }),
    ],
    status: status('waiting-user', 2, {}, 'interrupted'),
  }),
  retrying: () => ({
    items: middle(),
    status: status('running', 1, {
      retry: {
        failure: { code: 'LLM_RATE_LIMITED', message: 'The server answered 429.' },
        attempt: 2,
        inMs: 4000,
      },
    }),
  }),
  links: () => ({
    items: [
      says(
        'See [the manual](https://example.org/manual) and ![a chart](https://example.org/chart.png?who=me).',
      ),
    ],
    status: status('waiting-user', 1, {}, 'answered'),
  }),
  answered: () => {
    const items = Object.entries(widgets).map(([type, widget]) =>
      item({
        type: 'question',
        widget,
        unbound: false,
        closed: false,
        answer: values[type],
        ...(type === 'confirmation' ? { change } : {}),
      }),
    );
    return { items, status: status('waiting-user', 3, {}, 'answered') };
  },
  unbound: () =>
    asking({ ...(widgets.confirmation as Widget), changeId: undefined }, { unbound: true }),
  confirmation: () => asking(widgets.confirmation as Widget, { change }),
  rewind: () => asking(widgets.confirmation as Widget, { change: { ...change, ...rewind } }),
  rewound: () => {
    const went = call('workflow.rewind', '@state/workflow.md', { result: rewindResult });
    return { items: [...middle(), went], status: status('waiting-user', 1, {}, 'answered') };
  },
  'long-diff': () => {
    const lines = Array.from(
      { length: 120 },
      (_, n) => `+${n + 1}. What changed for you, line ${n + 1}.`,
    );
    const diff = `--- a\n+++ b\n@@ -1,1 +1,120 @@\n${lines.join('\n')}\n`;
    const parts = [{ key: 'lines' as const, values: { added: '120', removed: '0' } }];
    return asking(approval, { change: { ...approvalChange, diff, parts, summary: '+120 lines' } });
  },
  'two-places': () => asking(approval, { change: twoPlaces }),
  'new-text': () => asking(approval, { change: newText }),
  approval: () => {
    const scene = asking(approval, { change: approvalChange });
    const waits = call('fs.write', approvalChange.path, {
      callId: 'call-approval',
      state: 'waiting',
      durationMs: 0,
      result: undefined,
      diff: approvalChange.diff,
    });
    scene.items.splice(-1, 0, waits);
    const grant = { changeId: 'ch-0', tool: 'fs.apply_patch', folder: '@project/docs', at: at(1) };
    return { ...scene, status: { ...scene.status, grants: [grant] } };
  },
  refused: () => {
    const scene = asking(approval, { change: approvalChange, answer: { confirmed: false } });
    const refusedCall = (state: CallState, code: string, path: string) =>
      call('fs.write', path, {
        state,
        durationMs: 1,
        result: { ok: false, error: { code, message: 'The user did not allow this call.' } },
        diff: approvalChange.diff,
      });
    const items = [
      ...scene.items,
      refusedCall('refused', 'USER_REFUSED', approvalChange.path),
      refusedCall('asked', 'STATE_CHANGE_REQUIRES_CONFIRMATION', '@state/workflow.md'),
      refusedCall('missing', 'ENOENT', '@project/docs/old.md'),
      says('The note is written, and we are back at the first step.'),
      notice('unchanged', {
        parts: [
          { key: 'not_changed_refused', values: { path: approvalChange.path } },
          { key: 'not_gone_back_unconfirmed', values: {} },
        ],
      }),
    ];
    return { items, status: status('waiting-user', 1, {}, 'answered') };
  },
  long: () => many(10_000),
  paged: () => ({ ...many(350), pageSize: 100 }),
  'many-waiting': () => asking(widgets.form as Widget),
  'paged-short': () => ({ ...many(40), pageSize: 5 }),
  ...Object.fromEntries(
    Object.entries(widgets)
      .filter(([type]) => type !== 'confirmation')
      .map(([type, widget]) => [type, () => asking(widget)]),
  ),
};
