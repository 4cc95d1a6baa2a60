import { useEffect, useState } from 'react';
import type { OfferedSkill, PackageReport } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Name } from '../kit/name';
import { closeInspection, installInspected, stopReading } from '../state/actions';
import { type Inspection, useApp, useView } from '../state/store';
import { SHOWN_FOR } from '../widgets/arming';
import { FailureBox } from '../widgets/failure';
import { Findings } from './package-findings';
import { PackageReading } from './package-reading';
import { Update } from './package-update';
import { Permissions } from './permissions';
import { Description } from './server-parts';
import { SkillMarks } from './skills';

function Contents({ report }: { report: PackageReport }) {
  const { t } = useWords();
  return (
    <div className="contents">
      <section>
        <h3>{t('import.workflows')}</h3>
        <ul>
          {report.workflows.map((workflow) => (
            <li key={workflow.id}>
              <strong>{visible(workflow.displayName)}</strong>
              <span className="hint">{t('import.steps', { count: workflow.nodeCount })}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>{t('import.agents')}</h3>
        <ul>
          {report.agents.map((agent) => (
            <li key={agent.id}>
              <strong>{visible(`${agent.icon} ${agent.name}`)}</strong>
              <span className="hint">{visible(agent.title)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** What it brings along for whoever works with it. */
function PackageSkills({ skills }: { skills: readonly OfferedSkill[] }) {
  const { t } = useWords();
  return (
    <section data-testid="package-skills">
      <h3>{t('import.skills')}</h3>
      <ul className="skill-list">
        {skills.map((skill) => (
          <li key={`${skill.name} ${skill.folder}`}>
            <p className="skill-head">
              <Name className="mono" text={skill.name} />
              <SkillMarks skill={skill} />
            </p>
            <Description text={skill.description} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many findings prevent the install. */
const errorsOf = (report: PackageReport | null): number =>
  report?.findings.filter(({ severity }) => severity === 'error').length ?? 0;

/** What the package holds, what it may do, and what is wrong with it; first, what prevents the install. */
function Report({ report }: { report: PackageReport }) {
  const { t, number, size } = useWords();
  const { manifest, permissions, upgrade, skills = [] } = report;
  const isBlocked = errorsOf(report) > 0;
  const nameOf = (id: string) => report.agents.find((agent) => agent.id === id)?.name ?? id;
  return (
    <>
      <div className="manifest">
        <h3>{manifest ? visible(manifest.name) : t('import.unreadable')}</h3>
        {manifest && <Badge>{visible(manifest.version)}</Badge>}
        <span className="hint">
          {[
            manifest?.author && t('import.by', { author: manifest.author }),
            t('import.files', { count: number(report.fileCount), size: size(report.totalBytes) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {manifest?.description && <p>{visible(manifest.description)}</p>}
      </div>
      {isBlocked && <Findings report={report} />}
      {upgrade && <Update upgrade={upgrade} manifest={manifest} />}
      {report.workflows.length > 0 && <Contents report={report} />}
      {skills.length > 0 && <PackageSkills skills={skills} />}
      {permissions.length > 0 && (
        <section className="sheet" data-testid="permission-sheet">
          <h3>{t('import.permissions')}</h3>
          <p className="hint">{t('import.permissions.hint')}</p>
          <ul>
            {permissions.map((row) => (
              <Permissions
                key={row.agentId}
                lines={report.sheet.filter((line) => line.agentId === row.agentId)}
                name={nameOf(row.agentId)}
              />
            ))}
          </ul>
        </section>
      )}
      {!isBlocked && <Findings report={report} />}
    </>
  );
}

/**
 * True when the report in the box has been in sight for a while: files that are opened together follow
 * each other at one place, and the second press of a double click must not install the next. In a
 * window that nobody sees yet nothing is in sight.
 */
function useWasShown(inspection: Inspection | null, box: HTMLElement | null): boolean {
  const [seen, setSeen] = useState<Inspection | null>(null);
  useEffect(() => {
    if (!inspection?.report || !box) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver((entries) => {
      const isInSight = entries.some(({ intersectionRatio }) => intersectionRatio > 0);
      if (isInSight) timer ??= setTimeout(() => setSeen(inspection), SHOWN_FOR);
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [inspection, box]);
  return inspection !== null && seen === inspection;
}

/** Which file it is, and how many come after it. */
function Source({ path }: { path: string }) {
  const { count } = useWords();
  const more = useView((v) => v.toInspect.length);
  return (
    <p className="hint source" data-testid="package-file">
      <Name
        className="mono"
        text={path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)}
      />
      {more > 0 && <span>{count('import.more', more)}</span>}
    </p>
  );
}

/** How far the install is, which can be stopped. */
function Stoppable({ path }: { path: string }) {
  const app = useApp();
  const { t } = useWords();
  const [stopping, setStopping] = useState(false);
  const stop = () => {
    setStopping(true);
    void stopReading(app, path, true);
  };
  return (
    <span className="grow installing">
      <Button data-testid="stop-install" disabled={stopping} onClick={stop}>
        {t('import.stop')}
      </Button>
      <PackageReading path={path} installs />
    </span>
  );
}

/** What a package holds and asks for, before anything is written. */
export function PackageDialog() {
  const app = useApp();
  const { t, count } = useWords();
  const inspection = useView((v) => v.inspection);
  const installing = useView((v) => v.busy.has('install'));
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const wasShown = useWasShown(inspection, box);
  if (!inspection) return null;
  const { path, report, failure } = inspection;
  const close = () => void closeInspection(app);
  const errors = errorsOf(report);
  const isFile = path !== null;
  const verb = report?.upgrade ? 'import.update' : 'import.install';
  return (
    <Dialog
      title={t(isFile ? 'import.title' : 'import.details')}
      width={640}
      onClose={close}
      testId="package-dialog"
      footer={
        <>
          {isFile && errors > 0 && (
            <span className="grow warn" data-testid="install-blocked">
              {count('import.blocked', errors)}
            </span>
          )}
          {installing && path !== null && <Stoppable path={path} />}
          <Button disabled={installing} onClick={close}>
            {t(isFile ? 'action.cancel' : 'action.close')}
          </Button>
          {isFile && errors === 0 && (report || !failure) && (
            <Button
              kind="primary"
              data-testid="install"
              busy={installing}
              disabled={!wasShown || installing}
              onClick={() => void installInspected(app)}
            >
              {t(installing ? 'import.installing' : verb)}
            </Button>
          )}
        </>
      }
    >
      {path !== null && <Source path={path} />}
      {path !== null && !report && !failure && <PackageReading path={path} installs={false} />}
      {report && (
        <div className="report" ref={setBox}>
          <Report report={report} />
        </div>
      )}
      {failure && <FailureBox failure={failure} />}
    </Dialog>
  );
}
