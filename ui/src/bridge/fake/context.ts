// Conversations that are long for their model: how full it is, what was shortened, what does not fit.
import type { ContextUsage, Frame } from '../wire';
import { notice, opening, type Scene, says, status } from './pieces';

const BUDGET = 32_768;

const usage = (used: number, status: ContextUsage['status']): ContextUsage => ({
  used,
  estimated: true,
  budget: BUDGET,
  status,
});

const phrase = (key: string, values: Record<string, string> = {}) => ({ key, values });

const shorter = (before: number, after: number) =>
  notice('compacted', {
    parts: [phrase('context_shortened', { before: `${before}`, after: `${after}` })],
  });

export const contextScenes: Record<string, () => Scene> = {
  'context-long': () => ({
    items: [
      ...opening(),
      shorter(27_180, 15_420),
      says('I go on with the second question. Who reads the notes first?'),
    ],
    status: status('waiting-user', 2, { context: usage(21_940, 'warning') }, 'answered'),
  }),
  'context-counted': () => ({
    items: opening(),
    status: status('waiting-user', 2, {
      context: { ...usage(21_940, 'warning'), estimated: false },
    }),
  }),
  'context-steps-too-long': () => ({
    items: opening(),
    status: status('waiting-user', 2, {
      context: {
        ...usage(5_120, 'warning'),
        budget: 8_192,
        tooLong: [
          { nodeId: 'write', tokens: 6_240, room: 3_710 },
          { nodeId: 'check', tokens: 4_015, room: 3_710 },
        ],
      },
    }),
  }),
  'context-compressing': () => ({
    items: opening(),
    status: status('running', 2, { context: usage(27_180, 'compressing') }),
  }),
  'context-too-long': () => ({
    items: [
      ...opening(),
      notice('model_error', {
        failure: {
          code: 'CONTEXT_STILL_TOO_LARGE',
          message:
            "the request needs about 34120 tokens and its answer 512 more, the model's context has 32768",
          said: phrase('no_room_to_answer', { used: '34120', answer: '512', budget: '32768' }),
        },
        canResume: true,
      }),
    ],
    status: status('waiting-user', 2, { context: usage(34_120, 'critical') }, 'failed'),
  }),
};

/** What a conversation shows after it was made shorter by hand. */
export function shortened(_: Scene, how: 'compact' | 'startAfresh'): Frame[] {
  const after = how === 'compact' ? 12_300 : 6_100;
  const item =
    how === 'compact'
      ? shorter(21_940, after)
      : notice('compacted', { parts: [phrase('goes_on_afresh')] });
  return [
    { type: 'upsert', item },
    {
      type: 'status',
      status: status('waiting-user', 2, { context: usage(after, 'normal') }, 'answered'),
    },
  ];
}
