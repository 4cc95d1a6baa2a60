import { CircleCheck, Play, Settings2 } from 'lucide-react';
import { useEffect } from 'react';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { go, newRun } from '../state/actions';
import { isOfSettings } from '../state/select';
import { useApp, useView, type View } from '../state/store';
import { FailureBox } from '../widgets/failure';

/** True while a conversation is shown: what is told then stands above the field where one writes. */
export const isWriting = (view: View): boolean =>
  view.screen === 'workspace' && !view.startingRun && view.conversationId !== null;

function FailureBar() {
  const app = useApp();
  const { t, count } = useWords();
  const failure = useView((v) => v.failure);
  const problems = useView((v) => v.settings?.problems);
  const ofSettings = useView(isOfSettings);
  const onSettings = useView((v) => v.screen === 'settings');
  if (!failure) return null;
  return (
    <div className="failure-bar">
      <FailureBox failure={failure}>
        {problems && ofSettings && !onSettings && (
          <Button
            size="s"
            icon={Settings2}
            data-testid="failure-settings"
            onClick={() => go(app, 'settings')}
          >
            {count('settings.problems', problems.length)}
          </Button>
        )}
        <Button size="s" kind="quiet" onClick={() => app.store.setState({ failure: null })}>
          {t('action.dismiss')}
        </Button>
      </FailureBox>
    </div>
  );
}

/** What was just written for the person; goes by itself. */
function SavedBar() {
  const app = useApp();
  const { store } = app;
  const { t } = useWords();
  const saved = useView((v) => v.saved);
  const inProject = useView((v) => v.screen === 'workspace' && v.projectId !== null);
  const packageId = saved?.packageId;
  const close = () => store.setState({ saved: null });
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => store.setState({ saved: null }), 6000);
    return () => clearTimeout(timer);
  }, [saved, store]);
  return (
    <div role="status" aria-live="polite">
      {saved && (
        <div className="saved-bar" data-testid="saved">
          <CircleCheck size={15} aria-hidden />
          <span className="clip">{t(saved.words, { name: saved.name })}</span>
          {inProject && packageId && (
            <Button
              size="s"
              icon={Play}
              data-testid="run-installed"
              onClick={() => {
                newRun(app, packageId);
                close();
              }}
            >
              {t('packages.run')}
            </Button>
          )}
          <Button size="s" kind="quiet" onClick={close}>
            {t('action.dismiss')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What went wrong, and what was just done. */
export function Bars() {
  return (
    <>
      <FailureBar />
      <SavedBar />
    </>
  );
}
