// In Chinese no sentence of our own is shown in English.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = join(dirname(fileURLToPath(import.meta.url)), '../../src');

/** Texts in quotes, as TypeScript writes them. */
const quoted = (text) =>
  [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g)].map((m) =>
    (m[1] ?? m[2]).replace(/\\(.)/g, '$1'),
  );

/** The English half of a generated table: `en: "…"`, or `en: { title: "…", action: "…" }`. */
const englishOf = (file) =>
  [...readFileSync(join(src, 'bridge', file), 'utf8').matchAll(/^ +en: (.*)$/gm)].flatMap((m) =>
    quoted(m[1]),
  );

/** Every run of four or more words that is ours, places left out. */
function sentences() {
  const folder = join(src, 'i18n/en');
  const texts = readdirSync(folder).flatMap((name) =>
    quoted(readFileSync(join(folder, name), 'utf8')),
  );
  const all = [...texts, ...englishOf('phrases.ts'), ...englishOf('codes.ts')];
  const pieces = all.flatMap((text) => text.split(/\{\w+\}/)).map((piece) => piece.trim());
  return [...new Set(pieces)].filter((piece) => (piece.match(/[A-Za-z']+/g) ?? []).length >= 4);
}

const ours = sentences();
if (ours.length < 200) throw new Error(`only ${ours.length} English sentences were found`);

/** What is shown, and what is read out or shown on hover. */
function texts() {
  const names = ['aria-label', 'title', 'placeholder', 'alt'];
  const attributes = [...document.querySelectorAll('*')].flatMap((node) =>
    names.map((name) => node.getAttribute(name) ?? ''),
  );
  return [document.body.innerText, ...attributes].join('\n');
}

/** Our English sentences in a page that should have none. */
export async function englishIn(page) {
  const shown = await page.evaluate(texts);
  return ours.filter((piece) => shown.includes(piece)).map((piece) => `English: ${piece}`);
}
