import { Cpu, MessageCirclePlus, PackagePlus, Play, UserRound, X } from 'lucide-react';
import { useState } from 'react';
import type { DraftPlace, PackageView } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button, IconButton } from '../kit/button';
import { Empty } from '../kit/empty';
import { Field, Switch, TextArea } from '../kit/field';
import { Select } from '../kit/select';
import { go, pickAndInspect, startRun } from '../state/actions';
import { draftAt, keepDraft } from '../state/drafts';
import { useApp, useView } from '../state/store';
import { newChat } from '../state/talk';
import { useGraph } from './progress';
import { RunPreview } from './run-preview';
import { ServersNotice } from './servers-notice';

function NoModel() {
  const app = useApp();
  const { t } = useWords();
  return (
    <p className="caution" data-testid="no-model">
      <Cpu size={15} aria-hidden />
      <span>{t('run.nomodel')}</span>
      <Button size="s" onClick={() => go(app, 'settings')}>
        {t('run.nomodel.action')}
      </Button>
    </p>
  );
}

interface ChoiceProps {
  label: string;
  testId: string;
  value: string;
  choices: { id: string; label: string }[];
  onChange: (id: string) => void;
}

function Choice({ label, testId, value, choices, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <Select
          {...ids}
          value={value}
          data-testid={testId}
          choices={choices.map(({ id, label }) => ({ value: id, label: visible(label) }))}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

interface Chosen {
  packageId: string | null;
  workflowId: string | null;
  agentId: string | null;
  demo: boolean | null;
  input: string;
}

const NOTHING: Chosen = {
  packageId: null,
  workflowId: null,
  agentId: null,
  demo: null,
  input: '',
};

/** What the person chose and wrote, kept until the run is started. */
function useChosen(): [Chosen, (part: Partial<Chosen>) => void] {
  const app = useApp();
  const projectId = useView((v) => v.projectId) ?? '';
  const place: DraftPlace = { type: 'newRun', projectId };
  const [chosen, setChosen] = useState<Chosen>({ ...NOTHING, ...(draftAt(app, place) as object) });
  const choose = (part: Partial<Chosen>) => {
    const next = { ...chosen, ...part };
    setChosen(next);
    keepDraft(app, place, next);
    // What is chosen here counts more than where one came from.
    if (part.packageId) app.store.setState({ runPackage: null });
  };
  return [chosen, choose];
}

/** What is chosen, completed by what follows from it. */
function useRunChoice(packages: PackageView[]) {
  const wanted = useView((v) => v.runPackage);
  const hasModel = useView(({ settings }) => {
    const { baseUrl = '', model = '' } = settings?.settings.model ?? {};
    return baseUrl !== '' && model !== '';
  });
  const [chosen, choose] = useChosen();
  // Who comes from a package means that one.
  const { packageId, workflowId, agentId, demo } =
    wanted && chosen.packageId !== wanted ? { ...NOTHING, packageId: wanted } : chosen;

  const find = (id: string | null) => packages.find((p) => p.packageId === id);
  const pack = find(packageId) ?? find(wanted) ?? packages[0];
  const workflow = pack?.workflows.find((w) => w.id === workflowId) ?? pack?.workflows[0];
  const agent = pack?.agents.find((a) => a.id === agentId) ?? pack?.agents[0];
  const graph = useGraph(pack?.packageId, workflow?.id);
  // Where each step names its agent there is nothing to choose.
  const isOpen = graph?.nodes.some((node) => node.agentId === undefined) ?? true;
  // Without a model the demo is the one thing that works.
  const playsDemo = (pack?.hasDemo ?? false) && (demo ?? !hasModel);
  const ready = playsDemo || hasModel;
  return {
    pack,
    workflow,
    agent,
    graph,
    choosesAgent: isOpen && (pack?.agents.length ?? 0) > 1,
    playsDemo,
    ready,
    input: chosen.input,
    choose,
  };
}

type RunChoice = ReturnType<typeof useRunChoice>;

function Choices({ packages, choice }: { packages: PackageView[]; choice: RunChoice }) {
  const { t } = useWords();
  const { pack, workflow, agent } = choice;
  if (!pack) return null;
  return (
    <>
      <Choice
        label={t('run.package')}
        testId="run-package"
        value={pack.packageId}
        choices={packages.map((p) => ({ id: p.packageId, label: `${p.name} ${p.version}` }))}
        onChange={(packageId) => choice.choose({ ...NOTHING, packageId, input: choice.input })}
      />
      {pack.description && <p className="hint">{visible(pack.description)}</p>}
      {pack.workflows.length > 1 && (
        <Choice
          label={t('run.workflow')}
          testId="run-workflow"
          value={workflow?.id ?? ''}
          choices={pack.workflows.map((w) => ({ id: w.id, label: w.displayName }))}
          onChange={(workflowId) => choice.choose({ workflowId })}
        />
      )}
      {choice.choosesAgent && (
        <Choice
          label={t('run.agent')}
          testId="run-agent"
          value={agent?.id ?? ''}
          choices={pack.agents.map((a) => ({ id: a.id, label: `${a.icon} ${a.name}, ${a.title}` }))}
          onChange={(agentId) => choice.choose({ agentId })}
        />
      )}
    </>
  );
}

function Footer({ ready }: { ready: boolean }) {
  const { t } = useWords();
  const busy = useView((v) => v.busy.has('startRun'));
  return (
    <div className="form-footer">
      <Button
        kind="primary"
        type="submit"
        icon={Play}
        busy={busy}
        disabled={!ready || busy}
        data-testid="run-start"
      >
        {t(busy ? 'run.starting' : 'action.start')}
      </Button>
    </div>
  );
}

function Form({ packages }: { packages: PackageView[] }) {
  const app = useApp();
  const { t } = useWords();
  const choice = useRunChoice(packages);
  const { pack, workflow, agent, graph, playsDemo, ready, input } = choice;
  if (!pack) return null;

  const start = (event: React.FormEvent) => {
    event.preventDefault();
    void startRun(app, {
      packageId: pack.packageId,
      workflowId: workflow?.id ?? null,
      agentId: agent?.id ?? null,
      input: input.trim() || null,
      demo: playsDemo,
      conversationId: null,
    });
  };

  return (
    <div className="run-columns">
      <form className="card fields" onSubmit={start}>
        <Choices packages={packages} choice={choice} />
        <Field label={t('run.input')} hint={t('run.input.hint')}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              value={input}
              data-testid="run-input"
              onChange={(e) => choice.choose({ input: e.target.value })}
            />
          )}
        </Field>
        {pack.hasDemo && (
          <Switch
            label={t('run.demo')}
            hint={t('run.demo.hint')}
            checked={playsDemo}
            onChange={(demo) => choice.choose({ demo })}
            data-testid="run-demo"
          />
        )}
        {!ready && <NoModel />}
        <Footer ready={ready} />
      </form>
      <RunPreview pack={pack} graph={graph} playsDemo={playsDemo} />
    </div>
  );
}

/** The ways to talk without a run: with the model alone, or with an agent. */
function TalkInstead() {
  const app = useApp();
  const { t } = useWords();
  const busy = useView((v) => v.busy.has('beginTalk'));
  return (
    <div className="run-form-ways">
      <Button
        icon={MessageCirclePlus}
        busy={busy}
        disabled={busy}
        data-testid="form-new-chat"
        onClick={() => void newChat(app)}
      >
        {t('talk.new')}
      </Button>
      <Button
        icon={UserRound}
        disabled={busy}
        data-testid="talk-to"
        onClick={() => app.store.setState({ overlay: 'talk' })}
      >
        {t('talk.to.open')}
      </Button>
    </div>
  );
}

/** Chooses what to run, and starts it. */
export function RunForm() {
  const app = useApp();
  const { t } = useWords();
  const packages = useView((v) => v.packages);
  const canGoBack = useView((v) => v.conversationId !== null);
  return (
    <div className="run-form">
      <header className="run-form-head">
        <h1>{t('run.title')}</h1>
        <TalkInstead />
        {canGoBack && (
          <IconButton
            icon={X}
            label={t('run.back')}
            data-testid="run-back"
            onClick={() => app.store.setState({ startingRun: false })}
          />
        )}
      </header>
      <ServersNotice />
      {packages?.length === 0 && (
        <Empty icon={PackagePlus} title={t('run.nopackages')} hint={t('packages.empty.hint')}>
          <Button kind="primary" icon={PackagePlus} onClick={() => void pickAndInspect(app)}>
            {t('start.import')}
          </Button>
        </Empty>
      )}
      {packages && packages.length > 0 && <Form packages={packages} />}
    </div>
  );
}
