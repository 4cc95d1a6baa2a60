import { Cpu, FileText, Folder } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Result } from '../bridge';
import { fileName } from '../bridge/path';
import type { GraphView, PackageReport, PackageView, StepView } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Fold } from '../kit/fold';
import { Name } from '../kit/name';
import { goToModel } from '../state/actions';
import { modelLine } from '../state/models';
import { agentOf } from '../state/standing';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { Permissions } from './permissions';
import { StepList } from './step-list';

const nothing: ReadonlySet<string> = new Set();

/** What an installed package says of itself, or why it cannot be read; null until then. */
function useReport(packageId: string): Result<PackageReport> | null {
  const { bridge } = useApp();
  const [report, setReport] = useState<Result<PackageReport> | null>(null);
  useEffect(() => {
    let late = false;
    setReport(null);
    void bridge.query({ type: 'package', packageId }).then((result) => {
      if (!late) setReport(result);
    });
    return () => {
      late = true;
    };
  }, [bridge, packageId]);
  return report;
}

function Row({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="run-fact">
      <dt>
        {icon}
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The folder it works in, and who answers. */
function Where({ playsDemo }: { playsDemo: boolean }) {
  const app = useApp();
  const words = useWords();
  const { t } = words;
  const project = useView((v) => v.projects?.find(({ projectId }) => projectId === v.projectId));
  const model = useView((v) => modelLine(v.settings, words));
  return (
    <dl>
      {project && (
        <Row icon={<Folder size={14} aria-hidden />} name={t('run.where')}>
          <Name className="mono" text={project.location} />
          <span className="hint">{t('run.where.hint')}</span>
        </Row>
      )}
      <Row icon={<Cpu size={14} aria-hidden />} name={t('run.model')}>
        {playsDemo ? (
          t('run.model.demo')
        ) : (
          <button
            type="button"
            className="link"
            data-testid="run-model"
            onClick={() => goToModel(app, model ? 'model-name' : 'model-base-url')}
          >
            {visible(model ?? t('status.nomodel'))}
          </button>
        )}
      </Row>
    </dl>
  );
}

/** The steps, each with who does it and what it promises. */
function Steps({ graph, pack }: { graph: GraphView; pack: PackageView }) {
  const steps = useMemo(
    () =>
      graph.nodes.map(({ id, title, type }): StepView => ({ id, title, type, status: 'pending' })),
    [graph],
  );
  const about = useMemo(() => {
    const told = graph.nodes.map(({ id, agentId, outputs }) => {
      const agent = agentOf([pack], pack.packageId, agentId);
      return [id, [agent?.name, ...outputs.map(fileName)].filter(Boolean).join(' · ')] as const;
    });
    return new Map(told);
  }, [graph, pack]);
  return (
    <StepList
      steps={steps}
      graph={graph}
      taken={nothing}
      stands={false}
      hint={({ id }) => visible(about.get(id) ?? '')}
    />
  );
}

/** The files that a run promises, whichever way it goes. */
function Outputs({ graph }: { graph: GraphView }) {
  const { t } = useWords();
  const outputs = [...new Set(graph.nodes.flatMap((node) => node.outputs))];
  if (outputs.length === 0) return null;
  return (
    <section>
      <h2>{t('run.get')}</h2>
      <ul className="run-outputs">
        {outputs.map((output) => (
          <li key={output}>
            <FileText size={13} aria-hidden />
            <Name text={output} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What its agents may do, as it was shown when the package was installed. */
function MayDo({ packageId }: { packageId: string }) {
  const { t } = useWords();
  const read = useReport(packageId);
  if (read?.ok === false) return <FailureBox failure={read.failure} />;
  const report = read?.value;
  if (!report || report.permissions.length === 0) return null;
  return (
    <Fold label={t('run.may')} testId="run-may">
      <ul className="permissions">
        {report.permissions.map(({ agentId }) => (
          <Permissions
            key={agentId}
            name={report.agents.find(({ id }) => id === agentId)?.name ?? agentId}
            lines={report.sheet.filter((line) => line.agentId === agentId)}
          />
        ))}
      </ul>
    </Fold>
  );
}

interface Props {
  pack: PackageView;
  graph: GraphView | null;
  playsDemo: boolean;
}

/** What a run will be: where, by which model, in which steps, what comes of it, and what it may do. */
export function RunPreview({ pack, graph, playsDemo }: Props) {
  const { t, number } = useWords();
  return (
    <aside className="run-preview" aria-label={t('run.preview')} data-testid="run-preview">
      <Where playsDemo={playsDemo} />
      {graph && (
        <section>
          <h2>
            {t('run.plan')}
            <span className="hint">{number(graph.nodes.length)}</span>
          </h2>
          <Steps graph={graph} pack={pack} />
        </section>
      )}
      {graph && <Outputs graph={graph} />}
      <MayDo packageId={pack.packageId} />
    </aside>
  );
}
