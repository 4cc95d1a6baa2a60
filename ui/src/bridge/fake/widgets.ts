// The questions of the recorded conversations, and the changes they are about.
import type { ChangeView, Widget } from '../wire';

export const widgets: Record<string, Widget> = {
  form: {
    widgetId: 'w1',
    type: 'form',
    message: 'A few details about the story, please.',
    schema: {
      type: 'object',
      required: ['title', 'points'],
      properties: {
        title: { type: 'string', description: 'One line, as it will stand in the backlog.' },
        audience: {
          type: 'string',
          enum: ['sales', 'support', 'everyone'],
          default: 'everyone',
          title: 'audience',
        },
        points: { type: 'integer', minimum: 1, maximum: 13, description: 'Story points, 1 to 13.' },
        notes: { type: 'string', maxLength: 400 },
        urgent: { type: 'boolean', description: 'Put it at the top of the backlog.' },
      },
    },
  },
  selection: {
    widgetId: 'w2',
    type: 'selection',
    message: 'Which parts should the release notes have?',
    multi: true,
    options: [
      { value: 'highlights', label: 'Highlights', description: 'Three sentences, no jargon.' },
      { value: 'changes', label: 'What changed for you', description: 'Grouped by team.' },
      { value: 'tickets', label: 'Ticket list' },
    ],
  },
  confirmation: {
    widgetId: 'workflow_state_change_confirm',
    type: 'confirmation',
    message:
      'You asked to change the audience. That means going back to the step **Gather the idea**.',
    changeId: 'ch-1',
  },
  plan_review: {
    widgetId: 'w4',
    type: 'plan_review',
    message: 'This is how I would go about it.',
    planContent:
      '### Plan\n\n1. Rewrite the **highlights** of the last three releases\n2. Let support read them\n3. Write the story from what they ask\n\n| step | who | takes |\n|---|---|---|\n| rewrite | Mia | 1 h |\n| read | support | 1 day |\n\n```yaml\naudience: support\ntone: plain\n```',
  },
  feedback: {
    widgetId: 'w5',
    type: 'feedback',
    message: 'What do you think of these two openings?',
    items: [
      { id: 'a', content: '**Faster search.** You find tickets while you type.' },
      { id: 'b', content: '**Search, rebuilt.** The index moved into the app.' },
    ],
  },
  action_selection: {
    widgetId: 'w6',
    type: 'action_selection',
    message: 'The draft is ready. What next?',
    actions: [
      { id: 'continue', label: 'Go on to the checklist' },
      {
        id: 'revise',
        label: 'Revise the draft',
        description: 'I read it again with your comments in mind.',
      },
      { id: 'pause', label: 'Pause here' },
    ],
  },
};

export const change: ChangeView = {
  id: 'ch-1',
  tool: 'fs.apply_patch',
  path: '@state/workflow.md',
  effect: 'changed',
  summary: 'currentNodeId write → gather; stepsCompleted -gather',
  parts: [
    { key: 'node_moved', values: { from: 'write', to: 'gather' } },
    { key: 'steps', values: { steps: '-gather' } },
  ],
  diff: `--- before\n+++ after\n@@ -2,9 +2,6 @@\n workflow: create-story\n-currentNodeId: end\n+currentNodeId: gather\n stepsCompleted:\n-  - gather\n-  - size\n-  - write\n-  - check\n-  - end\n+  []\n variables:\n-  audience: "sales"\n+  audience: "support"\n`,
  undoesCompletion: true,
};
