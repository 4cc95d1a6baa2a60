// What the person can call by a message that begins with `/`: the prompts of servers, and what the
// program does itself.
import type { ServerPrompt } from '../bridge/wire';
import type { View } from './store';

/** What the program does itself, as it is typed. */
const OWN = ['menu', 'stop', 'resume', 'dismiss', 'compact'] as const;

type OwnCommand = (typeof OWN)[number];

export type Callable =
  | { kind: 'prompt'; called: string; prompt: ServerPrompt }
  | { kind: 'own'; called: OwnCommand };

const own: readonly Callable[] = OWN.map((called) => ({ kind: 'own', called }));

/** All that can be called while these servers are set up; their prompts only where tools of servers are on. */
export function callableIn(servers: View['servers'], isOn: boolean): readonly Callable[] {
  const known = servers?.ok && isOn ? servers.value : [];
  const trusted = known.filter(({ enabled, trust }) => enabled && trust === 'trusted');
  const prompts = new Map<string, Callable>();
  for (const prompt of trusted.flatMap((server) => server.prompts)) {
    const { called } = prompt;
    // Of two that are called the same, the program takes the first.
    if (!prompts.has(called)) prompts.set(called, { kind: 'prompt', called, prompt });
  }
  return [...prompts.values(), ...own];
}

/** Where what was typed stands in what is called so; the nearest first. */
function nearness(one: Callable, letters: string): number {
  const called = one.called.toLowerCase();
  if (called === letters) return 0;
  if (called.startsWith(letters)) return 1;
  const names = one.kind === 'prompt' ? [one.prompt.name, one.prompt.title ?? ''] : [];
  return [called, ...names].some((name) => name.toLowerCase().includes(letters)) ? 2 : 3;
}

/** Those whose name or title holds what was typed; what is called just so is the first. */
export function callableLike(all: readonly Callable[], typed: string): readonly Callable[] {
  const letters = typed.toLowerCase();
  const near = all.map((one) => ({ one, rank: nearness(one, letters) }));
  return near
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

/** What a prompt has to be told, and may be. */
const argumentsOf = (one: Callable) => (one.kind === 'prompt' ? one.prompt.arguments : []);

/** How its arguments are written; what may be left out stands in brackets. */
export const usageOf = (one: Callable): string =>
  argumentsOf(one)
    .map(({ name, required }) => (required ? `${name}=…` : `[${name}=…]`))
    .join(' ');

/** Whether it can be called by its name alone. */
export const needsNothing = (one: Callable): boolean =>
  !argumentsOf(one).some(({ required }) => required);

/** The words that call it, with the beginning of what it has to be told. */
export function callOf(one: Callable): string {
  const needed = argumentsOf(one).filter(({ required }) => required);
  const isOnly = argumentsOf(one).length === 1;
  const [first] = isOnly ? [] : needed;
  return `/${one.called} ${first ? `${first.name}=` : ''}`;
}

/** Words that stop what is going on, as the program reads them. */
export const isStop = (words: string): boolean => /^\/(stop|pause)$/i.test(words.trim());
