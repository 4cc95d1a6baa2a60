import enCodes from '../../../templates/locales/en/codes.json';
import enPhrases from '../../../templates/locales/en/phrases.json';
import enWindow from '../../../templates/locales/en/window.json';
import zhCodes from '../../../templates/locales/zh/codes.json';
import zhPhrases from '../../../templates/locales/zh/phrases.json';
import zhWindow from '../../../templates/locales/zh/window.json';
import type { ErrorCode } from '../bridge/wire';

type Codes = Record<ErrorCode, { title: string; action: string }>;

/** The words of one language, as `templates/locales` has them. */
interface Catalogue {
  codes: Codes;
  phrases: typeof enPhrases;
  window: typeof enWindow;
}

const en: Catalogue = { codes: enCodes, phrases: enPhrases, window: enWindow };
const zh: Catalogue = { codes: zhCodes, phrases: zhPhrases, window: zhWindow };

/** Every catalogue; a text that one of them lacks does not compile. */
export const catalogues = { en, zh };

/** A language there is a catalogue for. */
export type Lang = keyof typeof catalogues;

/** A text of the window, by name. */
export type Key = keyof typeof enWindow;

/** The texts of all phrases by the key that a `Phrase` has: a signature without its places. */
function byKey(catalogue: Catalogue): ReadonlyMap<string, string> {
  const groups = Object.values(catalogue.phrases).flatMap(Object.entries<string>);
  return new Map(groups.map(([signature, text]) => [signature.replace(/\(.*$/, ''), text]));
}

/** What each phrase of the runtime says, by its key. */
export const phrases = { en: byKey(en), zh: byKey(zh) } satisfies Record<Lang, unknown>;
