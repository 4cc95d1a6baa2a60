import { Cpu, Folder, Package, ScrollText } from 'lucide-react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { costOf } from '../state/costs';
import { packageOf, phaseOf, stoppedByModel } from '../state/select';
import { useApp, useView } from '../state/store';
import { DemoModel } from './own-model';
import { phaseKey } from './phase-badge';

/** Opens and closes the log. */
function LogToggle() {
  const { store } = useApp();
  const { t } = useWords();
  const open = useView((v) => v.logOpen);
  return (
    <button
      type="button"
      className="log-toggle"
      aria-pressed={open}
      aria-keyshortcuts="Control+L Meta+L"
      title={t('log.toggle')}
      data-testid="log-toggle"
      onClick={() => store.setState({ logOpen: !open })}
    >
      <ScrollText size={12} aria-hidden />
      {t('log.title')}
    </button>
  );
}

/** What the conversation has cost; nothing where no price is known. */
function CostSoFar() {
  const { t, money } = useWords();
  const used = useView((v) => v.conversation.status?.usageByModel);
  const settings = useView((v) => v.settings?.settings);
  const cost = settings && used && costOf(settings.costs, used, settings.model.model);
  if (!cost) return null;
  const amount = `${cost.about ? '≈ ' : ''}${money(cost.amount)}`;
  return (
    <span data-testid="cost">
      {t('status.cost', { amount, currency: settings.costs.currency })}
    </span>
  );
}

/** Project, package, phase, model and tokens, always in sight. */
export function StatusBar() {
  const { t, about } = useWords();
  const project = useView((v) => v.projects?.find((p) => p.projectId === v.projectId));
  const run = useView((v) => v.conversation.status?.run);
  const packageId = useView(packageOf);
  const pack = useView((v) => v.packages?.find((p) => p.packageId === packageId));
  const isTask = useView((v) => v.task !== null);
  const usage = useView((v) => v.conversation.status?.usage);
  const phase = useView((v) => phaseOf(v.conversation));
  const modelStopped = useView((v) => stoppedByModel(v.conversation));
  const model = useView((v) => {
    const settings = v.settings?.settings.model;
    return settings?.baseUrl ? settings.model : null;
  });
  const tokens = (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
  return (
    <footer className="status-bar">
      <span title={visible(project?.location ?? '')}>
        <Folder size={12} aria-label={t('status.project')} />
        <span className="clip">{visible(project?.name ?? '')}</span>
      </span>
      {packageId && (
        <span>
          <Package size={12} aria-label={t('status.package')} />
          <span className="clip">{visible(pack ? `${pack.name} ${pack.version}` : packageId)}</span>
        </span>
      )}
      <span>
        {isTask
          ? t('subagent.label')
          : t(phase ? phaseKey(phase, run?.reason, modelStopped) : 'phase.none')}
      </span>
      <span className="grow" />
      <span>
        <Cpu size={12} aria-label={t('status.model')} />
        {run?.demo ? <DemoModel /> : <span className="clip">{model ?? t('status.nomodel')}</span>}
      </span>
      {tokens > 0 && (
        <span data-testid="tokens">
          {t('status.tokens', { count: about(tokens, usage?.estimated ?? false) })}
        </span>
      )}
      <CostSoFar />
      <LogToggle />
    </footer>
  );
}
