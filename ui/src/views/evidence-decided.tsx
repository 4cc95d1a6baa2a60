import { Ban, CircleCheck, type LucideIcon, MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { fileName } from '../bridge/path';
import type { Approval, EvidenceView, GivenAnswer } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Name } from '../kit/name';
import { Coded } from '../kit/sentence';
import { useView } from '../state/store';
import { isServerCall, objectOf, verbOf } from '../widgets/change';
import { declined } from '../widgets/confirmation';
import type { QuestionBody } from '../widgets/props';
import { firstLine, toldOf } from '../widgets/receipt';
import { Detail, Details, Hash, More, Part, Row, Show, useShow, When } from './evidence-rows';

/** Answers that are shown at once. */
const PAGE = 5;

const bodyOf = ({ widget, change, answer }: GivenAnswer): QuestionBody => ({
  type: 'question',
  widget,
  ...(change ? { change } : {}),
  answer,
  unbound: false,
  closed: false,
});

/** What became of a confirmation: by the change that was shown, or by when it was given. */
function approvalOf(approvals: readonly Approval[], given: GivenAnswer): Approval | undefined {
  if (given.widget.type !== 'confirmation') return undefined;
  const { change, at } = given;
  return approvals.find((it) =>
    change ? it.changeId === change.id : it.changeId === null && it.at === at,
  );
}

function iconOf(body: QuestionBody): LucideIcon {
  if (declined(body) !== null) return Ban;
  return body.widget.type === 'confirmation' ? CircleCheck : MessageSquareText;
}

/** What was asked about, in one line. */
function Subject({ body }: { body: QuestionBody }) {
  const { t } = useWords();
  const { widget, change } = body;
  if (!change) return <span className="clip">{firstLine(widget, t)}</span>;
  const isFile = change.effect !== 'back' && !isServerCall(change);
  const object = !isFile ? objectOf(change, t) : fileName(change.path);
  return (
    <span className="clip">
      {t(verbOf(change))} <Name text={object} />
    </span>
  );
}

/** A call that ran on it. */
function UsedBy({ callId, seq }: { callId: string; seq: number }) {
  const { t } = useWords();
  const id = `call-${callId}`;
  const tool = useView(({ conversation: { index, items } }) => {
    const body = items[index.get(id) ?? -1]?.body;
    return body?.type === 'call' ? body.tool : null;
  });
  const show = useShow(id, seq);
  const name = <Name className="mono" text={tool ?? callId} />;
  if (!show) return name;
  return (
    <button type="button" className="link" title={t('evidence.show')} onClick={show}>
      {name}
    </button>
  );
}

/** Whether and by which calls a confirmation was used, and what exactly it was given for. */
function Used({ approval, seq }: { approval: Approval; seq: number }) {
  const { t, moment } = useWords();
  const { confirmed, calls, revokedAt, diffSha256, folder, bound, tool } = approval;
  return (
    <>
      {tool !== null && (
        <Detail label={t('decided.tool')}>
          <Name className="mono" text={tool} />
        </Detail>
      )}
      {folder !== null && (
        <Detail label={t('decided.folder')}>
          <Name className="mono" text={folder} />
        </Detail>
      )}
      {confirmed && (
        <Detail label={t('decided.used')}>
          {calls.length === 0 && t('decided.unused')}
          <span className="used">
            {calls.map((callId) => (
              <UsedBy key={callId} callId={callId} seq={seq} />
            ))}
          </span>
        </Detail>
      )}
      {revokedAt !== null && (
        <Detail label={t('decided.taken_back')}>
          <time dateTime={revokedAt}>{moment(revokedAt)}</time>
        </Detail>
      )}
      {!bound && (
        <Detail below label={t('decided.shown')}>
          {t('decided.unbound')}
        </Detail>
      )}
      {diffSha256 !== null && <Hash label={t('decided.shown')} value={diffSha256} />}
    </>
  );
}

function AnswerRow({ given }: { given: GivenAnswer }) {
  const words = useWords();
  const { t } = words;
  const approvals = useView((v) => (v.snapshot?.ok ? v.snapshot.value.approvals : null));
  const { widget, change, at, item, seq } = given;
  const body = bodyOf(given);
  const told = toldOf(body, words);
  const about = change && (isServerCall(change) ? objectOf(change, t) : change.path);
  const does = change ? words.change(change.parts, change.summary) : '';
  const approval = approvalOf(approvals ?? [], given);
  return (
    <Row
      icon={iconOf(body)}
      words={
        <>
          <Subject body={body} />
          <span className="hint">
            {told && does ? `${told} · ` : told}
            {isServerCall(change) ? <Coded text={does} /> : does}
          </span>
        </>
      }
      title={about && visible(about)}
      at={at}
      testId="answer"
      kind={widget.type}
    >
      <Details>
        {about !== undefined ? (
          <Detail below label={t(isServerCall(change) ? 'decided.call' : 'decided.change')}>
            <Name className="mono" text={about} />
          </Detail>
        ) : (
          <Detail below label={t('decided.asked')}>
            <span className="whole">{visible(widget.message.trim())}</span>
          </Detail>
        )}
        {approval && <Used approval={approval} seq={seq} />}
        <When at={at} />
      </Details>
      <p className="row-ways">
        <Show id={item} seq={seq} />
      </p>
    </Row>
  );
}

type Props = Pick<EvidenceView, 'answers' | 'earlierAnswers'>;

/** What the person allowed, confirmed, refused and chose, the newest first. */
export function Decided({ answers, earlierAnswers: earlier }: Props) {
  const { t, number } = useWords();
  const [most, setMost] = useState(PAGE);
  const left = answers.length - most;
  if (answers.length === 0) return null;
  return (
    <Part name="decided" count={answers.length + earlier}>
      <ul className="artifacts proofs">
        {answers.slice(0, most).map((given) => (
          <AnswerRow key={given.item} given={given} />
        ))}
      </ul>
      <More
        left={left}
        page={left}
        earlier={earlier}
        elsewhere={t('evidence.earlier_decided', { count: number(earlier) })}
        testId="more-decided"
        onMore={() => setMost(answers.length)}
      />
    </Part>
  );
}
