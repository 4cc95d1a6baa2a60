import { Check, CircleAlert, CircleCheck, Copy, Info, TriangleAlert } from 'lucide-react';
import type { Finding, PackageReport, Severity } from '../bridge/wire';
import { type Key, useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge, type Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { Sentence } from '../kit/sentence';
import { useCopy } from '../kit/use-copy';

const tones: Record<Severity, Tone> = { error: 'bad', warning: 'warn', info: 'plain' };
const icons = { error: CircleAlert, warning: TriangleAlert, info: Info };

/** What is wrong, and what to do about it. */
const told = ({ said, message, hint, advice }: Finding, { say }: Words) => ({
  what: (said && say(said)) ?? visible(message),
  remedy: hint ? ((advice && say(advice)) ?? visible(hint)) : null,
});

const severityOf = ({ severity }: Finding, { t }: Words) => t(`severity.${severity}` as Key);

/** All findings as plain text, for whoever has made the package. */
function asText({ manifest, findings }: PackageReport, words: Words): string {
  const name = manifest && visible(`${manifest.name} ${manifest.version}`);
  const texts = findings.map((finding) => {
    const { what, remedy } = told(finding, words);
    const place = [severityOf(finding, words), finding.file, finding.instancePath];
    const top = visible(place.filter(Boolean).join(' '));
    return [top, what, remedy].filter((line) => line !== null).join('\n');
  });
  return [name, ...texts].filter(Boolean).join('\n\n');
}

function FindingRow({ finding }: { finding: Finding }) {
  const words = useWords();
  const Icon = icons[finding.severity];
  const { what, remedy } = told(finding, words);
  return (
    <li
      className="finding"
      data-severity={finding.severity}
      data-testid={`finding-${finding.kind}`}
    >
      <Icon size={15} aria-hidden />
      <div>
        <p className="where">
          <Badge tone={tones[finding.severity]}>{severityOf(finding, words)}</Badge>
          {finding.file && <span className="mono">{visible(finding.file)}</span>}
          {finding.instancePath && <span className="mono">{visible(finding.instancePath)}</span>}
        </p>
        <p>
          <Sentence text={what} />
        </p>
        {remedy !== null && (
          <p className="hint">
            <Sentence text={remedy} />
          </p>
        )}
      </div>
    </li>
  );
}

/** What is wrong with a package, or may be, and a way to tell whoever has made it. */
export function Findings({ report }: { report: PackageReport }) {
  const words = useWords();
  const { copied, copy, forget } = useCopy();
  const { t } = words;
  const { findings } = report;
  return (
    <section className="findings" data-testid="findings">
      <div className="findings-top">
        <h3>{t('import.findings')}</h3>
        {findings.length > 0 && (
          <Button
            size="s"
            icon={copied ? Check : Copy}
            data-testid="copy-findings"
            onClick={() => void copy(asText(report, words))}
            onBlur={forget}
          >
            {t(copied ? 'action.copied' : 'action.copy')}
          </Button>
        )}
      </div>
      {findings.length === 0 ? (
        <p className="fine">
          <CircleCheck size={15} aria-hidden />
          {t('import.findings.none')}
        </p>
      ) : (
        <ul>
          {findings.map((finding, at) => (
            <FindingRow key={at} finding={finding} />
          ))}
        </ul>
      )}
    </section>
  );
}
