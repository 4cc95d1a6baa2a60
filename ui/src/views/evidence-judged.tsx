import {
  CircleCheck,
  CircleHelp,
  CircleX,
  type LucideIcon,
  RotateCw,
  Scale,
  UserRound,
} from 'lucide-react';
import { useState } from 'react';
import type { DecisionStatus, EvidenceView, JudgementRecord, TaskKind } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { useView } from '../state/store';
import { NextActions } from '../widgets/decision';
import { MissingFacts } from '../widgets/missing';
import { OpenList } from './evidence-open';
import { Detail, Details, More, Part, Row, Show, When } from './evidence-rows';

/** Judgements that are shown at once. */
const PAGE = 5;

const looks: Record<DecisionStatus, { icon: LucideIcon; tone?: 'ok' | 'warn' | 'bad' }> = {
  accepted: { icon: CircleCheck, tone: 'ok' },
  continue: { icon: RotateCw },
  blocked: { icon: UserRound, tone: 'warn' },
  incomplete: { icon: CircleX, tone: 'warn' },
  failed: { icon: CircleX, tone: 'bad' },
  unrecognised: { icon: CircleHelp },
};

const works: Record<TaskKind, Key | null> = {
  chat_answer: 'judged.chat_answer',
  todo_state: 'judged.todo_state',
  workspace_write: 'judged.workspace_write',
  subagent: 'judged.subagent',
  read_only: 'judged.read_only',
  mixed: 'judged.mixed',
  unrecognised: null,
};

/** What was missing, what was asked for, and what kind of work it was. */
function Why({ judgement }: { judgement: JudgementRecord }) {
  const { t } = useWords();
  const { decision, at } = judgement;
  const { missing_facts: missing = [], obligations = [], not_listed: more = 0 } = decision;
  const { required_next_actions: next = [], task_kind: kind } = decision;
  const steps = useView((v) => v.conversation.status?.steps);
  const titleOf = (node: string) => steps?.find(({ id }) => id === node)?.title ?? node;
  const work = kind && (works[kind] ?? null);
  const isMissing = missing.length + obligations.length > 0;
  return (
    <Details>
      {isMissing && (
        <Detail below label={t('decision.missing')}>
          {missing.length > 0 ? (
            <MissingFacts facts={missing} more={more} titleOf={titleOf} />
          ) : (
            <OpenList obligations={obligations} />
          )}
        </Detail>
      )}
      {next.length > 0 && (
        <Detail below label={t('judged.next')}>
          <div className="asked-next">
            <NextActions actions={next} />
          </div>
        </Detail>
      )}
      {work && <Detail label={t('judged.work')}>{t(work)}</Detail>}
      <When at={at} />
    </Details>
  );
}

function JudgementRow({ judgement }: { judgement: JudgementRecord }) {
  const { t, change } = useWords();
  const { decision, at, item, seq, overruled } = judgement;
  const { said, user_summary: summary } = decision;
  const status = Object.hasOwn(looks, decision.status) ? decision.status : 'unrecognised';
  const { icon, tone } = looks[status];
  const sentence = change(said ? [said] : [], summary);
  return (
    <Row
      icon={icon ?? Scale}
      words={
        <>
          <span>
            {t(`judged.${status}`)}
            {overruled && <span className="hint"> · {t('judged.overruled')}</span>}
          </span>
          <span className="hint sentence">{sentence}</span>
        </>
      }
      at={at}
      testId="judgement"
      kind={decision.status}
      tone={overruled ? undefined : tone}
    >
      <Why judgement={judgement} />
      <p className="row-ways">
        <Show id={item} seq={seq} />
      </p>
    </Row>
  );
}

type Props = Pick<EvidenceView, 'judgements' | 'earlierJudgements'>;

/** What the runtime judged of the model's last words, the newest first. */
export function Judged({ judgements, earlierJudgements: earlier }: Props) {
  const { t, number } = useWords();
  const [most, setMost] = useState(PAGE);
  const left = judgements.length - most;
  if (judgements.length === 0) return null;
  return (
    <Part name="judged" count={judgements.length + earlier}>
      <ul className="artifacts proofs">
        {judgements.slice(0, most).map((judgement) => (
          <JudgementRow key={judgement.seq} judgement={judgement} />
        ))}
      </ul>
      <More
        left={left}
        page={left}
        earlier={earlier}
        elsewhere={t('evidence.earlier_judged', { count: number(earlier) })}
        command="--decisions"
        testId="more-judged"
        onMore={() => setMost(judgements.length)}
      />
    </Part>
  );
}
