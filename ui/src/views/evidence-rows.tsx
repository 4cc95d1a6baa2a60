// What the parts of the evidence are made of: a heading that folds, rows that open, and their details.
import { Check, Copy, CornerDownRight, type LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button, IconButton } from '../kit/button';
import { Fold } from '../kit/fold';
import { useCopy } from '../kit/use-copy';
import { useApp, useView } from '../state/store';

interface PartProps {
  name: 'open' | 'judged' | 'decided' | 'facts';
  /** How many there are. */
  count: number;
  children: ReactNode;
}

/** A part of the evidence. One that was folded stays so. */
export function Part({ name, count, children }: PartProps) {
  const app = useApp();
  const { t, number } = useWords();
  const key = `evidence/${name}/folded`;
  return (
    <section>
      <Fold
        level={2}
        testId={`evidence-${name}`}
        unfolded={!app.unfolded.has(key)}
        onUnfold={(open) => void (open ? app.unfolded.delete(key) : app.unfolded.add(key))}
        label={
          <>
            <span>{t(`evidence.${name}`)}</span>
            <span className="hint">{number(count)}</span>
          </>
        }
      >
        {children}
      </Fold>
    </section>
  );
}

interface RowProps {
  icon: LucideIcon;
  /** What it says, closed. */
  words: ReactNode;
  /** The whole of what is cut there. */
  title?: string;
  /** When it was. */
  at: string;
  testId: string;
  kind: string;
  tone?: 'ok' | 'warn' | 'bad';
  children: ReactNode;
}

/** A line that opens. */
export function Row({ icon: Icon, words, title, at, testId, kind, tone, children }: RowProps) {
  const { time, moment } = useWords();
  return (
    <li title={title} data-testid={testId} data-kind={kind} data-tone={tone}>
      <Fold
        label={
          <>
            <Icon size={14} aria-hidden />
            <span className="words">{words}</span>
            <time dateTime={at} title={moment(at)}>
              {time(at)}
            </time>
          </>
        }
      >
        {children}
      </Fold>
    </li>
  );
}

/** What is known of something, by name. */
export function Details({ children }: { children: ReactNode }) {
  return <dl className="proof">{children}</dl>;
}

interface DetailProps {
  label: string;
  /** What is long stands below its name. */
  below?: boolean;
  children: ReactNode;
}

export function Detail({ label, below, children }: DetailProps) {
  return (
    <div data-below={below || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** When something was, to the second. */
export function When({ at }: { at: string }) {
  const { t, moment } = useWords();
  return (
    <Detail label={t('proof.when')}>
      <time dateTime={at}>{moment(at)}</time>
    </Detail>
  );
}

/** Characters of a hash that are shown. */
const SHOWN = 12;

/** The beginning of a hash, and a way to all of it. */
export function Hash({ label, value }: { label: string; value: string }) {
  const { t } = useWords();
  const { copied, copy, forget } = useCopy();
  return (
    <Detail label={label}>
      <span className="hash">
        <code title={value}>{value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value}</code>
        <IconButton
          icon={copied ? Check : Copy}
          label={t(copied ? 'evidence.copied' : 'evidence.copy')}
          data-testid="copy-hash"
          onClick={() => void copy(value)}
          onBlur={forget}
        />
      </span>
    </Detail>
  );
}

/** Brings an item of the conversation into sight; absent where there is no such item. */
export function useShow(id: string | undefined, seq: number): (() => void) | undefined {
  const { store } = useApp();
  // What stands in an earlier page is read back to.
  const isThere = useView(
    ({ conversation: { index, earlier } }) =>
      id !== undefined && (index.has(id) || (earlier !== null && seq < earlier)),
  );
  if (id === undefined || !isThere) return undefined;
  return () => store.setState({ jump: { id, seq, above: 0, why: 'sought' }, drawerOpen: false });
}

/** The way to an item of the conversation, where it is there. */
export function Show({ id, seq }: { id: string | undefined; seq: number }) {
  const { t } = useWords();
  const show = useShow(id, seq);
  if (!show) return null;
  return (
    <Button size="s" kind="quiet" icon={CornerDownRight} data-testid="show-item" onClick={show}>
      {t('evidence.show')}
    </Button>
  );
}

/** What is typed in a terminal to list something of the open run: broken between its words only. */
function Command({ flag }: { flag: string }) {
  const { t } = useWords();
  const { copied, copy, forget } = useCopy();
  const run = useView((v) => v.conversation.status?.run?.runId);
  if (run === undefined) return null;
  const words = ['crewagent', 'runs', 'show', run, flag];
  return (
    <p className="command" data-testid="earlier-command">
      <code>
        {words.map((word, at) => (
          <Fragment key={word}>
            {at > 0 && ' '}
            <span>{visible(word)}</span>
          </Fragment>
        ))}
      </code>
      <IconButton
        icon={copied ? Check : Copy}
        label={t(copied ? 'evidence.copied' : 'evidence.copy_command')}
        data-testid="copy-command"
        onClick={() => void copy(words.join(' '))}
        onBlur={forget}
      />
    </p>
  );
}

interface MoreProps {
  /** How many are not shown, and how many of them come at once. */
  left: number;
  page: number;
  /** How many there are before all of these, and where they stand. */
  earlier: number;
  elsewhere: string;
  /** What `crewagent runs show` is asked for to list them; absent where they stand elsewhere. */
  command?: string;
  testId: string;
  onMore: () => void;
}

/** Below a list: the next of it, and at its end where the rest stands. */
export function More({ left, page, earlier, elsewhere, command, testId, onMore }: MoreProps) {
  const { t, number } = useWords();
  if (left > 0) {
    return (
      <Button size="s" kind="quiet" data-testid={testId} onClick={onMore}>
        {t('evidence.more', { count: number(Math.min(left, page)) })}
      </Button>
    );
  }
  if (earlier === 0) return null;
  return (
    <>
      <p className="hint">{elsewhere}</p>
      {command !== undefined && <Command flag={command} />}
    </>
  );
}
