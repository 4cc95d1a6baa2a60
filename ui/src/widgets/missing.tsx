import {
  Bot,
  CircleDashed,
  CircleQuestionMark,
  ClipboardCheck,
  FileSearch,
  ListTodo,
  type LucideIcon,
  SquareTerminal,
} from 'lucide-react';
import type { FailedCalls, MissingFact, MissingKind } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Name } from '../kit/name';

const icons: Record<MissingKind, LucideIcon> = {
  verification_passed: FileSearch,
  file_exists: CircleDashed,
  todo_terminal: ListTodo,
  subagent_completed: Bot,
  report_taken: ClipboardCheck,
  user_confirmed: CircleQuestionMark,
  command_passed: SquareTerminal,
  command_answered: SquareTerminal,
  unrecognised: CircleQuestionMark,
};

/** How it failed so far; what the code means is shown on hover. */
function Failures({ code, times }: FailedCalls) {
  const { t, number, reason } = useWords();
  return (
    <span className="hint bad" title={reason(code) ?? undefined}>
      {t('missing.failed', { code, times: number(times) })}
    </span>
  );
}

/** What it is about: a file or a todo. The id of a change or a call says nothing to a person. */
function Target({ kind, target }: MissingFact) {
  const { t } = useWords();
  if (kind === 'verification_passed' || kind === 'file_exists') {
    return <Name className="mono" text={target} />;
  }
  if (kind === 'command_passed' || kind === 'command_answered')
    return <Name className="mono" text={target} />;
  if (kind !== 'todo_terminal') return null;
  return (
    <span>
      {t('missing.todo')} <Name className="mono" text={target} />
    </span>
  );
}

interface ItemProps {
  fact: MissingFact;
  /** What a step is called. */
  titleOf: (node: string) => string;
}

function Missing({ fact, titleOf }: ItemProps) {
  const { t } = useWords();
  const { kind, expected = [], node, failed, output } = fact;
  const Icon = icons[kind] ?? CircleQuestionMark;
  const words: Key =
    expected.length > 0
      ? 'missing.contains'
      : kind in icons
        ? `missing.${kind}`
        : 'missing.unrecognised';
  return (
    <li data-testid="missing-fact" data-kind={kind}>
      <Icon size={14} aria-hidden />
      <div>
        <Target {...fact} /> <span>{t(words)}</span>
        {node && <span className="hint">{t('missing.promised', { step: titleOf(node) })}</span>}
        {failed && <Failures {...failed} />}
        {[...expected, ...(output ? [output] : [])].map((text) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
          <pre key={text} tabIndex={0}>
            {visible(text.replace(/\n$/, ''))}
          </pre>
        ))}
      </div>
    </li>
  );
}

interface Props extends Pick<ItemProps, 'titleOf'> {
  facts: readonly MissingFact[];
  /** How many more there are. */
  more: number;
}

/** The facts that are not there yet, one a line. */
export function MissingFacts({ facts, more, titleOf }: Props) {
  const { t, number } = useWords();
  if (facts.length === 0) return null;
  return (
    <ul className="missing" aria-label={t('decision.missing')} data-testid="missing-facts">
      {facts.map((fact) => (
        <Missing key={`${fact.kind}/${fact.target}/${fact.node}`} fact={fact} titleOf={titleOf} />
      ))}
      {more > 0 && <li className="hint">{t('decision.more', { count: number(more) })}</li>}
    </ul>
  );
}
