// Files of the project that the person may mention. Asked for while they write.
import type { App } from './store';

/** The files whose path holds a text; none where they cannot be read: nobody is told of that. */
export async function filesLike(app: App, conversationId: string, matching: string) {
  const found = await app.bridge.query({ type: 'files', conversationId, matching });
  return found.ok ? found.value : [];
}
