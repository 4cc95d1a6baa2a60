// What the window knows of tools and of their results. The wire has a result as what the program
// that ran the call made of it, which may have been another one: what does not fit is left out.
import type { FailedResult, Failure, Item, Restored, ToolName } from '../bridge/wire';

/** True for a call of one of these tools. */
export const isCallOf = (tool: string, ...tools: ToolName[]): boolean =>
  tools.some((name) => name === tool);

/** What is known of some of the tools. */
export type ByTool<T> = Partial<Record<ToolName, T>>;

/** What is known of a tool, which need not be one that this window knows. */
export const ofTool = <T>(known: ByTool<T>, tool: string): T | undefined =>
  Object.hasOwn(known, tool) ? known[tool as ToolName] : undefined;

/** The members of a value that is to be a `T`, whatever they are; none of anything else. */
export const members = <T>(value: unknown): { [K in keyof T]?: unknown } =>
  typeof value === 'object' && value !== null ? value : {};

const files = <T extends { path: string }>(value: unknown): T[] =>
  Array.isArray(value) ? value.filter((file) => typeof members<T>(file).path === 'string') : [];

/** The code of a call that came to nothing. */
export function codeOf(result: unknown): string | null {
  const { code } = members<Failure>(members<FailedResult>(result).error);
  return typeof code === 'string' ? code : null;
}

/** What a rewind made of files. */
export function restoredOf(result: unknown): Restored {
  const { restored, conflicts } = members<Restored>(result);
  return { restored: files(restored), conflicts: files(conflicts) };
}

type CallBody = Extract<Item['body'], { type: 'call' }>;

/** The skill that a call is about, with the file of it; undefined where it is about none. */
export function skillOf({ tool, args }: Pick<CallBody, 'tool' | 'args'>): string | undefined {
  if (!isCallOf(tool, 'skill.activate', 'skill.read')) return undefined;
  const { name, skill, path } = members<Record<string, unknown>>(args);
  const parts = [name ?? skill, path].filter((part) => typeof part === 'string' && part !== '');
  return parts.join(' · ') || undefined;
}

/** A part of what a server answered. */
export type ServerPart =
  | { kind: 'text'; text: string }
  | { kind: 'binary'; type: string; bytes: number }
  | { kind: 'link'; name: string; uri: string }
  | { kind: 'other' };

/** What a server answered to a call. */
export interface ServerAnswer {
  parts: ServerPart[];
  /** The same as JSON, where it says so. */
  structured: unknown;
  /** How many parts are left out. */
  leftOut: number;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

function partOf(value: unknown): ServerPart {
  const { type, text, mime_type, bytes, name, uri } = members<Record<string, unknown>>(value);
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if (type === 'binary') return { kind: 'binary', type: textOf(mime_type), bytes: countOf(bytes) };
  if (type === 'resource_link') return { kind: 'link', name: textOf(name), uri: textOf(uri) };
  return { kind: 'other' };
}

/** What a server answered; null for a result in another shape. */
export function serverAnswerOf(result: unknown): ServerAnswer | null {
  const { server, content, structured, leftOut } = members<Record<string, unknown>>(result);
  if (typeof server !== 'string' || !Array.isArray(content)) return null;
  return { parts: content.map(partOf), structured, leftOut: countOf(leftOut) };
}
