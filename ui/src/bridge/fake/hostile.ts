// Conversations whose model or project chose names to mislead, to break or to fill the window.
import { asking, type Scene } from './scenes';

/** These scenes, by name. */
export const hostile = (): Record<'odd-names', () => Scene> => ({
  'odd-names': () =>
    asking({
      widgetId: 'w1',
      type: 'form',
      message: 'Two names, please.',
      schema: {
        type: 'object',
        required: ['title'],
        properties: Object.fromEntries(
          ['title', 'constructor', 'toString', '__proto__'].map((name) => [
            name,
            { type: 'string' },
          ]),
        ),
      },
    }),
});
