import { Play, Settings2 } from 'lucide-react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { goToModel } from '../state/actions';
import { playDemo } from '../state/projects';
import { useApp, useView } from '../state/store';
import { LocalModels } from './local-models';
import { TestConnection } from './model-test';
import { SavingContext, useSavingQueue } from './setting-fields';

/** Plays the demo, which needs nothing. */
export function PlayDemo({ first }: { first: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const playing = useView((v) => v.busy.has('playDemo'));
  return (
    <Button
      kind={first ? 'primary' : 'plain'}
      size={first ? 'l' : 'm'}
      icon={Play}
      busy={playing}
      disabled={playing}
      data-testid="play-demo"
      onClick={() => void playDemo(app)}
    >
      {t(playing ? 'start.demo.busy' : 'start.demo')}
    </Button>
  );
}

/** What to expect of the demo. */
function DemoCard() {
  const { t } = useWords();
  return (
    <section className="start-card" aria-labelledby="start-demo">
      <h2 id="start-demo">{t('start.see')}</h2>
      <p>{t('start.see.text')}</p>
      <ol>
        <li>{t('start.see.steps')}</li>
        <li>{t('start.see.ask')}</li>
        <li>{t('start.see.check')}</li>
      </ol>
      <PlayDemo first />
      <p className="hint">{t('start.demo.hint')}</p>
    </section>
  );
}

/** The models that were found on this computer, or the one that is set up and what is known of it. */
function ModelCard() {
  const app = useApp();
  const { t } = useWords();
  const saving = useSavingQueue();
  const view = useView((v) => v.settings);
  const { baseUrl = '', model = '' } = view?.settings.model ?? {};
  const isSet = view !== null && baseUrl !== '' && model !== '';
  return (
    <section className="start-card" aria-labelledby="start-model" data-testid="start-model">
      <h2 id="start-model">{t('start.own')}</h2>
      <p>{t('start.own.text')}</p>
      <SavingContext.Provider value={saving}>
        {isSet ? (
          <>
            <p className="mono clip" title={visible(`${model} · ${baseUrl}`)}>
              {visible(model)} · {visible(baseUrl.replace(/^https?:\/\/|\/v1$/g, ''))}
            </p>
            <TestConnection view={view} edited={false} />
          </>
        ) : (
          <LocalModels />
        )}
      </SavingContext.Provider>
      <Button
        kind="quiet"
        size="s"
        icon={Settings2}
        data-testid="connect-model"
        onClick={() => goToModel(app, 'model-base-url')}
      >
        {t('start.own.other')}
      </Button>
    </section>
  );
}

/** The two ways to begin: to see it work, and to set it up. */
export function StartCards() {
  return (
    <div className="start-cards">
      <DemoCard />
      <ModelCard />
    </div>
  );
}
