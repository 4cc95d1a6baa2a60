import {
  BookOpen,
  Bot,
  CircleAlert,
  CircleMinus,
  CircleX,
  ClipboardCheck,
  FileCheck2,
  FileInput,
  FileMinus,
  FilePen,
  FileSearch,
  FileWarning,
  ListChecks,
  ListTodo,
  ListX,
  type LucideIcon,
  Milestone,
  Terminal,
  UserCheck,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { fileName } from '../bridge/path';
import type { FactKind, FactRecord, Obligation } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Name } from '../kit/name';
import { agentOf } from '../state/select';
import { useApp, useView } from '../state/store';
import { standing } from '../widgets/subagent';
import { endOf } from '../widgets/task';

/** Facts that are shown at once. */
const PAGE = 50;

const icons: Record<FactKind, LucideIcon> = {
  file_read: BookOpen,
  file_written: FilePen,
  file_noop: FileCheck2,
  file_deleted: FileMinus,
  file_moved: FileInput,
  file_listed: FileSearch,
  verification: FileCheck2,
  file_foreign_change: FileWarning,
  command_executed: Terminal,
  todo_created: ListTodo,
  todo_updated: ListTodo,
  todo_completed: ListChecks,
  todo_failed: ListX,
  todo_conflict: ListX,
  subagent_started: Bot,
  subagent_completed: ClipboardCheck,
  subagent_failed: CircleX,
  state_changed: Milestone,
  user_confirmed: UserCheck,
  tool_error: CircleMinus,
  unrecognised: CircleAlert,
};

/** What a fact says of its file, its todo or nothing in particular. */
function wordsOf({ kind, check, outcome, sha256 }: FactRecord): Key {
  const judged = outcome === 'passed' || outcome === 'failed';
  if (kind === 'file_written' && outcome === 'restored') return 'fact.file_restored';
  if (kind === 'file_foreign_change') {
    return sha256 ? 'fact.file_foreign_change' : 'fact.file_foreign_gone';
  }
  if (kind === 'command_executed' && judged) return `fact.command_executed.${outcome}`;
  if (kind !== 'verification') return kind in icons ? (`fact.${kind}` as Key) : 'fact.unrecognised';
  if (!judged) return 'fact.unrecognised';
  return check && check !== 'unrecognised'
    ? `fact.${check}.${outcome}`
    : `fact.verification.${outcome}`;
}

/** Facts that somebody should see. A call that came to nothing is none: the model goes on from it. */
const isBad = ({ kind, outcome }: FactRecord) =>
  kind === 'todo_failed' || kind === 'subagent_failed' || outcome === 'failed';

/** The item of the call or the command that a fact comes from, where the conversation shows it. */
function useOrigin({ callId, hook, seq }: FactRecord): (() => void) | undefined {
  const { store } = useApp();
  const id = hook === undefined ? `call-${callId}` : `hook-${seq}`;
  // What stands in an earlier page is read back to.
  const isThere = useView(
    ({ conversation: { index, earlier } }) =>
      (callId !== null || hook !== undefined) &&
      (index.has(id) || (earlier !== null && seq < earlier)),
  );
  if (!isThere) return undefined;
  return () => store.setState({ jump: { id, seq, above: 0, why: 'sought' }, drawerOpen: false });
}

/** An agent of the run, by the name that a person knows. */
function useAgentName(): (agentId: string) => string {
  const packages = useView((v) => v.packages);
  const packageId = useView((v) => v.conversation.status?.run?.packageId);
  return (id) => agentOf(packages ?? [], packageId, id)?.name ?? id;
}

/** The sub-agents through which a fact came, before it. */
function By({ agents }: { agents: readonly string[] }) {
  const { t } = useWords();
  const nameOf = useAgentName();
  if (agents.length === 0) return null;
  return <Name className="by" text={t('fact.by', { agents: agents.map(nameOf).join(' › ') })} />;
}

function Words({ fact }: { fact: FactRecord }) {
  const { t, reason } = useWords();
  const { path, todo, to, scope, outcome, kind, hook } = fact;
  const words = t(wordsOf(fact), { to: to ?? '' });
  const failed = kind === 'tool_error' && outcome ? (reason(outcome) ?? visible(outcome)) : null;
  const end = kind === 'subagent_failed' ? endOf(outcome) : null;
  const named = todo ?? (kind === 'command_executed' ? hook : undefined);
  const subject = path ? fileName(path) : (named ?? null);
  const about = scope === 'workspace' ? t('fact.workspace') : null;
  return (
    <span className="words">
      <span className={subject === null ? undefined : 'clip'}>
        <By agents={fact.agentPath} />
        {subject === null ? <span>{about ?? words}</span> : <Name text={subject} />}
      </span>
      {(subject !== null || about !== null) && <span className="hint">{words}</span>}
      {failed !== null && <span className="hint">{failed}</span>}
      {end !== null && <span className="hint">{t(standing(end, null).words)}</span>}
    </span>
  );
}

function FactRow({ fact }: { fact: FactRecord }) {
  const { t } = useWords();
  const show = useOrigin(fact);
  const path = fact.path === undefined ? undefined : visible(fact.path);
  const Icon = fact.outcome === 'failed' ? CircleX : (icons[fact.kind] ?? CircleAlert);
  const inside = (
    <>
      <Icon size={14} aria-hidden />
      <Words fact={fact} />
    </>
  );
  return (
    <li data-testid="fact" data-kind={fact.kind} data-bad={isBad(fact) || undefined}>
      {show ? (
        <button type="button" title={path ?? t('evidence.jump')} onClick={show}>
          {inside}
        </button>
      ) : (
        <span className="still" title={path}>
          {inside}
        </span>
      )}
    </li>
  );
}

/** The sub-agent of an obligation, by its agent's name where that is still known. */
function useSubagent(obligation: Obligation): string | null {
  const { t } = useWords();
  const nameOf = useAgentName();
  const callId = 'callId' in obligation ? obligation.callId : null;
  const view = useView((v) =>
    v.conversation.status?.subagents?.find((one) => one.callId === callId),
  );
  if (callId === null) return null;
  return view ? nameOf(view.agentId) : t('subagent.label');
}

/** Obligations that are about nothing in particular. */
const alone: readonly Obligation['kind'][] = ['post_completion_pending', 'missing_report'];

function Open({ obligation }: { obligation: Obligation }) {
  const { t } = useWords();
  const subagent = useSubagent(obligation);
  const steps = useView((v) => v.conversation.status?.steps);
  const node = obligation.kind === 'missing_output' ? obligation.node : '';
  const step = steps?.find(({ id }) => id === node)?.title ?? node;
  const path = 'path' in obligation ? obligation.path : null;
  const named = 'hook' in obligation ? obligation.hook : 'id' in obligation ? obligation.id : null;
  const subject = path ? fileName(path) : (named ?? subagent);
  const isKnown = subject !== null || alone.includes(obligation.kind);
  const words = t(isKnown ? `open.${obligation.kind}` : 'open.unrecognised', { step });
  return (
    <li
      data-testid="obligation"
      data-kind={obligation.kind}
      title={path === null ? undefined : visible(path)}
    >
      <CircleAlert size={14} aria-hidden />
      <span className="words">
        {subject !== null && (
          <Name className={named === null ? 'clip' : 'mono clip'} text={subject} />
        )}
        <span className={subject === null ? undefined : 'hint'}>{words}</span>
      </span>
    </li>
  );
}

/** The facts, the newest first. */
function Facts({ facts, earlier }: { facts: readonly FactRecord[]; earlier: number }) {
  const { t, number } = useWords();
  const [most, setMost] = useState(PAGE);
  const newest = useMemo(() => facts.map((fact, at) => ({ fact, at })).reverse(), [facts]);
  const left = newest.length - most;
  return (
    <>
      <h3>
        {t('evidence.facts')}
        <span className="hint">{number(facts.length + earlier)}</span>
      </h3>
      <ul className="artifacts facts">
        {newest.slice(0, most).map(({ fact, at }) => (
          <FactRow key={at} fact={fact} />
        ))}
      </ul>
      {left > 0 && (
        <Button size="s" kind="quiet" data-testid="more-facts" onClick={() => setMost(most + PAGE)}>
          {t('evidence.more', { count: number(Math.min(left, PAGE)) })}
        </Button>
      )}
      {left <= 0 && earlier > 0 && (
        <p className="hint">{t('evidence.earlier', { count: number(earlier) })}</p>
      )}
    </>
  );
}

/** What is open: it is listed with the progress, too. */
export function OpenObligations() {
  const { t, number } = useWords();
  const obligations = useView((v) => (v.snapshot?.ok ? v.snapshot.value.obligations : null));
  if (!obligations?.length) return null;
  return (
    <section>
      <h2>
        {t('evidence.open')}
        <span className="hint">{number(obligations.length)}</span>
      </h2>
      <ul className="artifacts open">
        {obligations.map((obligation) => (
          <Open key={JSON.stringify(obligation)} obligation={obligation} />
        ))}
      </ul>
    </section>
  );
}

/** What is open, and what results of tools prove. What could not be read says so beside it. */
export function Evidence() {
  const { t, number } = useWords();
  const snapshot = useView((v) => v.snapshot);
  if (snapshot?.ok === false) return null;
  const { facts = [], obligations = [], earlierFacts = 0 } = snapshot?.value ?? {};
  return (
    <section data-testid="evidence">
      <h2>{t('evidence.title')}</h2>
      {facts.length + obligations.length === 0 && <p className="hint">{t('evidence.empty')}</p>}
      {obligations.length > 0 && (
        <>
          <h3>
            {t('evidence.open')}
            <span className="hint">{number(obligations.length)}</span>
          </h3>
          <ul className="artifacts open">
            {obligations.map((obligation) => (
              <Open key={JSON.stringify(obligation)} obligation={obligation} />
            ))}
          </ul>
        </>
      )}
      {facts.length > 0 && <Facts facts={facts} earlier={earlierFacts} />}
    </section>
  );
}
