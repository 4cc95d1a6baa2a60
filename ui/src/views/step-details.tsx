import { ArrowRight, CornerDownRight, FileText, History } from 'lucide-react';
import type {
  GraphEdge,
  GraphNode,
  GraphView,
  Progress,
  StepStatus,
  StepView,
} from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Name } from '../kit/name';
import { openFile } from '../state/files';
import { isAt } from '../state/nesting';
import { askToGoBack, canGoBack } from '../state/rewind';
import { agentOf, packageOf, workflowOf } from '../state/standing';
import { type App, useApp, useView, type View } from '../state/store';
import './graph.css';

type Named = Pick<StepView, 'id' | 'title'>;

/** Where the run came to a step last, in the conversation as far as it was read. */
const lastOf = ({ conversation }: View, step: Named, isCalled: boolean) =>
  conversation.items.findLast(({ body }) => isAt(body, step, isCalled));

/** Brings into sight where the run came to a step last, which may be of a called workflow. */
export function showStep({ store }: App, step: Named, isCalled: boolean) {
  const item = lastOf(store.getState(), step, isCalled);
  if (item) store.setState({ jump: { id: item.id, seq: item.seq, above: 0, why: 'sought' } });
}

interface WayProps {
  edge: GraphEdge;
  graph: GraphView;
  reason?: string;
}

/** Where a way leads, what choosing it means, and why it was chosen. */
function Way({ edge, graph, reason }: WayProps) {
  const { t } = useWords();
  const title = graph.nodes.find(({ id }) => id === edge.to)?.title ?? edge.to;
  return (
    <li>
      <ArrowRight size={13} aria-hidden />
      <span>
        {visible(title)}
        <span className="hint">{visible(edge.label)}</span>
        {reason && <q className="why">{visible(reason)}</q>}
        {!reason && edge.condition && <span className="why">{visible(edge.condition)}</span>}
        {edge.isDefault && !reason && <span className="why">{t('graph.otherwise')}</span>}
      </span>
    </li>
  );
}

/** The ways on from a step: the ones that were taken, or else those that there are. */
function Ways({ node, graph, progress }: Omit<Props, 'step' | 'live' | 'standing' | 'onLeave'>) {
  const { t } = useWords();
  const all = graph.edges.filter(({ from }) => from === node.id);
  const takenOf = (edge: GraphEdge) =>
    progress?.ways.find(({ from, to }) => from === edge.from && to === edge.to);
  const taken = all.filter(takenOf);
  const shown = taken.length > 0 ? taken : all;
  if (shown.length === 0) return null;
  return (
    <section>
      <h3>{t(taken.length > 0 ? 'graph.went' : 'graph.next')}</h3>
      <ul className="step-ways">
        {shown.map((edge) => (
          <Way
            key={`${edge.to} ${edge.label}`}
            edge={edge}
            graph={graph}
            reason={takenOf(edge)?.reason}
          />
        ))}
      </ul>
    </section>
  );
}

/** What a step promises: what of it the run wrote can be opened. */
function Outputs({ outputs, onLeave }: { outputs: readonly string[]; onLeave: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const changes = useView((v) => (v.snapshot?.ok ? v.snapshot.value.changes : null));
  if (outputs.length === 0) return null;
  const pathOf = (output: string) => `@project/${output}`;
  const isThere = (output: string) =>
    changes?.some(({ path, kind }) => path === pathOf(output) && kind !== 'deleted') ?? false;
  const open = (output: string) => {
    onLeave();
    void openFile(app, pathOf(output));
  };
  return (
    <section>
      <h3>{t('graph.outputs')}</h3>
      <ul>
        {outputs.map((output) => (
          <li key={output}>
            <FileText size={13} aria-hidden />
            {isThere(output) ? (
              <button type="button" className="link" onClick={() => open(output)}>
                <Name className="mono" text={output} />
              </button>
            ) : (
              <Name className="hint" text={output} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  node: GraphNode;
  graph: GraphView;
  /** How it stands, or stood; absent where the run is not known to have such a step. */
  step?: StepView;
  /** How it stands now. */
  live?: StepView;
  /** How such a step stands, in words. */
  standing: (status: StepStatus) => string;
  progress: Progress | null;
  /** Something else is shown: what shows this goes. */
  onLeave: () => void;
}

type ActionsProps = Pick<Props, 'node' | 'live' | 'progress' | 'onLeave'>;

/** What can be done with a step of the open run. */
function StepActions({ node, live, progress, onLeave }: ActionsProps) {
  const app = useApp();
  const { t } = useWords();
  const isCalled = progress?.called !== undefined;
  const wasThere = useView((v) => lastOf(v, node, isCalled) !== undefined);
  const goesBack = useView((v) => canGoBack(v, live));
  const { file } = node;
  const show = () => {
    onLeave();
    app.store.setState({ drawerOpen: false });
    showStep(app, node, isCalled);
  };
  const read = (path: string) => {
    onLeave();
    void openFile(app, path);
  };
  const back = () => {
    onLeave();
    askToGoBack(app, node.id);
  };
  return (
    <p className="step-actions">
      {wasThere && (
        <Button size="s" icon={CornerDownRight} data-testid="step-show" onClick={show}>
          {t('graph.show')}
        </Button>
      )}
      {file && (
        <Button size="s" icon={FileText} data-testid="step-read" onClick={() => read(file)}>
          {t('graph.read')}
        </Button>
      )}
      {goesBack && (
        <Button size="s" icon={History} data-testid="step-back" onClick={back}>
          {t('rewind.open')}
        </Button>
      )}
    </p>
  );
}

/** The workflow that is run in place of a step. */
function Calls({ workflowId }: { workflowId: string }) {
  const { t } = useWords();
  const workflow = useView((v) => workflowOf(v.packages, packageOf(v), workflowId));
  return <p>{t('graph.calls', { workflow: workflow?.displayName ?? workflowId })}</p>;
}

/** A step: who does it, what it promises, where it leads, and what can be done with it. */
export function StepDetails({ node, graph, step, live, progress, standing, onLeave }: Props) {
  const agent = useView((v) => agentOf(v.packages ?? [], packageOf(v), node.agentId));
  const about = [step && standing(step.status), agent && visible(agent.name)];
  return (
    <div className="step-details" data-testid="step-details">
      <h2>{visible(node.title)}</h2>
      <p className="hint">{about.filter(Boolean).join(' · ')}</p>
      {node.description && <p>{visible(node.description)}</p>}
      {node.calls && <Calls workflowId={node.calls} />}
      <Outputs outputs={node.outputs} onLeave={onLeave} />
      <Ways node={node} graph={graph} progress={progress} />
      <StepActions node={node} live={live} progress={progress} onLeave={onLeave} />
    </div>
  );
}
