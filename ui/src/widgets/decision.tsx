import { CircleCheck, MessageSquareText, RotateCw, Scale, Stamp } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Decision, DecisionStatus, Item, NextAction } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge, type Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { focusHome, isFocusFree } from '../kit/focus';
import { Fold } from '../kit/fold';
import { useArming } from './arming';
import { Markdown } from './markdown';
import { MissingFacts } from './missing';

export type DecisionBody = Extract<Item['body'], { type: 'decision' }>;

/** What of it can be opened. */
export type DecisionPart = 'all' | 'actions' | 'rejected';

const verdicts: Record<DecisionStatus, Tone> = {
  accepted: 'ok',
  continue: 'plain',
  blocked: 'warn',
  incomplete: 'warn',
  failed: 'bad',
  unrecognised: 'plain',
};

interface Props {
  body: DecisionBody;
  /** True while the run rests because of it: the person says what becomes of it. */
  isOpen: boolean;
  /** What the person has chosen and is on its way. */
  busy: 'retry' | 'accept' | null;
  /** What a step is called. */
  titleOf: (node: string) => string;
  /** Whether a part was open when it was last in sight. */
  unfolded?: (part: DecisionPart) => boolean;
  onUnfold?: (part: DecisionPart, open: boolean) => void;
  /** How long the buttons must be in sight before it can be accepted, in milliseconds. */
  armedAfter?: number;
  onRetry: () => void;
  onAccept: () => void;
  onTell: () => void;
}

/** One sentence, in the reader's language where there is one. */
const useSentence = ({ said, user_summary }: Decision): string => {
  const { change } = useWords();
  return change(said ? [said] : [], user_summary);
};

/** A status this window knows; anything else is shown without a judgement of its own. */
const known = (status: DecisionStatus): DecisionStatus =>
  Object.hasOwn(verdicts, status) ? status : 'unrecognised';

/** Words that the model does not go on from: what becomes of them the person says. */
const asksPerson = ({ decision, overruled }: DecisionBody): boolean =>
  !overruled && (decision.status === 'incomplete' || decision.status === 'failed');

/** Calls with their arguments, one a line. */
export function NextActions({ actions }: { actions: readonly NextAction[] }) {
  const lines = actions.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
    <pre tabIndex={0} data-testid="next-actions">
      {visible(lines.join('\n'))}
    </pre>
  );
}

/** What can be opened: the calls that would prove it, and the words that were not accepted. */
function Folds({ body, unfolded, onUnfold }: Pick<Props, 'body' | 'unfolded' | 'onUnfold'>) {
  const { t } = useWords();
  const { required_next_actions: actions = [] } = body.decision;
  const fold = (part: DecisionPart, label: Key, children: ReactNode) => (
    <Fold
      label={t(label)}
      testId={`decision-${part}`}
      unfolded={unfolded?.(part)}
      onUnfold={(open) => onUnfold?.(part, open)}
    >
      {children}
    </Fold>
  );
  return (
    <>
      {actions.length > 0 && fold('actions', 'decision.actions', <NextActions actions={actions} />)}
      {/* Words that the person let stand are a message of their own. */}
      {body.rejected &&
        !body.overruled &&
        fold(
          'rejected',
          'decision.rejected',
          <div className="rejected" data-testid="rejected-text">
            <Markdown text={body.rejected} />
          </div>,
        )}
    </>
  );
}

/** The three ways on. Only the one that accepts has to be meant for what was read. */
function Choice(
  props: Pick<Props, 'busy' | 'onRetry' | 'onAccept' | 'onTell'> & { meant: () => boolean },
) {
  const { busy, onRetry, onAccept, onTell, meant } = props;
  const { t } = useWords();
  const [early, setEarly] = useState(false);
  const accept = () => {
    const isMeant = meant();
    setEarly(!isMeant);
    if (isMeant) onAccept();
  };
  return (
    <div className="decision-choice">
      <div className="decision-buttons">
        <Button
          size="s"
          icon={RotateCw}
          busy={busy === 'retry'}
          disabled={busy !== null}
          data-testid="decision-retry"
          onClick={onRetry}
        >
          {t('action.retry')}
        </Button>
        <Button size="s" icon={MessageSquareText} data-testid="decision-tell" onClick={onTell}>
          {t('decision.tell')}
        </Button>
        <Button
          size="s"
          icon={Stamp}
          busy={busy === 'accept'}
          disabled={busy !== null}
          data-testid="decision-accept"
          onClick={accept}
        >
          {t('decision.accept')}
        </Button>
      </div>
      <p className="hint">{t('decision.choice')}</p>
      {early && (
        <p className="hint early" role="status" data-testid="too-early">
          {t('arming.early')}
        </p>
      )}
    </div>
  );
}

/** What is missing; what the person has let pass is shown on demand. */
function Missing({ body, titleOf, unfolded, onUnfold }: Props) {
  const { t } = useWords();
  const { missing_facts: facts = [], not_listed: more = 0 } = body.decision;
  const list = <MissingFacts facts={facts} more={more} titleOf={titleOf} />;
  if (!body.overruled || facts.length === 0) return list;
  return (
    <Fold
      label={t('decision.missing')}
      testId="decision-all"
      unfolded={unfolded?.('all')}
      onUnfold={(open) => onUnfold?.('all', open)}
    >
      {list}
    </Fold>
  );
}

/** The model goes on by itself, or the person is asked something anyway: one line says it. */
function Line(props: Props) {
  const { t } = useWords();
  const { body, unfolded, onUnfold } = props;
  const { decision } = body;
  const sentence = useSentence(decision);
  const { missing_facts: missing = [], required_next_actions: actions = [] } = decision;
  const line = (
    <>
      <Scale size={14} aria-hidden />
      <strong>{t('decision.title')}</strong>
      <span className="sentence">{sentence}</span>
    </>
  );
  if (missing.length + actions.length === 0 && !body.rejected) {
    return <p className="decision-line">{line}</p>;
  }
  return (
    <Fold
      label={line}
      testId="decision-all"
      unfolded={unfolded?.('all')}
      onUnfold={(open) => onUnfold?.('all', open)}
    >
      <Missing {...props} />
      <Folds body={body} unfolded={unfolded} onUnfold={onUnfold} />
    </Fold>
  );
}

/** Why the words do not stand, what is missing, and what the person can do about it. */
function Whole(props: Props & { meant: () => boolean }) {
  const { body, isOpen } = props;
  const { t } = useWords();
  const { decision, overruled } = body;
  const sentence = useSentence(decision);
  const status = known(decision.status);
  return (
    <>
      <header>
        <Scale size={15} aria-hidden />
        <h2>{t('decision.title')}</h2>
        {overruled && (
          <Badge data-testid="decision-overruled">
            <CircleCheck size={12} aria-hidden />
            {t('decision.overruled')}
          </Badge>
        )}
        {!overruled && status !== 'unrecognised' && (
          <Badge tone={verdicts[status]}>{t(`decision.${status}` as Key)}</Badge>
        )}
      </header>
      <p className="sentence">{sentence}</p>
      <Missing {...props} />
      <Folds body={body} unfolded={props.unfolded} onUnfold={props.onUnfold} />
      {isOpen && asksPerson(body) && <Choice {...props} />}
    </>
  );
}

/** Who has chosen goes on where one writes: the buttons are gone. */
function useLeave(asks: boolean) {
  const asked = useRef(asks);
  useEffect(() => {
    if (asked.current && !asks && isFocusFree()) focusHome()?.focus({ preventScroll: true });
    asked.current = asks;
  }, [asks]);
}

/** The runtime's judgement, in place of words that are not accepted or below words that stand. */
export function DecisionBlock(props: Props) {
  const { t } = useWords();
  const { decision, overruled } = props.body;
  const root = useRef<HTMLElement>(null);
  const asks = props.isOpen && asksPerson(props.body);
  const arming = useArming(root, '.decision-buttons', asks, props.armedAfter);
  useLeave(asks);
  const isLine = decision.status === 'continue' || decision.status === 'blocked';
  return (
    <article
      ref={root}
      className="decision"
      data-testid="decision"
      data-status={decision.status}
      data-tone={verdicts[known(decision.status)]}
      data-line={isLine || undefined}
      data-overruled={overruled || undefined}
      data-armed={asks ? arming.state : undefined}
      aria-label={t('decision.title')}
    >
      {isLine ? <Line {...props} /> : <Whole {...props} meant={arming.meant} />}
    </article>
  );
}
