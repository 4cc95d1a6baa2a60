import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { asFailure } from '../bridge';
import { resolveLanguage, useWords, WordsProvider } from '../i18n';
import { visible } from '../i18n/visible';
import { Boundary } from '../kit/boundary';
import { Broken } from '../kit/broken';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { closeInspection, inspectEach, leave } from '../state/actions';
import { keepNow } from '../state/drafts';
import { loadEverything } from '../state/load';
import { playDemo } from '../state/projects';
import { closeRequests } from '../state/requests';
import { rememberPlace, returnTo, takeUpPlace } from '../state/session';
import { type App, fail, useApp, useView } from '../state/store';
import { LinkContext } from '../widgets/markdown';
import { useAnnouncements } from './announcements';
import { useLegibility, useTheme } from './appearance';
import { Bars, isWriting } from './bars';
import { GraphDialog } from './graph-dialog';
import { KeySheet } from './key-sheet';
import { ModelView } from './model-view';
import { useNotices } from './notices';
import { PackageDialog } from './package-dialog';
import { Palette } from './palette';
import { ProjectQuestion } from './project-question';
import { RewindDialog } from './rewind-dialog';
import { useSelectAllKey } from './select-all';
import { Settings } from './settings';
import { useShortcuts } from './shortcuts';
import { Start } from './start';
import { TalkTo } from './talk-picker';
import { usePartKeys } from './window-parts';
import { Workspace } from './workspace';

function LinkDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useWords();
  const app = useApp();
  const { bridge } = app;
  const open = () => {
    bridge.openLink(url).catch((thrown) => fail(app, asFailure(thrown)));
    onClose();
  };
  return (
    <Dialog
      title={t('link.title')}
      onClose={onClose}
      testId="link-dialog"
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" data-testid="link-open" onClick={open}>
            {t('link.open')}
          </Button>
        </>
      }
    >
      <p>{t('link.text')}</p>
      <p className="mono url">{visible(url)}</p>
    </Dialog>
  );
}

interface GuardedProps {
  /** What it shows. */
  of: unknown;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that cannot be shown can be closed, and takes no screen with it. */
function Guarded({ of, onClose, children }: GuardedProps) {
  const { t } = useWords();
  const broken = () => (
    <Dialog title={t('broken.dialog')} onClose={onClose} footer={null}>
      <Broken part="dialog" />
    </Dialog>
  );
  return (
    <Boundary of={of} instead={broken}>
      {children}
    </Boundary>
  );
}

function Screens() {
  const app = useApp();
  const screen = useView((v) => v.screen);
  const inspection = useView((v) => v.inspection);
  const question = useView((v) => v.projectQuestion);
  const requests = useView((v) => v.requests);
  const rewind = useView((v) => v.rewind);
  const overlay = useView((v) => v.overlay);
  const conversationId = useView((v) => v.conversationId);
  const writing = useView(isWriting);
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => app.bridge.onPackagesDropped((paths) => inspectEach(app, paths)), [app]);
  useNotices();
  useShortcuts();
  useAnnouncements();
  useSelectAllKey();
  usePartKeys();
  const openLink = useCallback((url: string) => setLink(url), []);
  return (
    <LinkContext.Provider value={openLink}>
      <div className="screens">
        <div className="screen">
          {screen === 'start' && <Start />}
          {screen === 'workspace' && <Workspace />}
          {screen === 'settings' && <Settings />}
        </div>
        {!writing && <Bars />}
      </div>
      {inspection && (
        <Guarded of={inspection} onClose={() => void closeInspection(app)}>
          <PackageDialog />
        </Guarded>
      )}
      {requests && (
        <Guarded of={requests} onClose={() => closeRequests(app)}>
          <ModelView />
        </Guarded>
      )}
      {question && (
        <Guarded of={question} onClose={() => app.store.setState({ projectQuestion: null })}>
          <ProjectQuestion />
        </Guarded>
      )}
      {rewind && (
        <Guarded of={rewind} onClose={() => app.store.setState({ rewind: null })}>
          <RewindDialog asked={rewind} onClose={() => app.store.setState({ rewind: null })} />
        </Guarded>
      )}
      {overlay === 'palette' && <Palette />}
      {overlay === 'talk' && <TalkTo />}
      {overlay === 'keys' && <KeySheet />}
      {overlay === 'graph' && (
        <GraphDialog key={conversationId} onClose={() => app.store.setState({ overlay: null })} />
      )}
      {link && <LinkDialog url={link} onClose={() => setLink(null)} />}
    </LinkContext.Provider>
  );
}

/**
 * Loads what is there. A window that was opened for the demo plays it, once; one that was loaded
 * again goes back to where the person was.
 */
async function begin(app: App) {
  await loadEverything(app);
  const asked = new URLSearchParams(location.search).has('demo');
  const place = takeUpPlace(app);
  if (asked) {
    history.replaceState(null, '', location.pathname);
    await playDemo(app);
  } else {
    await returnTo(app, place);
  }
  rememberPlace(app);
  app.store.setState({ begun: true });
  // Each start says so: what cannot be read of the settings may be what guards the files.
  const { failure, settings } = app.store.getState();
  const [problem] = settings?.problems ?? [];
  if (problem && !failure) fail(app, problem);
}

/** In place of all screens; the way out leads past whatever was open. */
function BrokenScreen({ again }: { again: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const back = () => {
    leave(app);
    again();
  };
  return (
    <main className="broken-screen">
      <Broken part="screen">
        <Button data-testid="broken-back" onClick={back}>
          {t('broken.back')}
        </Button>
      </Broken>
    </main>
  );
}

/** The whole window. */
export function Root() {
  const app = useApp();
  const language = useView((v) => v.settings?.settings.appearance.language ?? 'system');
  const lang = resolveLanguage(language, navigator.languages);
  useTheme();
  useLegibility();
  useEffect(() => {
    document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en';
  }, [lang]);
  useEffect(() => void begin(app), [app]);
  useEffect(() => {
    const keep = () => keepNow(app);
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [app]);
  return (
    <WordsProvider lang={lang}>
      <Boundary of={app} instead={(again) => <BrokenScreen again={again} />}>
        <Screens />
      </Boundary>
    </WordsProvider>
  );
}
