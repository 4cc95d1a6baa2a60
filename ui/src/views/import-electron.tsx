import {
  CircleAlert,
  CircleCheck,
  CircleMinus,
  FolderInput,
  Info,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import type { Failure, ImportEntry, ImportOutcome, ImportReport } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Badge, type Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { Switch } from '../kit/field';
import { importElectron, inspectElectron } from '../state/electron';
import { useApp } from '../state/store';
import { FailureBox } from '../widgets/failure';

const outcomes: ImportOutcome[] = ['imported', 'already', 'skipped', 'failed'];
const tones: Record<ImportOutcome, Tone> = {
  imported: 'ok',
  already: 'plain',
  skipped: 'plain',
  failed: 'bad',
};

/** How much a person has to care: taken over with a reservation is a warning. */
function look(entry: ImportEntry): { severity: string; icon: LucideIcon } {
  if (entry.outcome === 'failed') return { severity: 'error', icon: CircleAlert };
  if (entry.outcome === 'imported' && entry.code) return { severity: 'warning', icon: Info };
  if (entry.outcome === 'skipped') return { severity: 'info', icon: CircleMinus };
  return { severity: 'info', icon: CircleCheck };
}

/** What becomes of an entry, or became. */
const outcomeKey = (outcome: ImportOutcome, dry: boolean) =>
  (dry ? `migrate.${outcome}` : `migrate.done.${outcome}`) as Key;

function EntryRow({ entry, dry }: { entry: ImportEntry; dry: boolean }) {
  const { t, count, sentences, failure: words } = useWords();
  const { severity, icon: Icon } = look(entry);
  const { code, reason = '', said: phrase } = entry;
  const said = code && words({ code, message: reason, said: phrase });
  return (
    <li className="finding" data-severity={severity} data-testid={`import-${entry.outcome}`}>
      <Icon size={15} aria-hidden />
      <div>
        <p className="where">
          <Badge tone={tones[entry.outcome]}>{t(outcomeKey(entry.outcome, dry))}</Badge>
          <strong>{t(`migrate.kind.${entry.kind}` as Key)}</strong>
          {entry.id && <span className="mono">{entry.id}</span>}
          {entry.newId && <span className="mono">→ {entry.newId}</span>}
          {entry.messages !== undefined && (
            <span className="hint">{count('migrate.messages', entry.messages)}</span>
          )}
        </p>
        {said && <p>{sentences(said.title, said.action)}</p>}
        {said?.message && <p className="hint">{said.message}</p>}
        <p className="hint mono">{entry.file}</p>
      </div>
    </li>
  );
}

function Report({ report }: { report: ImportReport }) {
  const { t, number } = useWords();
  const [all, setAll] = useState(false);
  const telling = report.entries.filter((e) => e.code);
  const shown = all ? report.entries : telling;
  return (
    <section className="findings import-report" aria-label={t('migrate.report')}>
      <p className="where" data-testid="import-totals">
        {outcomes.map((outcome) => (
          <Badge key={outcome} tone={report.totals[outcome] > 0 ? tones[outcome] : 'plain'}>
            {t(outcomeKey(outcome, report.dryRun))} {number(report.totals[outcome])}
          </Badge>
        ))}
      </p>
      <p>{t(report.dryRun ? 'migrate.dry' : 'migrate.done')}</p>
      {telling.length < report.entries.length && (
        <Switch
          label={t('migrate.all')}
          hint={t('migrate.all.hint')}
          checked={all}
          onChange={setAll}
          data-testid="import-all"
        />
      )}
      <ul aria-label={t('migrate.report')}>
        {shown.map((entry, index) => (
          <EntryRow key={index} entry={entry} dry={report.dryRun} />
        ))}
      </ul>
    </section>
  );
}

/** Takes over the store of the older program: a look first, then the import. */
export function ImportElectron() {
  const app = useApp();
  const { t } = useWords();
  const [path, setPath] = useState<string | null>(null);
  const [withKeys, setWithKeys] = useState(false);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);

  const show = async (ask: ReturnType<typeof inspectElectron>) => {
    setBusy(true);
    setFailure(null);
    const result = await ask;
    setBusy(false);
    setReport(result.ok ? result.value : null);
    if (!result.ok) setFailure(result.failure);
  };
  const look = (folder: string, keys: boolean) => show(inspectElectron(app, folder, keys));
  const choose = async () => {
    const folder = await app.bridge.pickFolder();
    if (!folder) return;
    setPath(folder);
    await look(folder, withKeys);
  };
  const keys = async (on: boolean) => {
    setWithKeys(on);
    if (path) await look(path, on);
  };
  const waits = path !== null && report?.dryRun === true && report.totals.imported > 0;

  return (
    <>
      <p className="hint">{t('migrate.hint')}</p>
      <Switch
        label={t('migrate.keys')}
        hint={t('migrate.keys.hint')}
        checked={withKeys}
        onChange={(on) => void keys(on)}
        data-testid="import-keys"
      />
      <div className="picked">
        <Button
          icon={FolderInput}
          busy={busy}
          disabled={busy}
          data-testid="import-electron"
          onClick={() => void choose()}
        >
          {t('migrate.choose')}
        </Button>
        {waits && (
          <Button
            kind="primary"
            disabled={busy}
            data-testid="import-confirm"
            onClick={() => void show(importElectron(app, path, withKeys))}
          >
            {t('migrate.import')}
          </Button>
        )}
      </div>
      {failure && <FailureBox failure={failure} />}
      {report && <Report report={report} />}
    </>
  );
}
