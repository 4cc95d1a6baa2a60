import type { FileContent, FileView, Frame } from '../wire';
import { changes } from './data';
import { notice } from './pieces';
import { refuse } from './refusals';

const text = (text: string): FileContent => ({
  kind: 'text',
  text,
  bytes: text.length,
  cut: false,
});

const README = `# Garden page

A page where members of the garden see what is ripe, on the day it is ripe.

- Owner: Ada
- Audience: members
- Status: agreed
`;

const README_BEFORE = `# Garden page

A page where members see what is ripe.

- Owner: Ada
- Status: draft
`;

const README_DIFF = `--- @project/README.md
+++ @project/README.md
@@ -1,6 +1,7 @@
 # Garden page
 
-A page where members see what is ripe.
+A page where members of the garden see what is ripe, on the day it is ripe.
 
 - Owner: Ada
-- Status: draft
+- Audience: members
+- Status: agreed
`;

const STORY = `# Export as CSV

As a member of the garden I want to take a table of ripe plants with me, so that I can read it
without a network.

## Acceptance

1. The list can be saved as a file from its page.
2. The file opens in a *spreadsheet* with one line for each plant.

| column | meaning |
| --- | --- |
| \`plant\` | its name |
| \`ripe\` | the day it is ripe |

\`\`\`ts
export const rows = (plants: Plant[]) => plants.map(({ name, ripe }) => [name, ripe]);
\`\`\`
`;

/** Files of the project as they are now. */
const NOW: Record<string, FileContent> = {
  '@project/README.md': text(README),
  '@project/artifacts/create-story/story.md': text(STORY),
  '@project/artifacts/create-story/checklist.md': text('- [x] Told in words\n'.repeat(12)),
  '@project/docs/notes.md': { kind: 'not_text', bytes: 48_200 },
  '@project/draft.md': { kind: 'nothing' },
};

const BEFORE: Record<string, FileContent> = {
  '@project/README.md': text(README_BEFORE),
  '@project/draft.md': { kind: 'not_kept' },
};

/** What every text is said to have as its hash. */
const SEEN = 'a'.repeat(64);

/** What a conversation is told when a file of it is put back. */
export function putBackNow(path: string, sha256: string | null): Frame[] {
  const { now } = fileOf(path);
  if (sha256 !== (now.kind === 'text' ? SEEN : null)) {
    refuse('E_PRECONDITION_FAILED', `${path} is not what it was when you looked at it.`);
  }
  const parts = [{ key: 'back_again', values: { path } }];
  return [{ type: 'upsert', item: notice('put_back', { parts }) }];
}

/** A file that the person opens. */
export function fileOf(path: string): FileView {
  const now = NOW[path] ?? { kind: 'nothing' };
  const effect = changes.find((it) => it.path === path);
  const isDocument = now.kind === 'text' || now.kind === 'not_text';
  const sha256 = now.kind === 'text' ? SEEN : undefined;
  if (!effect) return { path, now, sha256, isDocument };
  const before = BEFORE[path] ?? { kind: 'nothing' };
  const diff = path === '@project/README.md' ? README_DIFF : undefined;
  return { path, now, sha256, isDocument, change: { effect, before, diff } };
}
