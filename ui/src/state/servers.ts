// The servers that are set up, as they were read last; what the person does with them, and which of
// them they do not want to look at now.
import { dequal } from 'dequal/lite';
import type { Result } from '../bridge';
import type { Failure, ServerCommand, ServerFile, ServerView } from '../bridge/wire';
import { busyWith, set } from './ask';
import type { App, View } from './store';

/** The project in which servers are trusted: the one that is open, also behind the settings. */
export const projectOfServers = ({ screen, behind, projectId }: View): string | null =>
  screen === 'workspace' || (screen === 'settings' && behind === 'workspace') ? projectId : null;

type Servers = NonNullable<View['servers']>;

/** The same as before wherever nothing is another: what shows it is not drawn again. */
function asBefore(before: Servers | null, now: Result<ServerView[]>): Servers {
  if (!before?.ok || !now.ok) return before && dequal(before, now) ? before : now;
  const known = new Map(before.value.map((server) => [server.name, server]));
  const value = now.value.map((server) => {
    const same = known.get(server.name);
    return same && dequal(same, server) ? same : server;
  });
  const isSame = value.length === before.value.length;
  return isSame && value.every((it, at) => it === before.value[at]) ? before : { ok: true, value };
}

/** Reads them. An answer to an older question, or about another project, is not taken. */
export async function loadServers(app: App) {
  app.asked.servers += 1;
  const { servers: asked } = app.asked;
  const projectId = projectOfServers(app.store.getState());
  const result = await app.bridge.query({ type: 'servers', projectId });
  const now = app.store.getState();
  if (app.asked.servers !== asked || projectOfServers(now) !== projectId) return;
  const servers = asBefore(now.servers, result);
  if (servers !== now.servers) set(app, { servers });
}

/** Names of what is being done, for `View.busy`. */
export const testing = (name: string) => `test server ${name}`;
export const changing = (name: string) => `change server ${name}`;

/** True while any server is tested. */
export const isTesting = ({ busy }: View): boolean =>
  [...busy].some((task) => task.startsWith(testing('')));

/** Does something with servers and reads them again; why not, when that is refused. */
export function tellServers(
  app: App,
  task: string,
  command: ServerCommand,
): Promise<Failure | null> {
  return busyWith(app, task, async () => {
    const result = await app.bridge.submit({ type: 'servers', command });
    await loadServers(app);
    // A stop is what the person asked for.
    return result.ok || result.failure.code === 'ENGINE_ABORTED' ? null : result.failure;
  });
}

type Draft = Extract<ServerCommand, { type: 'save' }>['server'];

/** Sets a server up, or changes one. */
export const saveServer = (app: App, server: Draft, replaces: string | null) =>
  tellServers(app, 'saveServer', { type: 'save', server, replaces });

export const removeServer = (app: App, name: string) =>
  tellServers(app, changing(name), { type: 'remove', name });

/** Lets a server be used, or no more. */
export const switchServer = (app: App, name: string, enabled: boolean) =>
  tellServers(app, changing(name), { type: 'switch', name, enabled });

/** Starts a server or reaches it, and reads its tools. */
export function testServer(app: App, name: string): Promise<Failure | null> {
  const projectId = projectOfServers(app.store.getState());
  return tellServers(app, testing(name), { type: 'test', name, projectId });
}

export const stopServerTest = (app: App, name: string) =>
  void app.bridge.submit({ type: 'servers', command: { type: 'stopTest', name } });

/** Trusts a server in the open project as it was shown, or trusts it no more. */
export async function trustServer(
  app: App,
  { name, sha256 }: ServerView,
  trusted: boolean,
): Promise<Failure | null> {
  const projectId = projectOfServers(app.store.getState());
  if (!projectId || (trusted && sha256 === undefined)) return null;
  const servers = [{ name, sha256: sha256 ?? '' }];
  return tellServers(app, changing(name), { type: 'trust', projectId, servers, trusted });
}

/** What the file of another program says of servers. */
export const readServerFile = (app: App, path: string): Promise<Result<ServerFile>> =>
  app.bridge.query({ type: 'serverFile', path });

export const importServers = (app: App, path: string, names: readonly string[]) =>
  tellServers(app, 'importServers', { type: 'import', path, names: [...names] });

/** Those that could be used in the open project, and are not trusted there. */
export const waitingIn = (servers: View['servers']): readonly ServerView[] =>
  servers?.ok ? servers.value.filter(({ enabled, trust }) => enabled && trust !== 'trusted') : [];

/** What tells a server that waits from what it was before it changed. */
const markOf = ({ name, trust, sha256 = '' }: ServerView): string =>
  trust === 'changed' ? `${name} ${sha256.slice(0, 12)}` : name;

/** How many projects are remembered in which somebody did not want to look. */
const REMEMBERED = 20;

/** The person does not want to look at these now: nothing is said until another one waits. */
export function lookLater(app: App, waiting: readonly ServerView[]) {
  const { serversLater, projectId } = app.store.getState();
  if (!projectId) return;
  const others = serversLater.filter(([project]) => project !== projectId);
  const now = [projectId, waiting.map(markOf)] as const;
  set(app, { serversLater: [...others, now].slice(-REMEMBERED) });
}

/** True when the person is to be told of servers that wait: one of them they have not put off. */
export function tellsOf(
  waiting: readonly ServerView[],
  later: View['serversLater'],
  projectId: string | null,
): boolean {
  const [, off = []] = later.find(([project]) => project === projectId) ?? [];
  return waiting.some((server) => !off.includes(markOf(server)));
}
