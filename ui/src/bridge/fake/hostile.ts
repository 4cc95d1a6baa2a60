// Conversations whose model or project chose names to mislead, to break or to fill the window.
import { approval, approvalChange } from './approval';
import { asking, item, type Scene, says, status } from './pieces';
import { change } from './widgets';

/** These scenes, by name. */
export const hostile = (): Record<
  'odd-names' | 'long-path' | 'two' | 'turned-names' | 'heavy',
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
  // The second comes to where the first was answered.
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
  'long-path': () => {
    const folder = `@project/${'a/very/deep/folder/'.repeat(60)}notes`;
    const change = { ...approvalChange, path: `${folder}/release-notes.sh` };
    return asking({ ...approval, grant: { tool: 'fs.write', folder } }, { change });
  },
});
