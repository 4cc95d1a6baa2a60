// Signing in at a server that wants to know who asks it: where that is done, and the wait for the
// person who is there.
import type { Result } from '../bridge';
import type { Failure, ServerView, SignInPage } from '../bridge/wire';
import { changing, tellServers } from './servers';
import type { App } from './store';

/** The name of a sign-in from the press to its end, for `View.busy`. */
export const signingIn = (name: string) => `sign in ${name}`;

/** True when a server was asked, and wants to know who asks. */
export const wantsSignIn = ({ launch, problem }: ServerView): boolean =>
  launch.kind === 'url' && problem?.code === 'E_MCP_SIGN_IN';

/** Any other address might start a program. */
const isOfWeb = (url: string): boolean => /^https?:\/\//i.test(url);

const unsafe = (name: string): Failure => ({
  code: 'MCP_SIGN_IN_FAILED',
  message: `the person could not be signed in at the server \`${name}\`: where one signs in is named by an address that is not safe`,
  said: {
    key: 'sign_in_failed',
    values: { name, why: { key: 'sign_in_in_the_clear', values: {} } },
  },
});

/** Asks for the page where the person signs in. */
export async function askForSignInPage(app: App, name: string): Promise<Result<SignInPage>> {
  const result = await app.bridge.submit({ type: 'servers', command: { type: 'signIn', name } });
  if (!result.ok) return result;
  const { signIn } = result.value;
  if (signIn && isOfWeb(signIn.url)) return { ok: true, value: signIn };
  stopSignIn(app, name);
  return { ok: false, failure: unsafe(name) };
}

/** Waits until the person is back from that page. */
export const waitForSignIn = (app: App, name: string): Promise<Result<unknown>> =>
  app.bridge.submit({ type: 'servers', command: { type: 'waitForSignIn', name } });

/** Waits for them no more. */
export const stopSignIn = (app: App, name: string) =>
  void app.bridge.submit({ type: 'servers', command: { type: 'stopSignIn', name } });

/** Forgets that the person is signed in. */
export const signOut = (app: App, name: string) =>
  tellServers(app, changing(name), { type: 'signOut', name });
