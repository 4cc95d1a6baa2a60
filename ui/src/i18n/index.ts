import { createContext, createElement, type ReactNode, useContext, useMemo } from 'react';
import type { ErrorCode, Failure, Language, Phrase } from '../bridge/wire';
import { catalogues, type Key, type Lang, phrases } from './catalogue';
import { visible } from './visible';

export type { Key, Lang } from './catalogue';

type Values = Record<string, string | number>;

/** The language to show: the chosen one, or the first of the system's that there is, or English. */
export function resolveLanguage(chosen: Language, system: readonly string[]): Lang {
  if (chosen !== 'system') return chosen;
  const names = system.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return (names.find((name) => Object.hasOwn(catalogues, name)) as Lang | undefined) ?? 'en';
}

/** Words, numbers, sizes and dates in one language. */
export interface Words {
  lang: Lang;
  /** The text of a key, with its `{names}` filled in. */
  t(key: Key, values?: Values): string;
  /** A counted text: uses the key's `.one` variant for 1. */
  count(key: Key, count: number): string;
  /** What a change does, in one line; `summary` is what older journals have instead. */
  change(parts: readonly Phrase[], summary: string): string;
  /** A phrase of the runtime; null when it, or one within it, is of a newer program. */
  say(phrase: Phrase): string | null;
  /** What an error code says, where it is one. */
  reason(code: string): string | null;
  /** A failure: the title of its code, what happened, what to do. Its own action wins: it is more specific. */
  failure(failure: Failure): { title: string; message: string; action: string };
  number(value: number): string;
  /** A number, marked where it is an estimate. */
  about(value: number, estimated: boolean): string;
  /** An amount of money, without its currency: small ones with more places. */
  money(value: number): string;
  size(bytes: number): string;
  /** How long something took, in milliseconds: `120 ms`, `3.4 s`, `2 min`. */
  duration(ms: number): string;
  /** Sentences, one after the other; those that are not there are left out. */
  sentences(...texts: (string | null | undefined | false)[]): string;
  time(iso: string): string;
  date(iso: string): string;
  /** The day and the time, to the second. */
  moment(iso: string): string;
}

function fill(text: string, values: Values | undefined): string {
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name) => visible(String(values[name] ?? whole)));
}

/** What stands between phrases on one line. */
const separator = (lang: Lang) => phrases[lang].get('list_separator');

/** Phrases as one line; null when one of them is of a newer program. */
function joined(lang: Lang, parts: readonly Phrase[]): string | null {
  const said = parts.map((part) => sayIn(lang, part));
  return said.includes(null) ? null : said.join(separator(lang));
}

/** What a phrase says; null when it, or one within it, is of a newer program. */
function sayIn(lang: Lang, { key, values }: Phrase): string | null {
  const text = phrases[lang].get(key);
  if (text === undefined) return null;
  const filled: Values = {};
  for (const [place, value] of Object.entries(values)) {
    const said = typeof value === 'string' ? value : joined(lang, [value].flat());
    if (said === null) return null;
    filled[place] = said;
  }
  return fill(text, filled);
}

/** A phrase, or its English text as what it is where there is no phrase to say. */
function saidIn(lang: Lang, said: Phrase | undefined, english: string): string {
  if (lang === 'en' || english === '') return visible(english);
  const quoted = { key: 'in_its_words', values: { why: english } };
  return (said && sayIn(lang, said)) ?? sayIn(lang, quoted) ?? visible(english);
}

/** The words of a language. */
export function wordsIn(lang: Lang): Words {
  const { codes, window } = catalogues[lang];
  const numbers = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
  const amounts = new Intl.NumberFormat(lang, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const cents = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const times = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit' });
  const days = new Intl.DateTimeFormat(lang, { month: 'short', day: 'numeric' });
  const moments = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium' });
  const t = (key: Key, values?: Values) => fill(window[key], values);
  const valid = (iso: string) => !Number.isNaN(Date.parse(iso));
  return {
    lang,
    t,
    count(key, count) {
      const one = `${key}.one` as Key;
      return count === 1 && one in window ? t(one) : t(key, { count: numbers.format(count) });
    },
    change(parts, summary) {
      const said = parts.map((part) => sayIn(lang, part)).filter((text) => text !== null);
      return said.length > 0 ? said.join(separator(lang)) : visible(summary);
    },
    say: (phrase) => sayIn(lang, phrase),
    reason: (code) => (Object.hasOwn(codes, code) ? codes[code as ErrorCode].title : null),
    failure({ code, message, said, action, advice }) {
      const words = codes[code] ?? { title: t('failure.title'), action: '' };
      const own = lang === 'en' ? action : advice && sayIn(lang, advice);
      return {
        title: words.title,
        message: saidIn(lang, said, message),
        action: visible(own ?? words.action),
      };
    },
    number: (value) => numbers.format(value),
    about: (value, estimated) => (estimated ? '≈ ' : '') + numbers.format(value),
    money: (value) => (value < 1 ? cents : amounts).format(value),
    size(bytes) {
      if (bytes < 1024) return `${numbers.format(bytes)} B`;
      if (bytes < 1024 * 1024) return `${numbers.format(bytes / 1024)} KiB`;
      return `${numbers.format(bytes / 1024 / 1024)} MiB`;
    },
    duration(ms) {
      if (ms < 1000) return t('duration.ms', { count: numbers.format(ms) });
      if (ms < 60_000) return t('duration.s', { count: numbers.format(ms / 1000) });
      return t('duration.min', { count: numbers.format(Math.round(ms / 60_000)) });
    },
    // A full stop of Chinese has its space with it.
    sentences: (...texts) => texts.filter(Boolean).join(lang === 'zh' ? '' : ' '),
    time: (iso) => (valid(iso) ? times.format(new Date(iso)) : ''),
    date(iso) {
      if (!valid(iso)) return '';
      const then = new Date(iso);
      const today = then.toDateString() === new Date().toDateString();
      return today ? times.format(then) : days.format(then);
    },
    moment: (iso) => (valid(iso) ? moments.format(new Date(iso)) : ''),
  };
}

const WordsContext = createContext<Words>(wordsIn('en'));

/** Gives everything below it the words of a language. */
export function WordsProvider({ lang, children }: { lang: Lang; children: ReactNode }) {
  const words = useMemo(() => wordsIn(lang), [lang]);
  return createElement(WordsContext.Provider, { value: words }, children);
}

/** The words of the language shown now. */
export const useWords = (): Words => useContext(WordsContext);
