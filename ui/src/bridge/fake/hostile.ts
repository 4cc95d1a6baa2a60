// Conversations whose model or project chose names to mislead, to break or to fill the window.
import type { Phrase } from '../wire';
import { approval, approvalChange } from './approval';
import { asking, item, type Scene, says, status } from './scenes';
import { change } from './widgets';

/** These scenes, by name. */
export const hostile = (): Record<
  'odd-names' | 'long-path' | 'two' | 'turned-names' | 'heavy' | 'cut',
  () => Scene
> => ({
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
  // The first is long, and shrinks when it is answered: the second comes to where its buttons were.
  two: () => {
    const lines = Array.from({ length: 24 }, (_, n) => `+line ${n}`);
    const diff = `--- a\n+++ b\n@@ -1,1 +1,24 @@\n${lines.join('\n')}\n`;
    const ids = ['w-first', 'w-second'];
    const items = ids.map((id, at) =>
      item(
        {
          type: 'question',
          widget: { widgetId: id, type: 'confirmation', message: `Question ${at + 1}` },
          unbound: false,
          closed: false,
          ...(at === 0 ? { change: { ...change, undoesCompletion: false, diff } } : {}),
        },
        id,
      ),
    );
    const waits = { waitingWidget: 'w-first', waitingWidgets: ids };
    return { items, status: status('waiting-user', 1, waits, 'widget') };
  },
  // It reads `summary.jpg.sh`, and a check that looks like code is part of a comment.
  'turned-names': () => {
    const path = '@project/docs/\u202egpj.yrammus\u202c.sh';
    const diff =
      '--- a\n+++ b\n@@ -1,1 +1,2 @@\n set -e\n+if admin # \u2066only\u2069 \u202e then\u200b\n+two  spaces\n';
    return asking(approval, { change: { ...approvalChange, path, diff } });
  },
  // Each would keep the window busy for minutes, or leave nothing of it.
  heavy: () => {
    const nested = Array.from({ length: 500 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n');
    const texts = ['> '.repeat(3000), nested, '*a_ '.repeat(4000), 'a\n\n'.repeat(20_000)];
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` } },
    };
    const { items, status } = asking({
      widgetId: 'w1',
      type: 'form',
      message: texts[0] ?? '',
      schema,
    });
    return { items: [...texts.map((text) => says(text)), ...items], status };
  },
  // Thousands of lines are replaced: of both sides the beginning and the end are shown.
  cut: () => {
    const lines = (sign: string, words: string, from: number) =>
      Array.from({ length: 5 }, (_, n) => `${sign}${words} ${from + n}`).join('\n');
    const diff = [
      '--- a\n+++ b\n@@ -1,5 +1,0 @@',
      lines('-', 'an old line', 0),
      '…\n@@ -3996,5 +1,5 @@',
      lines('-', 'an old line', 3995),
      lines('+', 'a new line', 0),
      '…\n@@ -4000,0 +2496,5 @@',
      lines('+', 'a new line', 2495),
    ].join('\n');
    const parts: Phrase[] = [
      { key: 'lines', values: { added: '2500', removed: '4000' } },
      { key: 'diff_cut', values: {} },
    ];
    const summary = '+2500 −4000 lines; the diff is too long to be shown whole';
    const change = { ...approvalChange, diff: `${diff}\n`, parts, summary };
    const { grant: _, ...widget } = approval;
    return asking({ ...widget, cut: true }, { change });
  },
  'long-path': () => {
    const folder = `@project/${'a/very/deep/folder/'.repeat(60)}notes`;
    const change = { ...approvalChange, path: `${folder}/release-notes.sh` };
    return asking({ ...approval, grant: { tool: 'fs.write', folder } }, { change });
  },
});
