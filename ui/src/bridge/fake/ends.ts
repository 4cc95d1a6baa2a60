// Conversations that stand because of their model: a demo that has been played, a refused key.
import type { Item } from '../wire';
import { item, type Scene, status } from './pieces';

/** These scenes, by name. `done` is a whole conversation, `user` the person's words. */
export const ends = (
  done: () => Item[],
  user: (text: string) => Item,
): Record<'demo-end' | 'no-key', () => Scene> => ({
  'demo-end': () => {
    const ended = status('completed', 5, {}, 'completed');
    return {
      items: done(),
      status: { ...ended, run: ended.run && { ...ended.run, demo: true } },
    };
  },
  'no-key': () => ({
    items: [
      user('Write the story about the invoice export.'),
      {
        ...item({
          type: 'notice',
          kind: 'model_error',
          failure: {
            code: 'LLM_AUTH_FAILED',
            message: 'api.deepseek.com answered 401',
            said: { key: 'answered', values: { host: 'api.deepseek.com', status: '401' } },
            action: 'Check the API key in the settings.',
            advice: { key: 'check_key', values: {} },
          },
          canResume: true,
        }),
        // Later than this window: nothing was changed since.
        at: '2100-01-01T00:00:00.000Z',
      },
    ],
    status: status('waiting-user', 1, {}, 'failed'),
  }),
});
