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
import type { FactKind, FactRecord, FileCheck } from '../bridge/wire';
import { type Key, type Words as Said, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Name } from '../kit/name';
import { standing } from '../widgets/subagent';
import { endOf } from '../widgets/task';
import { useAgentName } from './evidence-open';
import { Detail, Details, Hash, More, Part, Row, Show, When } from './evidence-rows';

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
    <>
      <span className={subject === null ? undefined : 'clip'}>
        <By agents={fact.agentPath} />
        {subject === null ? <span>{about ?? words}</span> : <Name text={subject} />}
      </span>
      {(subject !== null || about !== null) && <span className="hint">{words}</span>}
      {failed !== null && <span className="hint">{failed}</span>}
      {end !== null && <span className="hint">{t(standing(end, null).words)}</span>}
    </>
  );
}

const checks: Record<FileCheck, Key | null> = {
  existence: 'proof.existence',
  content: 'proof.content',
  readback: 'proof.readback',
  unrecognised: null,
};

/** What came of it, where that is more than that it is so. */
function outcomeOf({ kind, outcome }: FactRecord, { t, reason }: Said): string | null {
  if (outcome === undefined) return null;
  if (outcome === 'passed' || outcome === 'failed' || outcome === 'restored') {
    return t(`proof.${outcome}`);
  }
  if (kind === 'subagent_completed' || kind === 'subagent_failed') return null;
  const title = reason(outcome);
  return title === null ? visible(outcome) : `${title} (${outcome})`;
}

/** Which file a fact is about. */
function File({ fact: { path, resolved, to } }: { fact: FactRecord }) {
  const { t } = useWords();
  const named = [
    ['proof.file', path],
    ['proof.resolved', resolved === path ? undefined : resolved],
    ['proof.to', to],
  ] as const;
  return named.map(
    ([label, text]) =>
      text !== undefined && (
        <Detail key={label} below label={t(label)}>
          <Name className="mono" text={text} />
        </Detail>
      ),
  );
}

const ARTIFACT = 'artifact:';

/** What was looked at, for what, and what that stands for. */
function Checked({ fact }: { fact: FactRecord }) {
  const words = useWords();
  const { t } = words;
  const { kind, check, expected = [], scope } = fact;
  const looked = check && (checks[check] ?? null);
  const outcome = outcomeOf(fact, words);
  const about = scope?.startsWith(ARTIFACT) ? scope.slice(ARTIFACT.length) : scope;
  return (
    <>
      {looked && <Detail label={t('proof.check')}>{t(looked)}</Detail>}
      {expected.length > 0 && (
        <Detail below label={t(kind === 'verification' ? 'proof.expected' : 'proof.written')}>
          {expected.map((text) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
            <pre key={text} tabIndex={0}>
              {visible(text.replace(/\n$/, ''))}
            </pre>
          ))}
        </Detail>
      )}
      {outcome && <Detail label={t('proof.outcome')}>{outcome}</Detail>}
      {about !== undefined && (
        <Detail below={scope !== 'workspace'} label={t('proof.scope')}>
          {scope === 'workspace' ? t('fact.workspace') : <Name className="mono" text={about} />}
        </Detail>
      )}
    </>
  );
}

/** Through whom it came, and in which call. */
function From({ fact }: { fact: FactRecord }) {
  const { t } = useWords();
  const nameOf = useAgentName();
  const { agentPath, todo, hook, tool } = fact;
  const agents = agentPath.map(nameOf).join(' › ');
  return (
    <>
      {todo !== undefined && (
        <Detail label={t('proof.todo')}>
          <Name className="mono" text={todo} />
        </Detail>
      )}
      {hook !== undefined && (
        <Detail label={t('proof.hook')}>
          <Name className="mono" text={hook} />
        </Detail>
      )}
      {agents !== '' && (
        <Detail label={t('proof.by')}>
          <Name text={agents} />
        </Detail>
      )}
      {tool !== undefined && (
        <Detail label={t('proof.call')}>
          <Name className="mono" text={tool} />
        </Detail>
      )}
    </>
  );
}

/** The item of the conversation that a fact comes from: a call, or a command of the person. */
const originOf = ({ callId, hook, seq }: FactRecord): string | undefined =>
  hook !== undefined ? `hook-${seq}` : callId === null ? undefined : `call-${callId}`;

interface FactProps {
  fact: FactRecord;
  /** Shows what else is known of the file; absent while only that is shown. */
  onOnly?: (path: string) => void;
}

function FactRow({ fact, onOnly }: FactProps) {
  const { t } = useWords();
  const { path, sha256 } = fact;
  const Icon = fact.outcome === 'failed' ? CircleX : (icons[fact.kind] ?? CircleAlert);
  return (
    <Row
      icon={Icon}
      words={<Words fact={fact} />}
      title={path === undefined ? undefined : visible(path)}
      at={fact.at}
      testId="fact"
      kind={fact.kind}
      tone={isBad(fact) ? 'bad' : undefined}
    >
      <Details>
        <File fact={fact} />
        <Checked fact={fact} />
        <From fact={fact} />
        <When at={fact.at} />
        {sha256 !== undefined && <Hash label={t('proof.hash')} value={sha256} />}
      </Details>
      <p className="row-ways">
        <Show id={originOf(fact)} seq={fact.seq} />
        {path !== undefined && onOnly && (
          <Button size="s" kind="quiet" data-testid="only-file" onClick={() => onOnly(path)}>
            {t('evidence.only')}
          </Button>
        )}
      </p>
    </Row>
  );
}

/** The facts, the newest first; of one file where the person chose so. */
export function Facts({ facts, earlier }: { facts: readonly FactRecord[]; earlier: number }) {
  const { t, number } = useWords();
  const [most, setMost] = useState(PAGE);
  const [only, setOnly] = useState<string | null>(null);
  const newest = useMemo(() => {
    const numbered = facts.map((fact, at) => ({ fact, at: earlier + at }));
    const isOf = ({ path, to, resolved }: FactRecord) => [path, to, resolved].includes(only ?? '');
    return numbered.filter(({ fact }) => only === null || isOf(fact)).reverse();
  }, [facts, earlier, only]);
  const choose = (path: string | null) => {
    setOnly(path);
    setMost(PAGE);
  };
  return (
    <Part name="facts" count={facts.length + earlier}>
      {only !== null && (
        <p className="only" data-testid="only-of" title={visible(only)}>
          <span className="clip">{t('evidence.only_of', { file: fileName(only) })}</span>
          <Button size="s" kind="quiet" data-testid="every-fact" onClick={() => choose(null)}>
            {t('evidence.every')}
          </Button>
        </p>
      )}
      <ul className="artifacts proofs">
        {newest.slice(0, most).map(({ fact, at }) => (
          <FactRow key={at} fact={fact} onOnly={only === null ? choose : undefined} />
        ))}
      </ul>
      <More
        left={newest.length - most}
        page={PAGE}
        earlier={earlier}
        elsewhere={t('evidence.earlier', { count: number(earlier) })}
        command="--facts"
        testId="more-facts"
        onMore={() => setMost(most + PAGE)}
      />
    </Part>
  );
}
