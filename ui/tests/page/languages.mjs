// In Chinese no sentence of our own is shown in English.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const english = join(dirname(fileURLToPath(import.meta.url)), '../../../templates/locales/en');

/** Every text in a part of a catalogue. */
const textsOf = (part) =>
  typeof part === 'string' ? [part] : Object.values(part).flatMap(textsOf);

/**
 * Every run of three or more words that is ours, places left out. Two may also stand in what a model
 * says, which is in whatever language it likes.
 */
function sentences() {
  const all = readdirSync(english).flatMap((name) =>
    textsOf(JSON.parse(readFileSync(join(english, name), 'utf8'))),
  );
  const pieces = all.flatMap((text) => text.split(/\{\w+\}/)).map((piece) => piece.trim());
  return [...new Set(pieces)].filter((piece) => (piece.match(/[A-Za-z']+/g) ?? []).length >= 3);
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
