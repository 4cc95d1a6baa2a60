// What is shown round the conversation of a sub-agent.
import { ArrowLeft, Square } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { isFocusFree } from '../kit/focus';
import { summaryOf } from '../state/select';
import { agentOf } from '../state/standing';
import { type OpenTask, useApp, useView } from '../state/store';
import { isStopping, leaveSubagent, stopSubagent } from '../state/subagents';
import { standing } from '../widgets/subagent';
import { InspectorToggle, PanelToggle } from './header-toggles';

/** Leads back to the call that asked for it. Who came with a press goes on from here. */
function Back() {
  const app = useApp();
  const { t } = useWords();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocusFree()) button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Button
      ref={button}
      size="s"
      icon={ArrowLeft}
      data-testid="subagent-back"
      onClick={() => leaveSubagent(app)}
    >
      {t('subagent.back')}
    </Button>
  );
}

/** Who works, at what kind of work, and for which conversation. */
export function TaskHeader({ task }: { task: OpenTask }) {
  const { t } = useWords();
  const { agentId, taskType, end = null, verdict = null } = task.subagent;
  const agent = useView((v) => agentOf(v.packages ?? [], task.packageId, agentId));
  const title = useView((v) => summaryOf(v, task.parent)?.title);
  const { words, tone, live } = standing(end, verdict, task.phase !== 'running');
  const name = agent ? `${agent.icon} ${agent.name}` : agentId;
  return (
    <header className="conversation-header">
      <PanelToggle />
      <Back />
      <div className="titles">
        <h1 className="clip">{visible(name)}</h1>
        <p className="clip">
          {[t(`subagent.kind.${taskType}`), title && visible(title)].filter(Boolean).join(' · ')}
        </p>
      </div>
      <Badge tone={tone} dot live={live} data-testid="subagent-end">
        {t(words)}
      </Badge>
      <InspectorToggle />
    </header>
  );
}

/** In place of the field where one writes. */
export function TaskBar({ task }: { task: OpenTask }) {
  const app = useApp();
  const { t } = useWords();
  const { conversationId, end } = task.subagent;
  const stopping = useView((v) => isStopping(v, conversationId));
  const works = end === undefined && task.phase === 'running';
  return (
    <div className="task-bar" role="note" data-testid="task-bar">
      <p>{t('subagent.alone')}</p>
      {works && (
        <Button
          size="s"
          icon={Square}
          busy={stopping}
          disabled={stopping}
          data-testid="subagent-stop"
          onClick={() => void stopSubagent(app, conversationId)}
        >
          {t('action.stop')}
        </Button>
      )}
    </div>
  );
}
