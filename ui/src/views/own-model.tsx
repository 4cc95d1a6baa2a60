import { Cpu } from 'lucide-react';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { goToModel, useOwnModel } from '../state/actions';
import { demoEnd } from '../state/select';
import { type App, useApp, useView } from '../state/store';

/** The model that is set up, or null. */
export function useSetUp(): string | null {
  return useView((v) => {
    const model = v.settings?.settings.model;
    return model?.baseUrl && model.model ? model.model : null;
  });
}

const goOn = (app: App, model: string | null) => {
  if (!model) return goToModel(app, 'model-base-url');
  const end = demoEnd(app.store.getState().conversation);
  return void useOwnModel(app, end === 'waits');
};

/** At the end of a demo, above the composer: how it goes on. */
export function DemoEnd() {
  const app = useApp();
  const { t } = useWords();
  const end = useView((v) => demoEnd(v.conversation));
  const busy = useView((v) => v.busy.has('useModel') || v.busy.has('resume'));
  const model = useSetUp();
  if (!end) return null;
  return (
    <div className="demo-end" role="note" data-testid="demo-end">
      <p>
        <strong>{t('demo.over')}</strong>
        <span>{t('demo.over.hint')}</span>
      </p>
      <Button
        kind="primary"
        icon={Cpu}
        busy={busy}
        disabled={busy}
        data-testid="own-model"
        onClick={() => goOn(app, model)}
      >
        {model ? t('demo.go.with', { model }) : t('demo.go')}
      </Button>
    </div>
  );
}

/** Asks before a demo is given up for the person's own model. */
export function SwitchDialog({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const model = useSetUp();
  return (
    <Dialog
      title={t('demo.switch.title')}
      onClose={onClose}
      testId="switch-model"
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            data-testid="switch-model-go"
            onClick={() => {
              onClose();
              goOn(app, model);
            }}
          >
            {model ? t('demo.go.with', { model }) : t('model.settings')}
          </Button>
        </>
      }
    >
      <p>{model ? t('demo.switch.text', { model }) : t('demo.switch.none')}</p>
    </Dialog>
  );
}
