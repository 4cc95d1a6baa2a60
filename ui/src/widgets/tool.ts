// What the window knows of tools and of their results. The wire has a result as what the program
// that ran the call made of it, which may have been another one: what does not fit is left out.
import type { FailedResult, Failure, Restored, ToolName } from '../bridge/wire';

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
