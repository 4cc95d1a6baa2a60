import { Dialog as Base } from '@base-ui/react/dialog';
import { Check, CircleDot, Flag, GitFork, type LucideIcon, X } from 'lucide-react';
import type { CallState, StepStatus, StepView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { Cover } from '../kit/cover';
import { focusAfter } from '../kit/focus';
import { NARROW, useMedia } from '../kit/use-media';
import { callsOf } from '../state/select';
import { useApp, useView } from '../state/store';
import { Changes } from './changes';
import { Evidence } from './evidence';
import { Grants } from './grants';
import { ModelViewLink } from './model-view';
import { Todos } from './todos';
import { useSnapshot } from './use-snapshot';

const marks: Record<StepStatus, LucideIcon | null> = {
  completed: Check,
  current: CircleDot,
  pending: null,
};

/** `over`: the flow has ended, so what is pending lies on a branch that was not taken. */
function Step({ step, over }: { step: StepView; over: boolean }) {
  const { t } = useWords();
  const Mark = marks[step.status];
  const Kind = step.type === 'decision' ? GitFork : step.type === 'end' ? Flag : null;
  return (
    <li
      className="step"
      data-testid={`step-${step.id}`}
      data-status={step.status}
      aria-current={step.status === 'current' ? 'step' : undefined}
    >
      <span className="mark">{Mark && <Mark size={13} strokeWidth={2.4} aria-hidden />}</span>
      <span className="words">
        <span>{visible(step.title)}</span>
        <span className="hint">
          {Kind && <Kind size={11} aria-hidden />}
          {t(over && step.status === 'pending' ? 'step.skipped' : (`step.${step.status}` as Key))}
        </span>
      </span>
    </li>
  );
}

function Progress() {
  const { t } = useWords();
  const steps = useView((v) => v.conversation.status?.steps ?? null);
  const done = steps?.filter((s) => s.status === 'completed').length ?? 0;
  const over = useView((v) => v.conversation.status?.run?.phase === 'completed');
  const total = (over ? done : steps?.length) ?? 0;
  return (
    <section>
      <h2>
        {t('progress.title')}
        {total > 0 && <span className="hint">{t('progress.count', { done, total })}</span>}
      </h2>
      {total > 0 && (
        <div
          className="meter"
          role="progressbar"
          aria-label={t('progress.title')}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done}
        >
          <span style={{ width: `${(done / total) * 100}%` }} />
        </div>
      )}
      {total === 0 && <p className="hint">{t('progress.empty')}</p>}
      <ol className="steps">
        {steps?.map((step) => (
          <Step key={step.id} step={step} over={over} />
        ))}
      </ol>
    </section>
  );
}

/** Calls that changed nothing and need nobody. */
const undone: readonly CallState[] = ['asked', 'refused', 'missing', 'handled'];

function Calls() {
  const { t, number } = useWords();
  const conversation = useView((v) => v.conversation);
  const calls = callsOf(conversation);
  const counts = new Map<string, { done: number; undone: number; failed: number }>();
  for (const { call } of calls) {
    const entry = counts.get(call.tool) ?? { done: 0, undone: 0, failed: 0 };
    if (call.state === 'failed') entry.failed += 1;
    else if (undone.includes(call.state)) entry.undone += 1;
    else entry.done += 1;
    counts.set(call.tool, entry);
  }
  return (
    <section>
      <h2>
        {t('calls.title')}
        {calls.length > 0 && <span className="hint">{number(calls.length)}</span>}
      </h2>
      {calls.length === 0 && <p className="hint">{t('calls.empty')}</p>}
      <ul className="tallies">
        {[...counts].map(([tool, { done, undone, failed }]) => (
          <li key={tool}>
            <span className="mono clip">{visible(tool)}</span>
            {failed > 0 && (
              <span className="bad">
                {number(failed)} {t('call.failed')}
              </span>
            )}
            {undone > 0 && (
              <span className="hint">
                {number(undone)} {t('call.handled')}
              </span>
            )}
            <span>{number(done)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The inspector over the conversation. Esc closes it, and the focus returns. */
function Drawer() {
  const { store } = useApp();
  const { t } = useWords();
  const close = () => store.setState({ drawerOpen: false });
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-veil" />
        <Base.Popup
          className="inspector drawer"
          aria-label={t('inspector.label')}
          data-testid="inspector-drawer"
          finalFocus={focusAfter}
        >
          <Cover />
          <IconButton icon={X} label={t('action.close')} onClick={close} />
          <Parts />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Beside the conversation, or over it where there is no room. */
export function InspectorPlace() {
  const narrow = useMedia(NARROW);
  const beside = useView((v) => v.inspectorOpen);
  const over = useView((v) => v.drawerOpen);
  if (narrow) return over ? <Drawer /> : null;
  return beside ? <Inspector /> : null;
}

function Parts() {
  useSnapshot();
  const conversationId = useView((v) => v.conversationId);
  // What a sub-agent did to files, and what it proves, is told of the run.
  const isTask = useView((v) => v.task !== null);
  if (isTask) {
    return (
      <>
        <Calls />
        <ModelViewLink />
      </>
    );
  }
  return (
    <>
      <Progress />
      <Todos />
      <Grants />
      <Changes />
      <Calls />
      <Evidence key={conversationId} />
      <ModelViewLink />
    </>
  );
}

/** Where the run is, and what it has changed. */
export function Inspector() {
  const { t } = useWords();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
    <aside className="inspector" aria-label={t('inspector.label')} tabIndex={0}>
      <Parts />
    </aside>
  );
}
