import { FolderPen, Gauge, Globe, Plug } from 'lucide-react';
import type { PermissionKind, PermissionLine } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';

const aboutIcons: Record<PermissionKind, typeof Globe> = {
  files: FolderPen,
  limit: Gauge,
  tools: Plug,
  network: Globe,
};

/** What the runtime holds an agent to, and what its package only says. */
export function Permissions({ lines, name }: { lines: PermissionLine[]; name: string }) {
  const { t, change } = useWords();
  return (
    <li className="permission">
      <strong>{visible(name)}</strong>
      <ul>
        {lines.map((line) => {
          const Icon = aboutIcons[line.about];
          return (
            <li key={line.says.key} data-declared={line.declared}>
              <Icon size={14} aria-hidden />
              <span>{change([line.says], '')}</span>
              {line.declared && <Badge>{t('import.declared')}</Badge>}
            </li>
          );
        })}
      </ul>
    </li>
  );
}
