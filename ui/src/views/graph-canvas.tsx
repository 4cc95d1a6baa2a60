import { Graph, layout } from '@dagrejs/dagre';
import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useMemo } from 'react';
import type {
  GraphEdge,
  GraphNode,
  GraphView,
  Progress,
  StepStatus,
  TakenWay,
} from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { type Rails, railsOf } from '../state/rails';
import { agentOf, packageOf } from '../state/standing';
import { useView } from '../state/store';
import { StepMark } from './step-list';
import '@xyflow/react/dist/base.css';

/** The size of a step, and how much room a label takes, in pixels. */
const [WIDTH, HEIGHT] = [216, 60];
const [PER_CHARACTER, MOST_LABEL, LABEL_HEIGHT] = [7, 180, 22];

interface Point {
  x: number;
  y: number;
}

type StepNode = Node<
  { node: GraphNode; status: StepStatus | undefined; stands: string | undefined },
  'step'
>;
type WayEdge = Edge<
  { edge: GraphEdge; points: readonly Point[]; at: Point; taken: TakenWay | undefined },
  'way'
>;

/** With more steps than this only what is in sight is in the document. */
const MANY_STEPS = 150;

/** How many rows all ways may pass together before it takes too long to find the best places. */
const MOST_ROWS = 1500;

interface Places {
  nodes: ReadonlyMap<string, Point>;
  edges: { edge: GraphEdge; points: readonly Point[]; at: Point }[];
}

/** Where everything lies: from the top down, each step below those that lead to it. */
function placesOf(graph: GraphView): Places {
  const rails = railsOf(graph);
  const rows = rails.rails.reduce((sum, { from, to }) => sum + Math.abs(to.row - from.row), 0);
  return rows > MOST_ROWS ? inLanes(rails) : laidOut(graph);
}

/** Each step in its row and its lane, as the list has them. */
function inLanes({ spots, rails }: Rails): Places {
  const placeOf = ({ row, lane }: { row: number; lane: number }): Point => ({
    x: lane * (WIDTH + 36),
    y: row * (HEIGHT + 54),
  });
  const nodes = new Map([...spots].map(([id, spot]) => [id, placeOf(spot)]));
  const edges = rails.map(({ edge, from, to, lane }) => {
    const [start, end] = [placeOf(from), placeOf(to)];
    const at = placeOf({ row: (from.row + to.row) / 2, lane });
    return { edge, points: [start, at, end], at };
  });
  return { nodes, edges };
}

/** Every step and way where it crosses as few others as can be. */
function laidOut(graph: GraphView): Places {
  const placed = new Graph({ multigraph: true });
  placed.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 34, edgesep: 20 });
  for (const { id } of graph.nodes) placed.setNode(id, { width: WIDTH, height: HEIGHT });
  const drawn = graph.edges.filter(({ from, to }) => placed.hasNode(from) && placed.hasNode(to));
  drawn.forEach(({ from, to, label }, n) => {
    const width = Math.min(MOST_LABEL, [...label].length * PER_CHARACTER + 16);
    placed.setEdge(from, to, { width, height: LABEL_HEIGHT, labelpos: 'c' }, `${n}`);
  });
  layout(placed);
  const nodes = new Map(graph.nodes.map(({ id }) => [id, placed.node(id) as Point]));
  const edges = drawn.map((edge, n) => {
    const { points, x, y } = placed.edge(edge.from, edge.to, `${n}`) as Point & { points: Point[] };
    return { edge, points, at: { x, y } };
  });
  return { nodes, edges };
}

/** A smooth line near the points. */
function lineThrough(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const bends = rest.slice(0, -1).map(({ x, y }, n) => {
    const next = rest[n + 1] ?? { x, y };
    return `Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}`;
  });
  const last = rest.at(-1) ?? first;
  return `M${first.x} ${first.y} ${bends.join(' ')} L${last.x} ${last.y}`;
}

/** A step as a box. */
function Step({ data: { node, status, stands }, selected }: NodeProps<StepNode>) {
  const agent = useView((v) => agentOf(v.packages ?? [], packageOf(v), node.agentId));
  const about = [stands, agent && visible(agent.name)];
  return (
    <div className="graph-node" data-status={status} data-selected={selected || undefined}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <StepMark status={status ?? 'pending'} type={node.type} />
      <span className="words">
        <span className="clip">{visible(node.title)}</span>
        <span className="hint clip">{about.filter(Boolean).join(' · ')}</span>
      </span>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

/** A way between two steps, with what choosing it means; why it was chosen is told on it. */
function Way({ id, data }: EdgeProps<WayEdge>) {
  if (!data) return null;
  const { edge, points, at, taken } = data;
  const why = taken?.reason ?? edge.condition ?? edge.label;
  return (
    <>
      <BaseEdge id={id} path={lineThrough(points)} className={taken ? 'way taken' : 'way'} />
      <EdgeLabelRenderer>
        <span
          className="way-label clip nodrag nopan"
          data-taken={taken ? true : undefined}
          title={visible(why)}
          style={{
            maxWidth: MOST_LABEL,
            transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)`,
          }}
        >
          {visible(edge.label)}
        </span>
      </EdgeLabelRenderer>
    </>
  );
}

const nodeTypes = { step: Step };
const edgeTypes = { way: Way };

/** Nearer, further away, and all of it. */
function Zoom() {
  const { t } = useWords();
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="top-right" className="graph-zoom">
      <IconButton icon={Plus} label={t('graph.zoom.in')} onClick={() => void zoomIn()} />
      <IconButton icon={Minus} label={t('graph.zoom.out')} onClick={() => void zoomOut()} />
      <IconButton icon={Maximize} label={t('graph.zoom.fit')} onClick={() => void fitView()} />
    </Panel>
  );
}

interface Props {
  graph: GraphView;
  progress: Progress | null;
  /** How such a step stands, in words. */
  standing: (status: StepStatus) => string;
  chosen: string | null;
  onChoose: (id: string) => void;
}

/** The whole graph, to be moved and zoomed. */
export default function GraphCanvas({ graph, progress, standing, chosen, onChoose }: Props) {
  const { t } = useWords();
  const places = useMemo(() => placesOf(graph), [graph]);
  const statuses = new Map(progress?.steps.map(({ id, status }) => [id, status]));
  const taken = new Map(progress?.ways.map((way) => [`${way.from} ${way.to}`, way]));
  const nodes = graph.nodes.map((node): StepNode => {
    const { x, y } = places.nodes.get(node.id) ?? { x: 0, y: 0 };
    const status = statuses.get(node.id);
    return {
      id: node.id,
      type: 'step',
      position: { x: x - WIDTH / 2, y: y - HEIGHT / 2 },
      width: WIDTH,
      height: HEIGHT,
      selected: node.id === chosen,
      ariaLabel: visible(node.title),
      data: { node, status, stands: status && standing(status) },
    };
  });
  const edges = places.edges.map(
    ({ edge, ...rest }, n): WayEdge => ({
      id: `${n}`,
      type: 'way',
      source: edge.from,
      target: edge.to,
      focusable: false,
      data: {
        ...rest,
        edge,
        taken: taken.get(`${edge.from} ${edge.to}`),
      },
    }),
  );
  return (
    <ReactFlowProvider>
      <ReactFlow
        className="graph-canvas"
        data-testid="graph-canvas"
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={(changes) => {
          for (const change of changes) {
            if (change.type === 'select' && change.selected) onChoose(change.id);
          }
        }}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.1}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        onlyRenderVisibleElements={graph.nodes.length > MANY_STEPS}
        deleteKeyCode={null}
        multiSelectionKeyCode={null}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          'node.a11yDescription.default': t('graph.choose'),
          'minimap.ariaLabel': t('graph.map'),
        }}
        aria-label={t('graph.label')}
      >
        <Zoom />
        <MiniMap<StepNode>
          pannable
          zoomable
          nodeClassName={({ data }) => `map-${data.status ?? 'pending'}`}
          nodeBorderRadius={12}
        />
      </ReactFlow>
    </ReactFlowProvider>
  );
}
