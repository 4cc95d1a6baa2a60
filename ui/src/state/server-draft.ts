// A server as it is filled in: what a form begins with, what is wrong with it, and what is sent.
import type { LaunchDraft, ServerDraft, ServerView, ShownLaunch } from '../bridge/wire';
import type { Key } from '../i18n';

/** What may be a key, by name. Of a known one the value is not shown. */
export interface ValueRow {
  id: number;
  name: string;
  value: string;
  known: boolean;
}

/** What stands in the form. Both ways to reach a server stay while one chooses between them. */
export interface ServerForm {
  name: string;
  kind: ShownLaunch['kind'];
  command: string;
  /** One argument on each line. */
  args: string;
  env: readonly ValueRow[];
  url: string;
  headers: readonly ValueRow[];
}

const knownRows = (names: readonly string[]): ValueRow[] =>
  names.map((name, id) => ({ id, name, value: '', known: true }));

/** The form of a server that is set up, or of a new one. */
export function formOf(before: ServerView | null): ServerForm {
  const empty = { name: '', kind: 'command', command: '', args: '', env: [], url: '', headers: [] };
  const form: ServerForm = { ...empty, kind: 'command' };
  if (!before) return form;
  const { name, launch } = before;
  if (launch.kind === 'url') {
    return { ...form, name, kind: 'url', url: launch.url, headers: knownRows(launch.headers) };
  }
  const { command, args, env } = launch;
  return { ...form, name, command, args: args.join('\n'), env: knownRows(env) };
}

/** A row to be filled in, behind these. */
export const withRow = (rows: readonly ValueRow[]): ValueRow[] => [
  ...rows,
  { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '', known: false },
];

/** True for arguments that lines do not tell: they stay as long as the lines do. */
export const hasOddArgs = (before: ServerView | null): boolean =>
  before?.launch.kind === 'command' &&
  before.launch.args.some((arg) => arg === '' || /[\r\n]/.test(arg));

/** Scheme, host and port of an address, as the program compares them. */
function placeOf(url: string): string {
  const [, place = url] = /^([a-z]+:\/\/[^/?#]*)/i.exec(url.trim()) ?? [];
  return place;
}

/** True when the address leads elsewhere than before: what was given for the one is not sent there. */
export const leadsElsewhere = ({ url }: ServerForm, before: ServerView | null): boolean =>
  before?.launch.kind === 'url' && placeOf(before.launch.url) !== placeOf(url);

function argsOf({ args }: ServerForm, before: ServerView | null): string[] {
  const was = before?.launch.kind === 'command' ? before.launch.args : [];
  if (args === was.join('\n')) return [...was];
  return args.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** A row that nobody filled in says nothing. */
const filled = (rows: readonly ValueRow[]) =>
  rows.filter(({ name, value, known }) => known || name.trim() !== '' || value !== '');

/** The values by name; null for one that stays as it is. */
function valuesOf(rows: readonly ValueRow[]): Record<string, string | null> {
  const values = filled(rows).map(({ name, value, known }) => {
    return [name.trim(), known && value === '' ? null : value] as const;
  });
  // Made of entries: an assignment to `__proto__` would add nothing.
  return Object.fromEntries(values);
}

function launchOf(form: ServerForm, before: ServerView | null): LaunchDraft {
  if (form.kind === 'url') {
    return { kind: 'url', url: form.url.trim(), headers: valuesOf(form.headers) };
  }
  const command = form.command.trim();
  return { kind: 'command', command, args: argsOf(form, before), env: valuesOf(form.env) };
}

/** What is sent of a form. */
export const draftOf = (form: ServerForm, before: ServerView | null): ServerDraft => ({
  name: form.name.trim(),
  launch: launchOf(form, before),
});

/** What is wrong with a form, as the names of texts; the program says the rest. */
export type ServerFormErrors = Partial<Record<'name' | 'command' | 'url' | 'values', Key>>;

function wrongValues(rows: readonly ValueRow[]): Key | undefined {
  const names = filled(rows).map(({ name }) => name.trim());
  if (names.includes('')) return 'servers.form.needs.valueName';
  return new Set(names).size < names.length ? 'servers.form.needs.otherName' : undefined;
}

/** What has to be put right before it is sent. */
export function wrongIn(form: ServerForm): ServerFormErrors {
  const { name, kind, command, url, env, headers } = form;
  const errors: ServerFormErrors = {};
  if (name.trim() === '') errors.name = 'servers.form.needs.name';
  if (kind === 'command' && command.trim() === '') errors.command = 'servers.form.needs.command';
  if (kind === 'url' && !/^https?:\/\/\S+$/i.test(url.trim())) errors.url = 'settings.url';
  const values = wrongValues(kind === 'url' ? headers : env);
  if (values) errors.values = values;
  return errors;
}

/** An argument in which nothing has to be told from what stands beside it. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./\\-]+$/u;

/** A command as one line in which each argument can be told from the next. */
export const commandLine = (command: string, args: readonly string[]): string =>
  [command, ...args].map((part) => (PLAIN.test(part) ? part : JSON.stringify(part))).join(' ');
