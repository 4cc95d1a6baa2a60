// The graph of the workflow that the open run works on. It is the same for every run of a package: it is
// read once.
import type { GraphView } from '../bridge/wire';
import { set } from './ask';
import { workflowAt } from './nesting';
import type { App, View } from './store';

const keyOf = (packageId: string, workflowId: string) => `${packageId}/${workflowId}`;

/** The graph of a workflow; null while it is not known, and where it cannot be read. */
export function graphOf(
  { graphs }: View,
  packageId: string | undefined,
  workflowId: string | undefined,
): GraphView | null {
  if (packageId === undefined || workflowId === undefined) return null;
  const graph = graphs.get(keyOf(packageId, workflowId));
  return graph?.ok ? graph.value : null;
}

/** The graph of the workflow that the open run works on. */
export function runGraph(view: View): GraphView | null {
  const { run, called } = view.conversation.status ?? {};
  return graphOf(view, run?.packageId, workflowAt(run, called));
}

/** Reads the graph of a workflow, unless it is known. */
export async function readGraph(app: App, packageId: string, workflowId: string) {
  const key = keyOf(packageId, workflowId);
  if (app.store.getState().graphs.get(key)?.ok) return;
  const graph = await app.bridge.query({ type: 'graph', packageId, workflowId });
  set(app, { graphs: new Map(app.store.getState().graphs).set(key, graph) });
}

/** Where the open run stood at a version of its state document. */
export function readRevision(app: App, seq: number) {
  const conversationId = app.store.getState().conversationId ?? '';
  return app.bridge.query({ type: 'revision', conversationId, seq });
}
