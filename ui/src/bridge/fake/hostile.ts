// Conversations whose model or project chose names to mislead, to break or to fill the window.
import { approval, approvalChange } from './approval';
import { asking, item, type Scene, says, status } from './pieces';
import { change } from './widgets';

/** These scenes, by name. */
export const hostile = (): Record<
  'odd-names' | 'long-path' | 'two' | 'turned-names' | 'heavy' | 'flood',
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
  // What a model or a file may say to mislead the reader, or to bring the window down.
  flood: () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `| ${n} ${'| cell '.repeat(12)}|`);
    const table = [`| n ${'| head '.repeat(12)}|`, `${'|---'.repeat(13)}|`, ...rows].join('\n');
    const texts = [
      '\u202egnp.exe\u202c and \u2066turned\u2069, \u200bnothing\u200b, a\u0000b\u0007',
      '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 \u001b[2J',
      '<img src=x onerror="document.body.dataset.hacked=1"><script>document.body.dataset.hacked=1</script>',
      '<iframe src="https://evil.example"></iframe><style>body{display:none}</style><b onclick="x()">b</b>',
      '[go](javascript:document.body.dataset.hacked=1) ![see](https://evil.example/track.png)',
      table,
      `\`\`\`js\n${'const a = "b"; // c\n'.repeat(50_000)}\`\`\``,
      'w'.repeat(2_000_000),
      'a word and another. '.repeat(500_000),
      '😀'.repeat(100_000),
      `${'['.repeat(20_000)}${']('.repeat(20_000)}`,
      'It ends here.',
    ];
    return { items: texts.map((text) => says(text)), status: status('waiting-user', 1) };
  },
  'long-path': () => {
    const folder = `@project/${'a/very/deep/folder/'.repeat(60)}notes`;
    const change = { ...approvalChange, path: `${folder}/release-notes.sh` };
    return asking({ ...approval, grant: { tool: 'fs.write', folder } }, { change });
  },
});
