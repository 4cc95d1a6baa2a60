// What the host refuses of a patch of the settings (nothing is written then), and what it makes of a
// file that it cannot read whole.
import type { Failure, Settings, SettingsView } from '../wire';

type Json = Record<string, unknown>;
const isObject = (v: unknown): v is Json =>
  typeof v === 'object' && v !== null && !Array.isArray(v);

/** Members present are merged, absent ones stay: the same rule as the real settings. */
function merge<T>(old: T, patch: unknown): T {
  if (!isObject(old) || !isObject(patch)) return patch as T;
  const merged: Json = { ...old };
  for (const [key, value] of Object.entries(patch)) {
    // Of what has names of its own a member is taken away; the others have a default of nothing.
    if (value === null && typeof merged[key] === 'string') delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged as T;
}

const KEY = /(^|[^a-z])(api)?(key|secret|token|password|authorization|auth|cookie)s?$/;
const namesAKey = (name: string) =>
  KEY.test(name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase());

const isKeyOfAQuery = (pair: string) => namesAKey(pair.split('=')[0] ?? '');

/** The first field that does not exist, or is named like a key; `null` when all are settings. */
function refusedField(patch: unknown, shape: unknown, at = ''): Failure | null {
  if (!isObject(patch) || !isObject(shape)) return null;
  for (const [name, value] of Object.entries(patch)) {
    const field = at ? `${at}.${name}` : name;
    const free = at === 'model.headers';
    if ((free || !(name in shape)) && value !== null && namesAKey(name)) {
      const message = `\`${field}\` is not kept: keys do not stand among the settings`;
      return { code: 'SETTING_IS_KEY', message, details: { field } };
    }
    if (!free && !(name in shape)) {
      const message = `unknown setting “${field}”`;
      return { code: 'SETTING_INVALID', message, details: { field } };
    }
    if (field === 'model.baseUrl' && String(value).split(/[?#&]/).slice(1).some(isKeyOfAQuery)) {
      const message = `\`${field}\`: it must not hold a user name or a key`;
      return { code: 'SETTING_INVALID', message, details: { field } };
    }
    const below = free ? null : refusedField(value, shape[name], field);
    if (below) return below;
  }
  return null;
}

/** What holds of a file that says `"writes": "Ask"`: the strictest value, and it is said. */
export function brokenSettings(view: SettingsView): SettingsView {
  const settings = { ...view.settings, approval: { writes: 'ask' as const } };
  const why = { key: 'setting_one_of', values: { known: 'auto, ask-outside, ask' } };
  const problem: Failure = {
    code: 'SETTING_INVALID',
    message: 'the setting `approval.writes` is not valid: it must be one of auto, ask-outside, ask',
    said: { key: 'setting_invalid', values: { name: 'approval.writes', why } },
    action: 'Correct it; until then the strictest value is used.',
    advice: { key: 'strictest_holds', values: {} },
    details: { field: 'approval.writes' },
  };
  return { ...view, settings, problems: [problem] };
}

/** What holds of a file that says `"write": "ask"`: it may have been meant for `writes`. */
export function misnamedSettings(view: SettingsView): SettingsView {
  const settings = { ...view.settings, approval: { writes: 'ask' as const } };
  const problem: Failure = {
    code: 'SETTING_INVALID',
    message: 'unknown setting “approval.write”; known there: approval.writes',
    said: {
      key: 'no_setting_but',
      values: { key: 'approval.write', names: 'approval.writes' },
    },
    action:
      'Correct or remove it in settings.json (`crewagent settings set` with the value null removes it); until then the settings that it may stand for have their strictest value: approval.writes.',
    advice: { key: 'strictest_of', values: { names: 'approval.writes' } },
    details: { field: 'approval.write' },
  };
  return { ...view, settings, problems: [problem] };
}

/** A patch without the names that are told as no settings, where it removes them. */
function withoutStrangers(patch: unknown, problems: Failure[], at = ''): unknown {
  if (!isObject(patch)) return patch;
  const told = problems.map(({ details }) => (details as { field?: string } | undefined)?.field);
  const rest = Object.entries(patch).flatMap(([name, value]) => {
    const field = at ? `${at}.${name}` : name;
    if (value === null && told.includes(field)) return [];
    return [[name, withoutStrangers(value, problems, field)] as const];
  });
  return Object.fromEntries(rest);
}

/** The problems that a patch leaves: a field that is set is right again. */
const stillWrong = (problems: Failure[], patch: unknown) =>
  problems.filter(({ details }) => {
    const { field } = (details ?? {}) as { field?: string };
    const set = field?.split('.').reduce<unknown>((at, k) => (isObject(at) ? at[k] : at), patch);
    return set === undefined;
  });

/** The settings after a patch of them, or what is refused of it. */
export function configured(view: SettingsView, asked: unknown): SettingsView {
  const { problems } = view;
  const patch = problems.length ? withoutStrangers(asked, problems) : asked;
  const refused = refusedField(patch, view.settings);
  if (refused) throw refused;
  const turns = (patch as { engine?: { maxTurns?: number } }).engine?.maxTurns;
  if (turns !== undefined && turns > 1000) {
    const failure: Failure = {
      code: 'SETTING_INVALID',
      message: 'engine.maxTurns is at most 1000.',
    };
    throw failure;
  }
  return {
    ...view,
    settings: merge<Settings>(view.settings, patch),
    problems: stillWrong(problems, asked),
  };
}
