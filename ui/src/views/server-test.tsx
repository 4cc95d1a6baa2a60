import { PlugZap, Square } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import type { Failure, ServerView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { stopServerTest, testing, testServer } from '../state/servers';
import { signingIn } from '../state/sign-in';
import { useApp, useView } from '../state/store';

export type Run = (task: () => Promise<Failure | null>) => Promise<boolean>;

/** What is done with a server, one after the other, and why the last of it was refused. */
export function useTasks(): { failure: Failure | null; run: Run } {
  const [failure, setFailure] = useState<Failure | null>(null);
  const run: Run = async (task) => {
    setFailure(null);
    const refused = await task();
    setFailure(refused);
    return refused === null;
  };
  return { failure, run };
}

/** The way to test a server. */
export interface Tester {
  button: RefObject<HTMLButtonElement | null>;
  /** It is tested from here. */
  busy: boolean;
  test: () => Promise<void>;
  stop: () => void;
}

/** Starts a server and asks for its tools; that can be stopped. `onListed`: they are known now. */
export function useTest({ name }: ServerView, run: Run, onListed: () => void): Tester {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  const busy = useView((v) => v.busy.has(testing(name)));
  const isStopped = useRef(false);
  const test = async () => {
    isStopped.current = false;
    const isWell = await run(() => testServer(app, name));
    if (isWell && !isStopped.current) onListed();
  };
  const stop = () => {
    isStopped.current = true;
    button.current?.focus();
    stopServerTest(app, name);
  };
  return { button, busy, test, stop };
}

/** True while a server starts, or somebody signs in at it: neither is begun again then. */
export function useOccupied({ name, state }: ServerView): boolean {
  const signsIn = useView((v) => v.busy.has(signingIn(name)));
  return state === 'starting' || signsIn;
}

interface TestProps {
  server: ServerView;
  tester: Tester;
  words: Record<'rest' | 'of', Key>;
  kind?: 'primary';
}

/** The button for that. The focus stays where it was. */
export function Test({ server, tester, words, kind }: TestProps) {
  const { t } = useWords();
  const { button, busy, test, stop } = tester;
  const { name } = server;
  const isOccupied = useOccupied(server);
  return (
    <>
      <Button
        ref={button}
        kind={kind}
        size="s"
        icon={PlugZap}
        busy={busy}
        aria-disabled={isOccupied}
        aria-label={busy ? undefined : t(words.of, { name })}
        data-testid="test-server"
        onClick={() => {
          if (!isOccupied) void test();
        }}
      >
        {t(busy ? 'servers.test.busy' : words.rest)}
      </Button>
      {busy && (
        <Button
          size="s"
          icon={Square}
          aria-label={t('servers.test.stop', { name })}
          data-testid="stop-server-test"
          onClick={stop}
        >
          {t('action.stop')}
        </Button>
      )}
      <span className="hint" role="status">
        {busy && t('servers.test.long')}
      </span>
    </>
  );
}
