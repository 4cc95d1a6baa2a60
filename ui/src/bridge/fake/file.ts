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

/** Somebody hid in a comment that the line is one. */
const CODE = `import { open } from 'node:fs/promises';

/** A plant and the day on which it is ripe. */
export interface Plant {
  name: string;
  ripe: Date;
}

// Only what is ripe \u202e\u2066// and nothing else\u2069\u2066
export const isRipe = ({ ripe }: Plant, today = new Date()) => ripe <= today;

export async function save(plants: Plant[], path = 'ripe.csv') {
  const file = await open(path, 'w');
  for (const { name, ripe } of plants.filter((plant) => isRipe(plant))) {
    await file.write(\`\${name};\${ripe.toISOString().slice(0, 10)}\\n\`);
  }
  await file.close();
  return plants.length > 0 ? 12.5 : null;
}
`;

/** One line of which nothing can be seen, and which nobody would draw at once. */
const UNSEEN = '\u202e\u200d\r'.repeat(100_000);

/** Files of the project as they are now. */
const NOW: Record<string, FileContent> = {
  '@project/README.md': text(README),
  '@project/artifacts/create-story/story.md': text(STORY),
  '@project/artifacts/create-story/checklist.md': text('- [x] Told in words\n'.repeat(12)),
  '@project/src/save.ts': text(CODE),
  '@project/src/unseen.json': text(UNSEEN),
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
