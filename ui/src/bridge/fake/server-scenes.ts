// Conversations in which tools of servers are called: their calls, the question before one, and what a
// server asks the person during one.
import type { ChangeView, Item, Phrase, ServerProgress, Widget } from '../wire';
import { approvalChange } from './approval';
import { asking, call, type Scene, says, status } from './pieces';

const external = { class: 'external' } as const;

/** What a server answered. */
const answered = (server: string, content: unknown[], more: object = {}) => ({
  ok: true,
  server,
  content,
  ...more,
});

const failed = {
  ok: false,
  error: {
    code: 'E_MCP_TOOL_FAILED',
    message: 'There is no issue 7.',
  },
};

/** Calls of servers' tools, in each way that they can look. */
export const serverCalls: Record<
  'text' | 'parts' | 'failed' | 'running' | 'slow' | 'hashed',
  Item
> = {
  text: call('mcp__files__read_file', undefined, {
    ...external,
    callId: 'server-text',
    args: { path: 'docs/notes.md', head: 20 },
    durationMs: 41,
    result: answered('files', [
      { type: 'text', text: '# Notes\n\nWhat sales said, word for word.\n' },
    ]),
  }),
  parts: call('mcp__issues__search_issues', undefined, {
    ...external,
    callId: 'server-parts',
    args: { words: ['release', 'notes'], closed: false },
    durationMs: 1_340,
    result: answered(
      'issues',
      [
        { type: 'text', text: 'Two issues fit.' },
        { type: 'binary', mime_type: 'image/png', bytes: 48_211, note: 'not shown' },
        { type: 'resource_link', uri: 'https://issues.example.org/12', name: 'Issue\u202e 12' },
        { type: 'other' },
      ],
      { structured: { issues: [{ id: 12, title: 'Notes nobody reads' }] }, leftOut: 3 },
    ),
  }),
  failed: call('mcp__issues__close_issue', undefined, {
    ...external,
    callId: 'server-failed',
    state: 'handled',
    args: { id: 7 },
    durationMs: 210,
    result: failed,
  }),
  running: call('mcp__browser__open_page', undefined, {
    ...external,
    callId: 'server-running',
    state: 'running',
    args: { url: 'https://example.org' },
    durationMs: 0,
    result: undefined,
  }),
  slow: call('mcp__files__search_files', undefined, {
    ...external,
    callId: 'server-slow',
    state: 'running',
    args: { words: 'release notes' },
    durationMs: 0,
    result: undefined,
  }),
  hashed: call('mcp__server-without-tool', undefined, {
    ...external,
    callId: 'server-hashed',
    args: {},
    durationMs: 12,
    result: { ok: true, kept: '@state/logs/7.json' },
  }),
};

/** How far the slow one is. */
export const progress: ServerProgress = {
  callId: 'server-slow',
  percent: 42,
  message: 'Looking through docs/2026, 90 of 214 files',
};

const ARGS = {
  path: 'docs/release-notes.md',
  reason: 'The new notes\u200b take their place.',
  also: ['docs/old.md', 'docs/older.md'],
};

/** The arguments as the lines of a text that was not there before. */
function argsDiff(args: unknown): string {
  const lines = JSON.stringify(args, null, 2).split('\n');
  const head = `--- mcp__files__delete_file\n+++ mcp__files__delete_file\n@@ -0,0 +1,${lines.length} @@`;
  return `${head}\n${lines.map((line) => `+${line}`).join('\n')}\n\\ No newline at end of file\n`;
}

const calls = (tool: string): Phrase => ({
  key: 'calls_tool',
  values: { tool, server: 'files' },
});

/** A call of a server's tool that waits for the person. */
export const askedCall = (args: unknown = ARGS): ChangeView => ({
  ...approvalChange,
  tool: 'mcp__files__delete_file',
  path: '@state/workflow.md',
  effect: 'made',
  summary:
    'calls `delete_file` of the server `files`, the server says that this may take something away',
  parts: [calls('delete_file'), { key: 'may_destroy', values: {} }],
  diff: argsDiff(args),
});

/** The same of a tool that only adds. */
export const askedAdding: ChangeView = {
  ...askedCall({ path: 'docs/release-notes.md', text: 'Faster search.' }),
  tool: 'mcp__files__write_file',
  parts: [calls('write_file')],
};

export const serverApproval: Widget = {
  widgetId: 'tool_approval',
  type: 'confirmation',
  message: 'Allow the call of `delete_file` at the server `files`?',
  changeId: 'ch-2',
};

/** What a server wants to know of the person. */
export const serverQuestion: Widget = {
  widgetId: 'server_question',
  type: 'form',
  message: 'The folder *docs* has 214 files.\nHow many of them do you want to look through?',
  schema: {
    type: 'object',
    required: ['most'],
    properties: {
      most: { type: 'integer', minimum: 1, maximum: 214, title: 'Files, at most' },
      order: { type: 'string', enum: ['newest', 'oldest'], description: 'n: newest, o: oldest' },
      hidden: { type: 'boolean', title: 'Hidden files too' },
    },
  },
};

/** A question before the end of which a call waits. */
function during(scene: Scene, waits: Item): Scene {
  scene.items.splice(-1, 0, waits);
  return scene;
}

const waiting = (tool: string) =>
  call(tool, undefined, {
    ...external,
    callId: approvalChange.callId,
    state: 'waiting',
    args: ARGS,
    durationMs: 0,
    result: undefined,
  });

/** A call whose arguments are too long to be shown at once. */
function cutCall(): Scene {
  const change = askedCall();
  const line = (n: number) => `+    "an argument ${n}",`;
  const diff = `@@ -0,0 +1,2 @@\n+{\n+  "lines": [\n…\n@@ -0,0 +2998,3 @@\n${line(2998)}\n+  ]\n+}\n`;
  const parts = [
    ...change.parts,
    { key: 'lines', values: { added: '3000', removed: '0' } },
    { key: 'diff_cut', values: {} },
  ];
  return asking({ ...serverApproval, cut: true }, { change: { ...change, diff, parts } });
}

/** The scenes, by name. */
export const serverScenes = (before: () => Item[]): Record<string, () => Scene> => ({
  'servers-calls': () => {
    const { text, parts, failed, hashed } = serverCalls;
    const end = says('I have looked at the issues and at the notes.');
    return {
      items: [...before(), text, parts, failed, hashed, end],
      status: status('waiting-user', 2, {}, 'answered'),
    };
  },
  'servers-calls-running': () => ({
    items: [...before(), serverCalls.running],
    status: status('running', 2),
  }),
  'servers-progress': () => ({
    items: [...before(), serverCalls.slow],
    status: status('running', 2, { server: progress }),
  }),
  'servers-approval': () =>
    during(asking(serverApproval, { change: askedCall() }), waiting('mcp__files__delete_file')),
  'servers-approval-adds': () =>
    during(asking(serverApproval, { change: askedAdding }), waiting('mcp__files__write_file')),
  'servers-approval-refused': () =>
    asking(serverApproval, { change: askedCall(), answer: { confirmed: false } }),
  'servers-approval-cut': cutCall,
  'servers-question': () => during(asking(serverQuestion), waiting('mcp__files__read_file')),
});
