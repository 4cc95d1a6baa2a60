import { ExternalLink, LoaderCircle, LogIn, LogOut } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { asFailure } from '../bridge';
import type { Failure, ServerView, SignInPage } from '../bridge/wire';
import { useWords } from '../i18n';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { isFocusFree } from '../kit/focus';
import { Fold } from '../kit/fold';
import { Name } from '../kit/name';
import { useCopy } from '../kit/use-copy';
import { busyWith } from '../state/ask';
import { changing, loadServers } from '../state/servers';
import {
  askForSignInPage,
  signingIn,
  signOut,
  stopSignIn,
  waitForSignIn,
  wantsSignIn,
} from '../state/sign-in';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { type Run, type Tester, useOccupied } from './server-test';

/** What can be pressed next in a card, the first that there is. */
const NEXT = ['test-server', 'trust-server', 'untrust-server'];

/** A button that goes while it has the focus hands it on within its card. */
function useFocusHandedOn(button: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const own = button.current;
    const card = own?.closest('li');
    return () => {
      if (document.activeElement !== own) return;
      // After whatever takes its place is there.
      setTimeout(() => {
        // A dialog around it takes what is free.
        const around = card?.closest('[role=dialog]') ?? null;
        if (!isFocusFree() && document.activeElement !== around) return;
        const found = NEXT.map((id) => card?.querySelector<HTMLElement>(`[data-testid=${id}]`));
        found.find((it) => it)?.focus();
      });
    };
  }, [button]);
}

/** Where somebody signs in; null while the server is asked for that. */
type Where = { page: SignInPage | null };

/** Somebody who may sign in at a server. */
export interface SigningIn {
  button: RefObject<HTMLButtonElement | null>;
  /** Where they do, from the press to the end; null before and after. */
  where: Where | null;
  begin: () => Promise<void>;
  /** They are waited for no more. */
  stop: () => void;
}

/** The way to sign in at a server. Then it is tested at once, so that its tools are listed. */
export function useSignIn({ name }: ServerView, run: Run, { test }: Tester): SigningIn {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  const [where, setWhere] = useState<Where | null>(null);
  const isHere = useRef(false);
  const waits = useRef(false);
  const stop = useCallback(() => {
    if (waits.current) stopSignIn(app, name);
    waits.current = false;
    setWhere(null);
  }, [app, name]);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      stop();
    };
  }, [stop]);
  const signIn = async (onSignedIn: () => void): Promise<Failure | null> => {
    waits.current = true;
    setWhere({ page: null });
    const asked = await askForSignInPage(app, name);
    if (!waits.current) {
      // The stop may have been heard before there was anything to stop.
      if (asked.ok) stopSignIn(app, name);
      return null;
    }
    if (!asked.ok) {
      waits.current = false;
      setWhere(null);
      return asked.failure;
    }
    setWhere({ page: asked.value });
    const back = await waitForSignIn(app, name);
    const isStopped = !waits.current;
    waits.current = false;
    setWhere(null);
    if (back.ok) onSignedIn();
    // A stop is what the person asked for, whichever of the two was heard first.
    const isWell = back.ok || isStopped || back.failure.code === 'ENGINE_ABORTED';
    return isWell ? null : back.failure;
  };
  const begin = async () => {
    let isSignedIn = false;
    const task = () =>
      signIn(() => {
        isSignedIn = true;
      });
    await run(() => busyWith(app, signingIn(name), task));
    await loadServers(app);
    if (isSignedIn && isHere.current) await test();
  };
  return { button, where, begin, stop };
}

/** What is waited for, read out when it begins. */
function Waits({ children }: { children: ReactNode }) {
  return (
    <div className="sign-in-waits" role="status" data-testid="sign-in-waits">
      {children && (
        <>
          <LoaderCircle size={15} className="spin" aria-hidden />
          <p>{children}</p>
        </>
      )}
    </div>
  );
}

/** Whose page it is, and what is to be known before it is opened or while the person is there. */
function PageShown({ page, isAway }: { page: SignInPage; isAway: boolean }) {
  const { t } = useWords();
  return (
    <>
      <p>{t('servers.signIn.page')}</p>
      <p className="mono url" data-testid="sign-in-host">
        <Name text={page.host} />
      </p>
      <Fold label={t('servers.signIn.address')} testId="sign-in-address">
        <p className="mono sign-in-address">
          <Name text={page.url} />
        </p>
      </Fold>
      {/* What is said now is read out; while it is empty it takes no room. */}
      <div>
        {!isAway && <p>{t('servers.signIn.caution')}</p>}
        <Waits>{isAway && t('servers.signIn.waits')}</Waits>
      </div>
    </>
  );
}

/** The ways to the page: to open it, and to take its address elsewhere. */
function Ways({ page, isAway, open }: { page: SignInPage; isAway: boolean; open: () => void }) {
  const { t } = useWords();
  const { copied, copy, forget } = useCopy();
  return (
    <>
      {isAway && (
        <Button data-testid="sign-in-copy" onClick={() => void copy(page.url)} onBlur={forget}>
          {t(copied ? 'action.copied' : 'servers.signIn.copy')}
        </Button>
      )}
      <Button
        kind={isAway ? 'plain' : 'primary'}
        icon={ExternalLink}
        data-testid="sign-in-open"
        onClick={open}
      >
        {t(isAway ? 'servers.signIn.again' : 'servers.signIn.open')}
      </Button>
    </>
  );
}

interface DialogProps {
  name: string;
  /** Null while the server is asked for it. */
  page: SignInPage | null;
  /** The page has been opened before. */
  isOpened?: boolean;
  /** What has the focus afterwards. */
  finalFocus?: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Says whose page it is before it is opened, and waits while the person is there. */
export function SignInDialog({ name, page, isOpened, finalFocus, onClose }: DialogProps) {
  const app = useApp();
  const { t } = useWords();
  const [isAway, setAway] = useState(isOpened ?? false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const open = (url: string) => {
    setFailure(null);
    setAway(true);
    app.bridge.openLink(url).catch((thrown) => setFailure(asFailure(thrown)));
  };
  return (
    <Dialog
      title={t('servers.signIn.title', { name })}
      finalFocus={finalFocus}
      onClose={onClose}
      testId="sign-in-dialog"
      footer={
        <>
          <Button data-testid="sign-in-cancel" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          {page && <Ways page={page} isAway={isAway} open={() => open(page.url)} />}
        </>
      }
    >
      {page ? <PageShown page={page} isAway={isAway} /> : <Waits>{t('servers.signIn.asks')}</Waits>}
      {failure && <FailureBox failure={failure} />}
    </Dialog>
  );
}

interface SignInProps {
  server: ServerView;
  signing: SigningIn;
}

function SignInButton({ server, signing }: SignInProps) {
  const { t } = useWords();
  const { button, begin } = signing;
  const { name } = server;
  const busy = useView((v) => v.busy.has(signingIn(name)));
  const isOccupied = useOccupied(server);
  useFocusHandedOn(button);
  return (
    <Button
      ref={button}
      kind="primary"
      size="s"
      icon={LogIn}
      busy={busy}
      aria-disabled={isOccupied}
      aria-label={busy ? undefined : t('servers.signIn.of', { name })}
      data-testid="sign-in"
      onClick={() => {
        if (!isOccupied) void begin();
      }}
    >
      {t(busy ? 'servers.signIn.busy' : 'servers.signIn')}
    </Button>
  );
}

/** For a server that wants to know who asks it: the way to sign in there. */
export function SignIn({ server, signing }: SignInProps) {
  const { button, where, stop } = signing;
  return (
    <>
      {wantsSignIn(server) && <SignInButton server={server} signing={signing} />}
      {where && (
        <SignInDialog name={server.name} page={where.page} finalFocus={button} onClose={stop} />
      )}
    </>
  );
}

function SignOut({ name, run }: { name: string; run: Run }) {
  const app = useApp();
  const { t } = useWords();
  const button = useRef<HTMLButtonElement>(null);
  const busy = useView((v) => v.busy.has(changing(name)));
  useFocusHandedOn(button);
  return (
    <Button
      ref={button}
      kind="quiet"
      size="s"
      icon={LogOut}
      aria-disabled={busy}
      aria-label={t('servers.signOut.of', { name })}
      data-testid="sign-out"
      onClick={() => {
        if (!busy) void run(() => signOut(app, name));
      }}
    >
      {t('servers.signOut')}
    </Button>
  );
}

/** That the person is signed in, and the way out. */
export function SignedIn({ server, run }: { server: ServerView; run: Run }) {
  const { t } = useWords();
  const { name, launch, signedIn } = server;
  if (!signedIn || launch.kind !== 'url') return null;
  return (
    <div className="server-trust" data-testid="signed-in">
      {/* Who is asked to sign in again is so no more. */}
      {!wantsSignIn(server) && <Badge tone="ok">{t('servers.signedIn')}</Badge>}
      <SignOut name={name} run={run} />
    </div>
  );
}
