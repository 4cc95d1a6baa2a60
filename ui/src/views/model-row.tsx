import { Cpu, PlugZap, Settings2, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Failure, SettingsView } from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import {
  Menu,
  MenuChoice,
  MenuChoices,
  MenuGroup,
  MenuItem,
  MenuLine,
  useKeptItem,
} from '../kit/menu';
import { goToModel } from '../state/actions';
import {
  choiceId,
  knownModels,
  type ModelGroup,
  modelLine,
  serverOf,
  stopModelTest,
  switchModel,
  testModel,
} from '../state/models';
import { isDemoNow, phaseOf } from '../state/select';
import { useApp, useView } from '../state/store';
import { Findings } from './model-test';
import { SwitchDialog, useSetUp } from './own-model';
import { useLocalServers } from './use-local-servers';

/** What is known of the model that is set up. */
function standingOf(view: SettingsView | null, isSet: boolean) {
  const tested = isSet ? view?.tested : null;
  if (!tested) return 'unknown';
  return tested.answers && tested.callsTools ? 'works' : 'bad';
}

/** What went wrong, in one text. */
function wrongIn({ failure: words, sentences }: Words, failure: Failure): string {
  const { title, message, action } = words(failure);
  return sentences(title, message, action);
}

/** What went wrong, where no box has its place. */
function Wrong({ failure }: { failure: Failure }) {
  return (
    <span className="menu-note bad" data-testid="model-menu-failure">
      {wrongIn(useWords(), failure)}
    </span>
  );
}

interface GroupProps {
  group: ModelGroup;
  chosen: string;
  disabled: boolean;
  onChoose: (id: string) => void;
}

/** Models of one place, or those that were used before with where they are. */
function Group({ group: { place, title, models, more }, chosen, disabled, onChoose }: GroupProps) {
  const { t, count } = useWords();
  return (
    <MenuGroup label={place === null ? t('model.menu.used') : visible(title)}>
      <MenuChoices value={chosen} disabled={disabled} onChange={onChoose}>
        {models.map((one) => (
          <MenuChoice key={choiceId(one)} value={choiceId(one)} testId="model-choice">
            <span className="clip">{visible(one.model)}</span>
            {place === null && <span className="hint clip">{visible(serverOf(one.baseUrl))}</span>}
          </MenuChoice>
        ))}
      </MenuChoices>
      {more > 0 && <span className="menu-note">{count('model.menu.more', more)}</span>}
    </MenuGroup>
  );
}

/** The models to choose from; choosing one lets it answer. */
function Choices({ view, onFailure }: { view: SettingsView; onFailure: Report }) {
  const app = useApp();
  const { t } = useWords();
  const { servers, failure } = useLocalServers();
  useKeptItem(servers);
  const switching = useView((v) => v.busy.has('switchModel'));
  // What a test finds is about the model that was asked.
  const testing = useView((v) => v.busy.has('testModel'));
  // Whatever is chosen stays where it stands, and the focus on it, until the menu is opened again.
  const [atOpening] = useState(view);
  const groups = knownModels(atOpening, servers ?? []);
  const all = groups.flatMap(({ models }) => models);
  const fixed = view.overridden.some((name) => name.startsWith('model.'));
  const choose = async (id: string) => {
    // What is set for a model may have become known since the menu was opened.
    const choice = [...view.known, ...all].find((one) => choiceId(one) === id);
    if (!choice || id === choiceId(view.settings.model)) return;
    onFailure(null);
    onFailure(await switchModel(app, choice));
  };
  return (
    <>
      {groups.map((group) => (
        <Group
          key={group.place ?? ''}
          group={group}
          chosen={choiceId(view.settings.model)}
          disabled={fixed || switching || testing}
          onChoose={(id) => void choose(id)}
        />
      ))}
      {servers === null && <span className="menu-note">{t('local.looking')}</span>}
      {servers && all.length === 0 && <span className="menu-note">{t('model.menu.none')}</span>}
      {failure && <Wrong failure={failure} />}
      {all.length > 0 && (
        <span className="menu-note">{t(fixed ? 'settings.overridden' : 'model.menu.holds')}</span>
      )}
    </>
  );
}

type Report = (failure: Failure | null) => void;

/** Asks the model that is set up for real, and tells what was found. */
function Test({ view, onFailure }: { view: SettingsView; onFailure: Report }) {
  const app = useApp();
  const { t } = useWords();
  const busy = useView((v) => v.busy.has('testModel'));
  const [asked, setAsked] = useState(false);
  const ask = async () => {
    setAsked(true);
    onFailure(null);
    onFailure(await testModel(app));
  };
  return (
    <>
      <MenuItem
        icon={busy ? Square : PlugZap}
        stays
        testId="model-menu-test"
        onClick={() => (busy ? stopModelTest(app) : void ask())}
      >
        {t(busy ? 'settings.test.stop' : 'settings.test')}
      </MenuItem>
      <div className="menu-told" data-testid="model-menu-told">
        {busy && t('settings.test.busy')}
        {!busy && asked && view.tested && <Findings inMenu test={view.tested} />}
        {!busy && asked && view.tested?.failure && <Wrong failure={view.tested.failure} />}
      </div>
    </>
  );
}

interface ContentsProps {
  view: SettingsView;
  /** The open run plays its demo. */
  isDemo: boolean;
  failure: Failure | null;
  onFailure: Report;
  onSwitch: () => void;
}

/** What is in the menu: how the model stands, which ones there are, its test and its settings. */
function Contents({ view, isDemo, failure, onFailure, onSwitch }: ContentsProps) {
  const app = useApp();
  const words = useWords();
  const { t } = words;
  const model = useSetUp();
  const working = useView((v) => phaseOf(v.conversation) === 'running');
  // Whoever opens it again asks anew.
  useEffect(() => () => onFailure(null), [onFailure]);
  return (
    <>
      {isDemo && (
        <>
          <MenuGroup label={t('model.menu.demo')}>
            <MenuItem icon={Cpu} disabled={working} testId="demo-go" onClick={onSwitch}>
              {model ? t('demo.go.with', { model }) : t('demo.go')}
            </MenuItem>
          </MenuGroup>
          <MenuLine />
        </>
      )}
      <p className="menu-now" data-testid="model-menu-now">
        {modelLine(view, words) ?? t('status.nomodel')}
      </p>
      <Choices view={view} onFailure={onFailure} />
      {failure && <Wrong failure={failure} />}
      <MenuLine />
      {model && <Test view={view} onFailure={onFailure} />}
      <MenuItem
        icon={Settings2}
        testId="model-menu-settings"
        onClick={() => goToModel(app, model ? 'model-name' : 'model-base-url')}
      >
        {t('model.menu.settings')}
      </MenuItem>
    </>
  );
}

/** Which model answers, and what is known of it; a menu lets another one answer. */
export function ModelRow() {
  const words = useWords();
  const { t } = words;
  const isDemo = useView((v) => isDemoNow(v.conversation));
  const view = useView((v) => v.settings);
  const model = useSetUp();
  const testing = useView((v) => v.busy.has('testModel'));
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const wrong = failure ?? view?.tested?.failure;
  const told = wrong ? wrongIn(words, wrong) : (modelLine(view, words) ?? '');
  const standing = isDemo ? 'unknown' : standingOf(view, model !== null);
  const name = isDemo ? t('status.demomodel') : model ? visible(model) : t('status.nomodel');
  const known = model && !isDemo ? t(`model.standing.${standing}`) : '';
  return (
    <>
      <Menu
        icon={Cpu}
        className="model-row"
        label={t('model.menu', { name: [name, known].filter(Boolean).join(', ') })}
        testId="model-row"
        align="start"
        side="top"
        told={testing ? t('settings.test.busy') : told}
        face={
          <>
            <span className="dot" data-standing={standing} aria-hidden />
            <span className="clip">{name}</span>
            {known && <span className="hint">{known}</span>}
          </>
        }
      >
        {view && (
          <Contents
            view={view}
            isDemo={isDemo}
            failure={failure}
            onFailure={setFailure}
            onSwitch={() => setAsking(true)}
          />
        )}
      </Menu>
      {asking && <SwitchDialog onClose={() => setAsking(false)} />}
    </>
  );
}
