// The demo, played in the browser: the frames a real run of it would send, with its pauses.
import type { Frame, Item, MessageId, Widget } from '../wire';
import { asking, call, item, says, status } from './pieces';

const choice: Widget = {
  widgetId: 'tone',
  type: 'selection',
  message: 'How shall I greet?',
  multi: false,
  options: [
    { value: 'short', label: 'Short', description: 'One line.' },
    { value: 'warm', label: 'Warm', description: 'A few lines, with a wish.' },
  ],
};

/** One moment of the demo: wait, then send. */
export interface Beat {
  afterMs: number;
  frames: Frame[];
}

const put = (i: Item): Frame => ({ type: 'upsert', item: i });

function spoken(id: MessageId, text: string): Beat[] {
  const words = text.split(/(?<= )/);
  const growing = words.map(
    (word): Beat => ({
      afterMs: 40,
      frames: [{ type: 'append', id, text: word, thinking: '' }],
    }),
  );
  return [...growing, { afterMs: 120, frames: [put({ ...says(text), id })] }];
}

/** From the start to the question. */
export function opening(): Beat[] {
  const scene = asking(choice);
  const question = scene.items.at(-1);
  return [
    {
      afterMs: 0,
      frames: [
        {
          type: 'snapshot',
          items: [item({ type: 'notice', kind: 'started', canResume: false })],
          earlier: null,
          status: status('running', 0),
        },
      ],
    },
    { afterMs: 500, frames: [put(call('fs.read', '@state/workflow.md'))] },
    { afterMs: 350, frames: [put(call('fs.read', '@pkg/steps/step-01.md'))] },
    ...spoken(
      'd-hello',
      'Hello! I am your guide. I can write a greeting for you, in one of two ways.',
    ),
    {
      afterMs: 300,
      frames: question
        ? [
            put(question),
            { type: 'status', status: { ...scene.status, waitingWidget: question.id } },
          ]
        : [],
    },
  ];
}

/** From the answer to the end. */
export function ending(): Beat[] {
  return [
    { afterMs: 300, frames: [{ type: 'status', status: status('running', 2) }] },
    { afterMs: 500, frames: [put(call('fs.write', '@project/artifacts/hello/greeting.md'))] },
    { afterMs: 400, frames: [{ type: 'status', status: status('running', 4) }] },
    ...spoken('d-done', 'Done. The greeting is in `artifacts/hello/greeting.md`.'),
    {
      afterMs: 300,
      frames: [
        put(item({ type: 'notice', kind: 'completed', canResume: false })),
        { type: 'status', status: status('completed', 5, {}, 'completed') },
      ],
    },
  ];
}
