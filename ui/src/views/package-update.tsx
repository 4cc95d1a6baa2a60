import { TriangleAlert } from 'lucide-react';
import type { PackageReport, UpgradeDiff } from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Fold } from '../kit/fold';

/** The most files that are named. */
const MOST = 100;

/** Which version becomes which; the Builder writes one number into every export. */
function stepOf(from: string, to: string | undefined, { t }: Words): string {
  if (to === undefined || from === to) return t('import.upgrade.same', { version: from });
  return t('import.upgrade', { from, to });
}

/** The files that become others, by what happens to them. */
function Files({ upgrade }: { upgrade: UpgradeDiff }) {
  const { t, number } = useWords();
  const kinds = [
    { paths: upgrade.changed, count: 'import.upgrade.changed', word: 'import.file.changed' },
    { paths: upgrade.added, count: 'import.upgrade.added', word: 'import.file.added' },
    { paths: upgrade.removed, count: 'import.upgrade.removed', word: 'import.file.removed' },
  ] as const;
  const counts = kinds
    .filter(({ paths }) => paths.length > 0)
    .map(({ paths, count }) => t(count, { count: number(paths.length) }));
  const files = kinds.flatMap(({ paths, word }) => paths.map((path) => ({ path, word })));
  if (files.length === 0) return null;
  return (
    <Fold label={t('import.upgrade.files', { changes: counts.join(' · ') })} testId="upgrade-files">
      <ul className="upgrade-files">
        {files.slice(0, MOST).map(({ path, word }) => (
          <li key={path}>
            <Badge>{t(word)}</Badge>
            <span className="mono">{visible(path)}</span>
          </li>
        ))}
      </ul>
      {files.length > MOST && (
        <p className="hint">{t('import.upgrade.more', { count: number(files.length - MOST) })}</p>
      )}
    </Fold>
  );
}

/** What installing the package changes where another version of it is installed. */
export function Update({
  upgrade,
  manifest,
}: {
  upgrade: UpgradeDiff;
  manifest: PackageReport['manifest'];
}) {
  const words = useWords();
  const { t, say } = words;
  const widened = upgrade.widened.map((text, at) => {
    const phrase = upgrade.widenedSaid[at];
    return (phrase && say(phrase)) ?? visible(text);
  });
  return (
    <section className="upgrade" data-testid="upgrade">
      <p>{stepOf(upgrade.fromVersion ?? upgrade.from, manifest?.version, words)}</p>
      <Files upgrade={upgrade} />
      {widened.length > 0 && (
        <div className="caution">
          <TriangleAlert size={15} aria-hidden />
          <div>
            {t('import.upgrade.widened')}
            <ul>
              {widened.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </section>
  );
}
