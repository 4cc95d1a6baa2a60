import { useWords, type Words } from '../i18n';
import { stepThere } from '../state/nesting';
import type { Row, StepSummary } from '../state/rows';
import { phaseOf } from '../state/select';
import { agentOf, packageOf } from '../state/standing';
import { useApp, useView } from '../state/store';
import { objectOf, verbOf } from '../widgets/change';
import { declined } from '../widgets/confirmation';
import { toldOf } from '../widgets/receipt';
import { type Standing, Step } from '../widgets/step';

type StepRowOf = Extract<Row, { kind: 'step' }>;

/** The most answers, and characters of words, that a step is summed up with. */
const [ANSWERS, LENGTH] = [2, 160];

type Answered = StepSummary['answered'][number];

/** What was answered; of a change, what it was about as well. */
function lineOf({ body }: Answered, own: Words): string {
  const told = toldOf(body, own);
  const { change } = body;
  return change ? `${own.t(verbOf(change))} ${objectOf(change, own.t)}: ${told}` : told;
}

/** What the person decided in a step, what they refused first, or else what they wrote. */
function summaryOf({ answered, words }: StepSummary, own: Words): string {
  const isRefused = ({ body }: Answered) => declined(body) !== null;
  const [refused, others] = [answered.filter(isRefused), answered.filter((it) => !isRefused(it))];
  const lines = [...refused, ...others].map((it) => lineOf(it, own)).filter((line) => line !== '');
  const more = lines.length - ANSWERS;
  if (lines.length > 0) {
    return lines.slice(0, ANSWERS).join(' · ') + (more > 0 ? ` · +${own.number(more)}` : '');
  }
  const [line = ''] = (words ?? '').trim().slice(0, LENGTH).split('\n', 1);
  return line && own.t('step.words', { words: line });
}

/** Whether a step was completed, left before that, or is the one that the run is at. */
function standingOf({ done }: StepRowOf, isOver: boolean, isCompleted: boolean): Standing {
  if (done?.calls) return 'calls';
  if (done) return done.completed ? 'done' : 'left';
  if (!isOver) return 'now';
  return isCompleted ? 'done' : 'left';
}

/** Where a step begins, in the conversation. */
export function StepRow({ row }: { row: StepRowOf }) {
  const { store } = useApp();
  const own = useWords();
  const { item, done, open } = row;
  const status = useView((v) => v.conversation.status);
  const packages = useView((v) => v.packages);
  const agent = useView((v) => agentOf(v.packages ?? [], packageOf(v), done?.agent));
  const isOver = useView((v) => {
    const phase = phaseOf(v.conversation);
    return phase === 'completed' || phase === 'failed';
  });
  const { title, number, isCompleted } = stepThere(status, packages, item.body);
  const toggle = () => {
    const opened = new Set(store.getState().openSteps);
    if (!opened.delete(item.id)) opened.add(item.id);
    store.setState({ openSteps: opened });
  };
  return (
    <Step
      title={title}
      standing={standingOf(row, isOver, isCompleted)}
      number={number}
      agent={agent?.name ?? done?.agent}
      took={done ? Date.parse(done.until) - Date.parse(item.at) : undefined}
      files={done?.files ?? 0}
      refused={done?.refused ?? 0}
      kept={done?.kept ?? 0}
      troubles={done?.troubles ?? 0}
      summary={done ? summaryOf(done, own) : ''}
      open={open}
      onOpen={done && !done.isEmpty ? toggle : undefined}
    />
  );
}
