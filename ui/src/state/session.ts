// Where the person was: kept by the program, so that a reload, a restart and a crash lead back there.
// What is there is asked of the program again.

import { draftAt, keepDraft } from './drafts';
import { enterProject } from './projects';
import {
  type App,
  FILES_HEIGHT,
  INSPECTOR_TABS,
  INSPECTOR_WIDTH,
  LOG_HEIGHT,
  type Spot,
  type View,
} from './store';

const PLACE = { type: 'window' } as const;

/** What of the window's layout is kept. */
type Layout = Pick<
  View,
  | 'panelOpen'
  | 'filesOpen'
  | 'filesHeight'
  | 'inspectorOpen'
  | 'inspectorTab'
  | 'inspectorWidth'
  | 'logHeight'
  | 'look'
>;

interface Place {
  /** Null on the start page. */
  projectId: string | null;
  conversationId: string | null;
  layout: Layout;
  /** Where conversations are read, the one that was looked at last at the end. */
  readAt: readonly (readonly [string, Spot])[];
  /** Which servers are not to be told of, by project. */
  serversLater: View['serversLater'];
}

const LOOKS: readonly View['look'][] = ['lines', 'split', 'preview'];

/** What was kept, as far as it can be used: another version of the program may have written it. */
function kept(app: App): Omit<Place, 'layout'> & { layout: Partial<Layout> } {
  const value = draftAt(app, PLACE);
  const { projectId, conversationId, layout, readAt, serversLater } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Partial<Record<keyof Place, unknown>>;
  const text = (it: unknown) => (typeof it === 'string' ? it : null);
  return {
    projectId: text(projectId),
    conversationId: text(conversationId),
    layout: usable(typeof layout === 'object' && layout !== null ? layout : {}),
    readAt: (Array.isArray(readAt) ? readAt : []).filter(isReadAt).slice(-REMEMBERED),
    serversLater: (Array.isArray(serversLater) ? serversLater : []).filter(isLater),
  };
}

/** A project, and servers that were put off there. */
function isLater(value: unknown): value is View['serversLater'][number] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  return Array.isArray(value[1]) && value[1].every((name) => typeof name === 'string');
}

/** A conversation, and the item at which it was read. */
function isReadAt(value: unknown): value is readonly [string, Spot] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const { id, seq, above } = (value[1] ?? {}) as Partial<Record<keyof Spot, unknown>>;
  return typeof id === 'string' && typeof seq === 'number' && typeof above === 'number';
}

type Bounds = { least: number; most: number };

const isWithin = (size: unknown, { least, most }: Bounds): size is number =>
  typeof size === 'number' && size >= least && size <= most;

/** The parts of a layout that are what they should be. */
function usable(layout: Partial<Record<keyof Layout, unknown>>): Partial<Layout> {
  const { panelOpen, filesOpen, filesHeight } = layout;
  const { inspectorOpen, inspectorTab, inspectorWidth, logHeight, look } = layout;
  const tab = INSPECTOR_TABS.find((one) => one === inspectorTab);
  const known = LOOKS.find((one) => one === look);
  return {
    ...(typeof panelOpen === 'boolean' && { panelOpen }),
    ...(typeof filesOpen === 'boolean' && { filesOpen }),
    ...(isWithin(filesHeight, FILES_HEIGHT) && { filesHeight }),
    ...(typeof inspectorOpen === 'boolean' && { inspectorOpen }),
    ...(tab && { inspectorTab: tab }),
    ...(known && { look: known }),
    ...(isWithin(inspectorWidth, INSPECTOR_WIDTH) && { inspectorWidth }),
    ...(isWithin(logHeight, LOG_HEIGHT) && { logHeight }),
  };
}

/** Conversations of which it is remembered where they are read. */
const REMEMBERED = 20;

/** How the window is laid out now. */
function layoutOf(view: View): Layout {
  const { panelOpen, filesOpen, filesHeight } = view;
  const { inspectorOpen, inspectorTab, inspectorWidth, logHeight, look } = view;
  const inspector = { inspectorOpen, inspectorTab, inspectorWidth };
  return { panelOpen, filesOpen, filesHeight, ...inspector, logHeight, look };
}

/** Where the window is now. */
function placeOf(app: App): Place {
  const view = app.store.getState();
  const { screen, projectId, conversationId, task, serversLater } = view;
  return {
    projectId: screen === 'start' ? null : projectId,
    // A sub-agent's conversation is reached through the one that asked for it.
    conversationId: screen === 'start' ? null : (task?.parent ?? conversationId),
    layout: layoutOf(view),
    readAt: [...app.readAt].slice(-REMEMBERED),
    serversLater,
  };
}

/** Keeps where the window is, when it is another place than before. */
export function keepPlace(app: App) {
  const place = placeOf(app);
  const before = draftAt(app, PLACE);
  if (JSON.stringify(place) !== JSON.stringify(before)) keepDraft(app, PLACE, place);
}

/** Remembers the place from now on. Returns the way to stop. */
export function rememberPlace(app: App): () => void {
  let last = JSON.stringify(placeOf(app));
  return app.store.subscribe(() => {
    const text = JSON.stringify(placeOf(app));
    if (text === last) return;
    last = text;
    keepPlace(app);
  });
}

/** Lays the window out as it was, and says where that was. */
export function takeUpPlace(app: App): Pick<Place, 'projectId' | 'conversationId'> {
  const { projectId, conversationId, layout, readAt, serversLater } = kept(app);
  app.readAt = new Map(readAt);
  app.store.setState({ ...layout, serversLater });
  return { projectId, conversationId };
}

/** Goes back to where the person was, as far as it is still there. */
export async function returnTo(
  app: App,
  { projectId, conversationId }: Pick<Place, 'projectId' | 'conversationId'>,
) {
  const project = app.store.getState().projects?.find((p) => p.projectId === projectId);
  if (!projectId || !project?.exists) return;
  const isThere = conversationId !== null && (await isIn(app, projectId, conversationId));
  await enterProject(app, projectId, isThere ? conversationId : undefined);
}

/** Whether a conversation is still there: that of a run of the project, or a talk, which has none. */
async function isIn(app: App, projectId: string, conversationId: string): Promise<boolean> {
  const runs = await app.bridge.query({ type: 'runs', projectId });
  if (!runs.ok) return false;
  if (runs.value.some((run) => run.conversationId === conversationId)) return true;
  const opening = await app.bridge.query({ type: 'opening', conversationId });
  return opening.ok && opening.value.type === 'snapshot' && opening.value.status.run === null;
}
