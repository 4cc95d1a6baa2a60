import { Check, CircleAlert, CircleCheck, Copy, FileArchive } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Result } from '../bridge';
import type { DoctorRow } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Logo } from '../kit/logo';
import { useCopy } from '../kit/use-copy';
import { saveDiagnostics } from '../state/diagnostics';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import './settings-about.css';

/** One thing that was looked at, and what to do about it. */
function Looked({ row }: { row: DoctorRow }) {
  const { say } = useWords();
  const Icon = row.ok ? CircleCheck : CircleAlert;
  const advice = row.advice ? say(row.advice) : null;
  return (
    <li data-ok={row.ok}>
      <Icon size={15} aria-hidden />
      <span>
        <strong>{say(row.name) ?? visible(row.check)}</strong> {say(row.said) ?? visible(row.found)}
        {advice && <span className="hint">{advice}</span>}
      </span>
    </li>
  );
}

/** The same as text, in English: for whoever is asked for help. */
const asText = (rows: readonly DoctorRow[]) =>
  rows.map(({ check, ok, found }) => `${ok ? 'ok' : '!!'}  ${check}: ${visible(found)}`).join('\n');

/** What the program is, what it found of its own parts, and what to send to somebody who helps. */
export function About() {
  const app = useApp();
  const { t } = useWords();
  const [looked, setLooked] = useState<Result<DoctorRow[]> | null>(null);
  const { copied, copy, forget } = useCopy();
  const saving = useView((v) => v.busy.has('save'));
  useEffect(() => {
    let late = false;
    void app.bridge.query({ type: 'doctor' }).then((result) => {
      if (!late) setLooked(result);
    });
    return () => {
      late = true;
    };
  }, [app]);
  const rows = looked?.ok ? looked.value : [];
  return (
    <>
      <div className="about-name">
        <Logo size={32} />
        <p>
          <strong>{t('app.name')}</strong>
          <span className="hint">{t('about.licence')}</span>
        </p>
      </div>
      {looked?.ok === false && <FailureBox failure={looked.failure} />}
      <ul className="looked-at" data-testid="doctor">
        {rows.map((row) => (
          <Looked key={row.check} row={row} />
        ))}
      </ul>
      <div className="about-actions">
        <Button
          icon={copied ? Check : Copy}
          disabled={rows.length === 0}
          data-testid="copy-doctor"
          onClick={() => void copy(asText(rows))}
          onBlur={forget}
        >
          {t(copied ? 'action.copied' : 'about.copy')}
        </Button>
        <Button
          icon={FileArchive}
          busy={saving}
          disabled={saving}
          data-testid="save-diagnostics"
          onClick={() => void saveDiagnostics(app)}
        >
          {t('about.save')}
        </Button>
      </div>
      <p className="hint">{t('about.save.hint')}</p>
    </>
  );
}
