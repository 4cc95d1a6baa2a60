// Where the person was, for a reload of this window: kept by the window's own session, and gone
// with it. What is there is asked of the program again.
import { enterProject } from './actions';
import type { App } from './store';

const KEY = 'crewagent.open';

interface Place {
  projectId: string;
  conversationId: string | null;
}

function kept(): Place | null {
  try {
    const place = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Place> | null;
    if (typeof place?.projectId !== 'string') return null;
    const { conversationId } = place;
    const known = typeof conversationId === 'string' ? conversationId : null;
    return { projectId: place.projectId, conversationId: known };
  } catch {
    // Not ours, or the window keeps nothing: then it opens on Start.
    return null;
  }
}

/** Remembers the place from now on. Returns the way to stop. */
export function rememberPlace(app: App): () => void {
  let last = '';
  return app.store.subscribe(({ screen, projectId, conversationId: open, task }) => {
    // A sub-agent's conversation is reached through the one that asked for it.
    const conversationId = task?.parent ?? open;
    const place =
      screen === 'start' || !projectId ? '' : JSON.stringify({ projectId, conversationId });
    if (place === last) return;
    last = place;
    try {
      if (place) sessionStorage.setItem(KEY, place);
      else sessionStorage.removeItem(KEY);
    } catch {
      // A window that keeps nothing opens on Start after a reload.
    }
  });
}

/** Goes back to where the person was before the reload, as far as it is still there. */
export async function returnToPlace(app: App) {
  const place = kept();
  if (!place) return;
  const { projectId, conversationId } = place;
  const project = app.store.getState().projects?.find((p) => p.projectId === projectId);
  if (!project?.exists) return;
  const runs = await app.bridge.query({ type: 'runs', projectId });
  const isThere = runs.ok && runs.value.some((run) => run.conversationId === conversationId);
  await enterProject(app, projectId, isThere && conversationId ? conversationId : undefined);
}
