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
  effect: 'changed',
  summary: '+2 −1 lines',
  parts: [{ key: 'lines', values: { added: '2', removed: '1' } }],
  diff: '--- @project/docs/release-notes.md\n+++ @project/docs/release-notes.md\n@@ -1,3 +1,4 @@\n # Release notes\n-Nothing yet.\n+**Faster search.** You find tickets while you type.\n+**Export.** Lists leave as CSV.\n See also the manual.\n',
  undoesCompletion: false,
  callId: 'call-approval',
};

/** A change in two places of a longer text. */
export const twoPlaces: ChangeView = {
  ...approvalChange,
  summary: '+3 −2 lines',
  parts: [{ key: 'lines', values: { added: '3', removed: '2' } }],
  diff: [
    '@@ -4,5 +4,5 @@',
    ' ',
    ' ## For everybody',
    '-A page where members see what is ripe.',
    '+A page where members of the garden see what is ripe, on the day it is ripe.',
    ' ',
    ' ## For those who help',
    '@@ -31,3 +31,4 @@',
    ' - Owner: Ada',
    '-- Status: draft',
    '+- Audience: members',
    '+- Status: agreed',
    ' - Since: October',
    '',
  ].join('\n'),
};

/** A text where there was none. */
export const newText: ChangeView = {
  ...approvalChange,
  effect: 'made',
  path: '@project/docs/vision.md',
  summary: 'new file, 7 lines',
  parts: [{ key: 'new_file', values: { lines: '7' } }],
  diff: [
    '@@ -0,0 +1,7 @@',
    '+# What is ripe',
    '+',
    '+A page where **members of the garden** see what can be picked today.',
    '+',
    '+- A list that everybody can read',
    '+- A note that anybody can leave',
    '+- Nothing that spoils unseen',
    '',
  ].join('\n'),
};
