import { CircleCheck, CircleX, type LucideIcon, PlugZap, Square, Timer } from 'lucide-react';
import { type ReactNode, useContext, useState } from 'react';
import type { Failure, ModelTest, SettingsView, ToolOffer } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Field } from '../kit/field';
import { Select } from '../kit/select';
import { stopModelTest, testModel } from '../state/models';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { SavingContext } from './setting-fields';

interface LineProps {
  icon: LucideIcon | null;
  ok?: boolean;
  inMenu: boolean;
  children: ReactNode;
}

function Line({ icon: Icon, ok, inMenu, children }: LineProps) {
  const Part = inMenu ? 'span' : 'li';
  return (
    <Part className="found" data-ok={ok}>
      {Icon && <Icon size={15} aria-hidden />}
      {children}
    </Part>
  );
}

interface FindingsProps {
  test: ModelTest;
  /** A menu takes no list. */
  inMenu?: boolean;
  /** What can be done where it runs workflows only with the tools of one step. */
  children?: ReactNode;
}

/** What a test found, in words. */
export function Findings({ test, inMenu = false, children }: FindingsProps) {
  const { t, number, duration } = useWords();
  const { answers, callsTools, fit, contextTokens } = test;
  const check = (ok: boolean) => ({ ok, icon: ok ? CircleCheck : CircleX, inMenu });
  const All = inMenu ? 'span' : 'ul';
  return (
    <All className="tested">
      <Line {...check(answers)}>
        {t(answers ? 'settings.test.answers' : 'settings.test.noAnswer')}
      </Line>
      {answers && (
        <Line {...check(callsTools)}>
          {t(callsTools ? 'settings.test.tools' : 'settings.test.noTools')}
        </Line>
      )}
      {callsTools && (
        <Line {...check(fit !== 'no')}>
          {t(`settings.test.fit.${fit}`)}
          {children}
        </Line>
      )}
      {answers && (
        <Line icon={Timer} inMenu={inMenu}>
          {duration(test.latencyMs)}
        </Line>
      )}
      {contextTokens !== null && (
        <Line icon={null} inMenu={inMenu}>
          {t('settings.test.context', { count: number(contextTokens) })}
        </Line>
      )}
    </All>
  );
}

/** Whether a server that lists these models has this one; Ollama takes a name without its version. */
const hasModel = (models: readonly string[], model: string) =>
  models.includes(model) || models.includes(`${model}:latest`);

/** The models of the server, to choose one of. */
function Listed({ models, model }: { models: readonly string[]; model: string }) {
  const { t, count } = useWords();
  const { save } = useContext(SavingContext);
  return (
    <>
      {model !== '' && !hasModel(models, model) && (
        <p className="caution" data-testid="model-unlisted">
          {t('settings.test.unlisted', { name: model })}
        </p>
      )}
      <Field label={count('settings.test.models', models.length)}>
        {(ids) => (
          <Select
            {...ids}
            value={model}
            data-testid="server-models"
            placeholder={t('settings.test.use')}
            choices={models.map((name) => ({ value: name, label: visible(name) }))}
            onChange={(name) => void save({ model: { model: name } })}
          />
        )}
      </Field>
    </>
  );
}

/** What was found is seen, wherever the button stood. */
const intoSight = (it: HTMLElement | null) => it?.scrollIntoView({ block: 'nearest' });

function Found({ test, model, offer }: { test: ModelTest; model: string; offer: ToolOffer }) {
  const { t } = useWords();
  const { save } = useContext(SavingContext);
  return (
    <div
      ref={intoSight}
      className="model-test"
      data-testid="model-test-result"
      data-answers={test.answers}
      data-tools={test.callsTools}
    >
      <Findings test={test}>
        {test.fit === 'step' && offer === 'all' && (
          <Button
            data-testid="offer-step-now"
            onClick={() => void save({ model: { tools: 'step' } })}
          >
            {t('settings.test.fit.use')}
          </Button>
        )}
      </Findings>
      {test.failure && <FailureBox failure={test.failure} />}
      {test.models.length > 0 && <Listed models={test.models} model={model} />}
    </div>
  );
}

/** Asks for real. What was found is the program's to say, and only of what it asked. */
export function TestConnection({ view, edited }: { view: SettingsView; edited: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const { settled } = useContext(SavingContext);
  const busy = useView((v) => v.busy.has('testModel'));
  const [failure, setFailure] = useState<Failure | null>(null);
  const ask = async () => {
    setFailure(null);
    // The click that got here may just have left a field whose text is being saved.
    await settled();
    setFailure(await testModel(app));
  };
  const { tested } = view;
  return (
    <div className="test" aria-live="polite">
      <div className="picked">
        <Button
          kind="primary"
          icon={PlugZap}
          busy={busy}
          disabled={busy}
          data-testid="test-connection"
          onClick={() => void ask()}
        >
          {t(busy ? 'settings.test.busy' : 'settings.test')}
        </Button>
        {busy && (
          <Button icon={Square} data-testid="stop-test" onClick={() => stopModelTest(app)}>
            {t('settings.test.stop')}
          </Button>
        )}
      </div>
      {tested && !edited && !busy && (
        <Found test={tested} model={view.settings.model.model} offer={view.settings.model.tools} />
      )}
      {tested && edited && !busy && <p className="hint">{t('settings.test.edited')}</p>}
      {failure && !busy && <FailureBox failure={failure} />}
    </div>
  );
}
