import { MessagesSquare, Plus } from 'lucide-react';
import type { RunSummary } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { newRun, openConversation } from '../state/actions';
import { useApp, useView } from '../state/store';
import { PhaseBadge } from './phase-badge';

function RunRow({ run }: { run: RunSummary }) {
  const app = useApp();
  const { date } = useWords();
  const current = useView((v) => !v.startingRun && v.conversationId === run.conversationId);
  const packageName = useView(
    (v) => v.packages?.find((p) => p.packageId === run.packageId)?.name ?? run.packageId,
  );
  return (
    <li>
      <button
        type="button"
        className="row"
        data-testid="run-row"
        data-run-id={run.runId}
        aria-current={current ? 'true' : undefined}
        onClick={() => openConversation(app, run.conversationId)}
      >
        <span className="row-top">
          <strong className="clip">{run.title}</strong>
          <span className="when">{date(run.updatedAt)}</span>
        </span>
        <span className="row-bottom">
          <span className="clip">{packageName}</span>
          <PhaseBadge phase={run.phase} small />
        </span>
      </button>
    </li>
  );
}

/** The runs of the open project, newest first. */
export function WorksPanel() {
  const app = useApp();
  const { t } = useWords();
  const runs = useView((v) => v.runs);
  return (
    <aside className="panel" aria-label={t('works.label')}>
      <header>
        <h2>{t('rail.works')}</h2>
        <Button size="s" icon={Plus} data-testid="new-run" onClick={() => newRun(app)}>
          {t('works.new')}
        </Button>
      </header>
      <div className="panel-body">
        {runs?.length === 0 && (
          <Empty icon={MessagesSquare} title={t('works.empty')} hint={t('works.empty.hint')} />
        )}
        <ul>
          {runs?.map((run) => (
            <RunRow key={run.runId} run={run} />
          ))}
        </ul>
      </div>
    </aside>
  );
}
