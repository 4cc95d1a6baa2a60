import { Cpu, Folder, Package } from 'lucide-react';
import { useWords } from '../i18n';
import { phaseOf } from '../state/select';
import { useView } from '../state/store';

/** Project, package, phase, model and tokens, always in sight. */
export function StatusBar() {
  const { t, number } = useWords();
  const project = useView((v) => v.projects?.find((p) => p.projectId === v.projectId));
  const run = useView((v) => v.conversation.status?.run);
  const pack = useView((v) => v.packages?.find((p) => p.packageId === run?.packageId));
  const usage = useView((v) => v.conversation.status?.usage);
  const phase = useView((v) => phaseOf(v.conversation));
  const model = useView((v) => {
    const settings = v.settings?.settings.model;
    return settings?.baseUrl ? settings.model : null;
  });
  const tokens = (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
  return (
    <footer className="status-bar">
      <span title={project?.location}>
        <Folder size={12} aria-label={t('status.project')} />
        <span className="clip">{project?.name}</span>
      </span>
      {run && (
        <span>
          <Package size={12} aria-label={t('status.package')} />
          <span className="clip">{pack ? `${pack.name} ${pack.version}` : run.packageId}</span>
        </span>
      )}
      <span>{t(phase ? `phase.${phase}` : 'phase.none')}</span>
      <span className="grow" />
      <span>
        <Cpu size={12} aria-label={t('status.model')} />
        <span className="clip">
          {run?.demo ? t('status.demomodel') : (model ?? t('status.nomodel'))}
        </span>
      </span>
      {tokens > 0 && (
        <span data-testid="tokens">
          {t('status.tokens', { count: (usage?.estimated ? '≈ ' : '') + number(tokens) })}
        </span>
      )}
    </footer>
  );
}
