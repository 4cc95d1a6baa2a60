// What the host refuses of a patch of the settings: nothing is written then.
import type { Failure } from '../wire';

type Json = Record<string, unknown>;
const isObject = (v: unknown): v is Json =>
  typeof v === 'object' && v !== null && !Array.isArray(v);

const KEY = /(^|[^a-z])(api)?(key|secret|token|password|authorization|auth|cookie)s?$/;
const namesAKey = (name: string) =>
  KEY.test(name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase());

const isKeyOfAQuery = (pair: string) => namesAKey(pair.split('=')[0] ?? '');

/** The first field that does not exist, or is named like a key; `null` when all are settings. */
export function refusedField(patch: unknown, shape: unknown, at = ''): Failure | null {
  if (!isObject(patch) || !isObject(shape)) return null;
  for (const [name, value] of Object.entries(patch)) {
    const field = at ? `${at}.${name}` : name;
    const free = at === 'model.headers';
    if ((free || !(name in shape)) && value !== null && namesAKey(name)) {
      const message = `\`${field}\` is not kept: keys do not stand among the settings`;
      return { code: 'SETTING_IS_KEY', message, details: { field } };
    }
    if (!free && !(name in shape)) {
      const message = `there is no setting \`${field}\``;
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
