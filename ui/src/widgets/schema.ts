// The part of JSON Schema a form may use: string, number, integer, boolean, enum, required,
// description, default, and plain limits (spec 05 "Widgets"). The runtime checks the value again,
// and it alone against a pattern: here a model's `^(a+)+$` would keep the window busy for ever.

import type { Key } from '../i18n';
import { visible } from '../i18n/visible';
import { own } from './own';

/** One field of a form. */
export interface FormField {
  name: string;
  label: string;
  description?: string;
  kind: 'string' | 'number' | 'integer' | 'boolean' | 'enum';
  required: boolean;
  /** Several lines. */
  long: boolean;
  options: { value: unknown; label: string }[];
  initial: string | boolean;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
}

/** What stands in the controls: text, or on and off. Enums hold the position of their option. */
export type FormValues = Record<string, string | boolean>;
/** What is wrong with a field, as a text's name and its values. */
export type FormErrors = Record<string, { key: Key; limit?: number }>;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOr = (value: unknown) => (typeof value === 'number' ? value : undefined);
const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined);

function kindOf(property: Json): FormField['kind'] {
  if (Array.isArray(property.enum)) return 'enum';
  switch (property.type) {
    case 'number':
    case 'integer':
    case 'boolean':
      return property.type;
    default:
      return 'string';
  }
}

function fieldOf(name: string, property: Json, required: boolean): FormField {
  const kind = kindOf(property);
  const names = Array.isArray(property.enumNames) ? property.enumNames : [];
  const options = (Array.isArray(property.enum) ? property.enum : []).map((value, at) => ({
    value,
    label: visible(String(names[at] ?? value)),
  }));
  const maxLength = numberOr(property.maxLength);
  const field: FormField = {
    name,
    label: visible(textOr(property.title) ?? name),
    description: visible(textOr(property.description) ?? ''),
    kind,
    required,
    long:
      property.format === 'multiline' || property.format === 'textarea' || (maxLength ?? 0) > 160,
    options,
    initial: kind === 'boolean' ? false : '',
    min: numberOr(property.minimum),
    max: numberOr(property.maximum),
    minLength: numberOr(property.minLength),
    maxLength,
  };
  return { ...field, initial: toControl(field, property.default) };
}

/** What a control shows for a value. */
export function toControl(field: FormField, value: unknown): string | boolean {
  if (field.kind === 'boolean') return value === true;
  if (field.kind !== 'enum') {
    // An object may have its own idea of how to become a text, and throw.
    return typeof value === 'object' || value === undefined ? '' : String(value);
  }
  const at = field.options.findIndex((option) => option.value === value);
  return at < 0 ? '' : String(at);
}

/** The fields of a schema, in its order. */
export function fieldsOf(schema: unknown): FormField[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties)
    .filter((entry): entry is [string, Json] => isObject(entry[1]))
    .map(([name, property]) => fieldOf(name, property, required.includes(name)));
}

/** Whether what is written there can be wrong, as far as the window tells. */
export const canFail = ({ kind, required, minLength, maxLength }: FormField): boolean =>
  kind !== 'boolean' &&
  (required || kind === 'number' || kind === 'integer' || (minLength ?? maxLength) !== undefined);

function errorIn(field: FormField, raw: string): FormErrors[string] | null {
  if (field.kind === 'number' || field.kind === 'integer') {
    const value = Number(raw);
    if (!Number.isFinite(value)) return { key: 'widget.number' };
    if (field.kind === 'integer' && !Number.isInteger(value)) return { key: 'widget.integer' };
    if (field.min !== undefined && value < field.min)
      return { key: 'widget.min', limit: field.min };
    if (field.max !== undefined && value > field.max)
      return { key: 'widget.max', limit: field.max };
  }
  if (field.kind === 'string') {
    const length = [...raw].length;
    if (field.minLength !== undefined && length < field.minLength) {
      return { key: 'widget.minLength', limit: field.minLength };
    }
    if (field.maxLength !== undefined && length > field.maxLength) {
      return { key: 'widget.maxLength', limit: field.maxLength };
    }
  }
  return null;
}

function typed(field: FormField, raw: string): unknown {
  if (field.kind === 'enum') return field.options[Number(raw)]?.value;
  return field.kind === 'string' ? raw : Number(raw);
}

/** The value to submit, or what is wrong. Empty optional fields are left out. */
export function collect(
  fields: FormField[],
  values: FormValues,
): { value: Json; errors: FormErrors } {
  const value: [string, unknown][] = [];
  const errors: [string, FormErrors[string]][] = [];
  for (const field of fields) {
    const raw = own(values, field.name) ?? field.initial;
    if (typeof raw === 'boolean') {
      value.push([field.name, raw]);
      continue;
    }
    if (raw.trim() === '') {
      if (field.required) errors.push([field.name, { key: 'widget.required' }]);
      continue;
    }
    const error = errorIn(field, raw);
    if (error) errors.push([field.name, error]);
    else value.push([field.name, typed(field, raw)]);
  }
  // Made of entries: an assignment to `__proto__` would add nothing.
  return { value: Object.fromEntries(value), errors: Object.fromEntries(errors) };
}
