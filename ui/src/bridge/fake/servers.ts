// The servers of the program behind this page: set up, tested, trusted and removed as the host does it.
import { asFailure, type Result } from '../bridge';
import type {
  Failure,
  Phrase,
  Receipt,
  ServerCommand,
  ServerDraft,
  ServerFile,
  ServerView,
  ShownLaunch,
} from '../wire';
import { at } from './data';
import {
  idle,
  LOG,
  noteTools,
  notStarted,
  serverFile,
  serversOf,
  trustedFirst,
} from './server-list';
import { mustBeCalled } from './server-offers';
import {
  eventTools,
  FakeSignIns,
  isSignedOut,
  signInNeeded,
  signInServersOf,
} from './server-sign-in';

/** How long a test takes, in milliseconds; that of `browser` goes on until it is stopped. */
const TEST_MS = 60;
const NEVER_MS = 60_000;

function not(code: Failure['code'], said: Phrase, message: string): never {
  throw { code, message, said } satisfies Failure;
}

const namesOf = (values: object) => Object.keys(values).sort();

/** What is shown of how a server is started: of what may be a key the name alone. */
function shown({ launch }: ServerDraft): ShownLaunch {
  if (launch.kind === 'url') {
    return { kind: 'url', url: launch.url, headers: namesOf(launch.headers) };
  }
  const { command, args, env } = launch;
  return { kind: 'command', command, args, env: namesOf(env) };
}

export class FakeServers {
  private list: ServerView[];
  /** What is trusted in each project, as it was then. */
  private trusted = new Map([['p-notes', trustedFirst()]]);
  private stops = new Map<string, () => void>();
  private signIns: FakeSignIns;
  private scenario: string;

  constructor(scenario: string) {
    this.scenario = scenario;
    this.signIns = new FakeSignIns(scenario);
    this.list = structuredClone(signInServersOf(scenario) ?? serversOf(scenario));
  }

  /** The person is at a page in their browser. */
  opened() {
    this.signIns.opened();
  }

  /** The servers, and which of them are trusted in a project. */
  read(projectId: string | null): ServerView[] {
    const trusted = this.trusted.get(projectId ?? '');
    return this.list.map((server) => {
      const seen = trusted?.get(server.name);
      const trust = seen === undefined ? 'none' : seen === server.sha256 ? 'trusted' : 'changed';
      return structuredClone({ ...server, trust });
    });
  }

  /** Refuses words that call a prompt which no trusted server has, or in another way than it is called. */
  refuseUncalled(words: string) {
    const usable = this.read('p-notes').filter(
      ({ enabled, trust }) => enabled && trust === 'trusted',
    );
    mustBeCalled(
      usable.flatMap(({ prompts }) => prompts),
      words,
    );
  }

  file(): ServerFile {
    if (this.scenario.includes('file-broken')) {
      not(
        'MCP_FILE_INVALID',
        { key: 'no_servers_in_file', values: {} },
        'the file holds no list of servers',
      );
    }
    return serverFile(this.list);
  }

  async submit(command: ServerCommand): Promise<Result<Receipt>> {
    try {
      return { ok: true, value: (await this.tell(command)) ?? {} };
    } catch (thrown) {
      return { ok: false, failure: asFailure(thrown) };
    }
  }

  private async tell(command: ServerCommand): Promise<Receipt | undefined> {
    switch (command.type) {
      case 'save':
        this.save(command.server, command.replaces);
        return;
      case 'import':
        this.import(command.names);
        return;
      case 'remove':
        this.find(command.name);
        this.list = this.list.filter(({ name }) => name !== command.name);
        return;
      case 'switch':
        this.change(command.name, { enabled: command.enabled });
        return;
      case 'test':
        await this.test(command.name);
        return;
      case 'stopTest':
        this.stops.get(command.name)?.();
        return;
      case 'signIn':
        return { signIn: this.signIns.page(this.find(command.name).name) };
      case 'waitForSignIn':
        await this.signIns.wait(command.name);
        this.change(command.name, { signedIn: true, state: 'idle', problem: undefined });
        return;
      case 'stopSignIn':
        this.signIns.stop(command.name);
        return;
      case 'signOut':
        this.change(command.name, { signedIn: false });
        return;
      case 'trust':
        this.trust(command);
        return;
    }
  }

  private find(name: string): ServerView {
    const found = this.list.find((server) => server.name === name);
    const said = { key: 'no_server_named', values: { name } };
    return found ?? not('MCP_SERVER_UNKNOWN', said, `no server \`${name}\` is set up`);
  }

  private change(name: string, part: Partial<ServerView>) {
    this.find(name);
    this.list = this.list.map((it) => (it.name === name ? { ...it, ...part } : it));
  }

  private put(server: ServerView) {
    const others = this.list.filter(({ name }) => name !== server.name);
    this.list = [...others, server].sort((a, b) => a.name.localeCompare(b.name));
  }

  private save(draft: ServerDraft, replaces: string | null) {
    const { name } = draft;
    const invalid = (said: Phrase, message: string) => not('MCP_SERVER_INVALID', said, message);
    if (!/^[\p{L}\p{N}_. -]{1,64}$/u.test(name)) {
      const said = { key: 'server_name', values: { most: '64' } };
      invalid(
        said,
        "a server's name has letters, digits, `-`, `_`, `.` and spaces, 64 bytes at most",
      );
    }
    const before = replaces === null ? null : this.find(replaces);
    if (name !== replaces && this.list.some((it) => it.name === name)) {
      const said = { key: 'server_exists', values: { name } };
      invalid(said, `there is a server \`${name}\` already`);
    }
    this.list = this.list.filter((it) => it !== before);
    const { enabled = true } = before ?? {};
    this.put({ ...idle(name, shown(draft)), enabled });
  }

  private import(names: readonly string[]) {
    for (const { name, launch, taken } of this.file().servers) {
      if (taken || !names.includes(name)) continue;
      this.put(idle(name, launch));
    }
  }

  /** Waits as a server is waited for; false when it was stopped. */
  private wait(name: string): Promise<boolean> {
    return new Promise((done) => {
      const timer = setTimeout(() => done(true), name === 'browser' ? NEVER_MS : TEST_MS);
      this.stops.set(name, () => {
        clearTimeout(timer);
        done(false);
      });
    });
  }

  private async test(name: string) {
    const { tools, sha256 } = this.find(name);
    const asksWho = isSignedOut(this.find(name));
    this.change(name, { state: 'starting', problem: undefined, log: '' });
    if (!(await this.wait(name))) {
      this.change(name, { state: 'idle' });
      throw { code: 'ENGINE_ABORTED', message: 'stopped' } satisfies Failure;
    }
    if (name === 'weather') {
      this.change(name, { state: 'failed', problem: notStarted, log: LOG });
      throw notStarted;
    }
    if (asksWho) {
      this.change(name, { state: 'failed', problem: signInNeeded });
      throw signInNeeded;
    }
    const listed = tools ?? (name === 'calendar' ? eventTools : noteTools);
    const hash = sha256 ?? '3'.repeat(64);
    this.change(name, { state: 'idle', tools: listed, listedAt: at(30), sha256: hash });
  }

  private trust({ projectId, servers, trusted }: Extract<ServerCommand, { type: 'trust' }>) {
    const known = this.trusted.get(projectId) ?? new Map<string, string>();
    this.trusted.set(projectId, known);
    for (const { name, sha256 } of servers) {
      if (!trusted) known.delete(name);
      else if (this.find(name).sha256 === sha256) known.set(name, sha256);
      else {
        const said = { key: 'server_not_as_shown', values: { name } };
        not('MCP_SERVER_CHANGED', said, `the server \`${name}\` is no longer what was shown`);
      }
    }
  }
}
