// A server of this page that wants to know who asks it: the page for that, and whether the person
// comes back from it.
import type { Failure, ServerToolView, ServerView, SignInPage } from '../wire';
import { at } from './data';
import { files, idle, tool } from './server-list';

/** How long the person is at the page, in milliseconds. */
const AWAY_MS = 600;

export const signInNeeded: Failure = {
  code: 'E_MCP_SIGN_IN',
  message: 'the server `calendar` wants to know who asks it; sign in there first',
  said: { key: 'sign_in_needed', values: { name: 'calendar' } },
};

const reasons = {
  sign_in_refused: 'the page says: this account has no calendar',
  nobody_signs_in_there: 'the server does not say where one signs in',
};

const failed = (why: keyof typeof reasons): Failure => ({
  code: 'MCP_SIGN_IN_FAILED',
  message: `the person could not be signed in at the server \`calendar\`: ${reasons[why]}`,
  said: {
    key: 'sign_in_failed',
    values: {
      name: 'calendar',
      why: { key: why, values: { words: 'this account has no calendar' } },
    },
  },
});

export const signInFailed: Failure = failed('sign_in_refused');

export const signInPage: SignInPage = {
  host: 'accounts.example.org',
  url:
    'https://accounts.example.org/oauth/authorize?response_type=code&client_id=crewagent-7c1e' +
    '&redirect_uri=http%3A%2F%2F127.0.0.1%3A51234%2Fcallback&scope=events.read+events.write' +
    '&state=p0Q3sVvX9a2&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' +
    '&code_challenge_method=S256&resource=https%3A%2F%2Fcalendar.example.org%2Fmcp',
};

export const eventTools: ServerToolView[] = [
  tool('calendar', 'list_events', 'reads', 'Lists the events of a day.', 'List events'),
  tool('calendar', 'add_event', 'adds', 'Adds an event.', 'Add an event'),
];

/** One that was asked, and wants to know who asks. */
export const calendar: ServerView = {
  ...idle('calendar', { kind: 'url', url: 'https://calendar.example.org/mcp', headers: [] }),
  state: 'failed',
  problem: signInNeeded,
};

/** The same where the person is signed in. */
export const signedInCalendar: ServerView = {
  ...calendar,
  state: 'idle',
  problem: undefined,
  signedIn: true,
  tools: eventTools,
  listedAt: at(12),
  sha256: '4'.repeat(64),
};

/** The servers of a scenario in which somebody signs in. */
export function signInServersOf(scenario: string): ServerView[] | null {
  if (!scenario.startsWith('servers-sign')) return null;
  return [scenario === 'servers-signed-in' ? signedInCalendar : calendar, files];
}

export const isSignedOut = ({ name, signedIn }: ServerView): boolean =>
  name === calendar.name && !signedIn;

/** Who is about to sign in at a server. */
export class FakeSignIns {
  /** What ends each wait. */
  private waits = new Map<string, { back: () => void; stop: () => void }>();
  private scenario: string;

  constructor(scenario: string) {
    this.scenario = scenario;
  }

  page(name: string): SignInPage {
    if (this.scenario === 'servers-sign-in-nowhere') throw failed('nobody_signs_in_there');
    this.stop(name);
    return signInPage;
  }

  wait(name: string): Promise<void> {
    return new Promise((done, refuse) => {
      const isRefused = this.scenario === 'servers-sign-in-failed';
      const stopped: Failure = { code: 'ENGINE_ABORTED', message: 'stopped' };
      this.waits.set(name, {
        back: () => (isRefused ? refuse(signInFailed) : done()),
        stop: () => refuse(stopped),
      });
    });
  }

  stop(name: string) {
    this.waits.get(name)?.stop();
    this.waits.delete(name);
  }

  /** Whoever is waited for comes back in a moment, but where they never do. */
  opened() {
    if (this.scenario === 'servers-sign-in-waits') return;
    for (const { back } of this.waits.values()) setTimeout(back, AWAY_MS);
  }
}
