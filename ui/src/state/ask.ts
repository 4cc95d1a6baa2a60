// Asking the program, and showing what came of it.
import type { Result } from '../bridge';
import type { Command, Receipt } from '../bridge/wire';
import { type App, fail, type View } from './store';

/** Changes a part of what is shown. */
export const set = (app: App, part: Partial<View>) => app.store.setState(part);

/** Runs a task under a name that buttons can look up in `busy`. */
export async function busyWith<T>(app: App, name: string, task: () => Promise<T>): Promise<T> {
  const { busy } = app.store.getState();
  set(app, { busy: new Set(busy).add(name) });
  try {
    return await task();
  } finally {
    const rest = new Set(app.store.getState().busy);
    rest.delete(name);
    set(app, { busy: rest });
  }
}

/** Submits, and shows the failure when there is one. */
export async function ask(app: App, command: Command): Promise<Receipt | null> {
  const result = await app.bridge.submit(command);
  if (result.ok) return result.value;
  fail(app, result.failure);
  return null;
}

/** Keeps the part of an answer that is shown, or shows the failure. */
export function keep<T>(app: App, result: Result<T>, part: (value: T) => Partial<View>) {
  if (result.ok) set(app, part(result.value));
  else fail(app, result.failure);
}
