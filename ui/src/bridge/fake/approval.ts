import type { ChangeView, Widget } from '../wire';

/** The runtime's own question about a write that waits. */
export const approval: Widget = {
  widgetId: 'tool_approval',
  type: 'confirmation',
  message: 'Allow fs.write to change @project/docs/release-notes.md?',
  changeId: 'ch-2',
  grant: { tool: 'fs.write', folder: '@project/docs' },
};

export const approvalChange: ChangeView = {
  id: 'ch-2',
  tool: 'fs.write',
  path: '@project/docs/release-notes.md',
  summary: '+2 −1 lines',
  parts: [{ key: 'lines', values: { added: '2', removed: '1' } }],
  diff: '--- @project/docs/release-notes.md\n+++ @project/docs/release-notes.md\n@@ -1,3 +1,4 @@\n # Release notes\n-Nothing yet.\n+**Faster search.** You find tickets while you type.\n+**Export.** Lists leave as CSV.\n See also the manual.\n',
  undoesCompletion: false,
  callId: 'call-approval',
};
