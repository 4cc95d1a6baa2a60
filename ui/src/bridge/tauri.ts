// The only file that knows @tauri-apps.
import { Channel, invoke } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { open, save } from '@tauri-apps/plugin-dialog';
import { openUrl } from '@tauri-apps/plugin-opener';
import { asFailure, type Bridge, type DialogTitles, type Result, unpack } from './bridge';
import type { Answer, Failure, Frame, Noticed, Receipt, WatchTarget } from './wire';

async function call<T>(command: string, args: Record<string, unknown>): Promise<Result<T>> {
  try {
    return { ok: true, value: await invoke<T>(command, args) };
  } catch (thrown) {
    return { ok: false, failure: asFailure(thrown) };
  }
}

/** Follows a target through a channel of its own; leaving it ends the work on the other side. */
function follow<T>(
  target: WatchTarget,
  onBatch: (batch: T[]) => void,
  onFailure: (failure: Failure) => void,
): () => void {
  let following = true;
  const channel = new Channel<T[]>();
  channel.onmessage = (batch) => {
    if (following) onBatch(batch);
  };
  const begun = call<null>('watch', { target, channel });
  begun.then((result) => {
    if (following && !result.ok) onFailure(result.failure);
  });
  return () => {
    if (!following) return;
    following = false;
    // Not before it has begun: the other side takes them in any order.
    begun.then(() => call<null>('watch', { target: { type: 'nothing' }, channel }));
  };
}

/** The bridge to the Rust side: three commands, and the system's dialogs with these titles. */
export const tauriBridge = (titles: () => DialogTitles): Bridge => ({
  submit: (command) => call<Receipt>('submit', { command }),

  async query(query) {
    const answer = await call<Answer>('query', { query });
    return answer.ok ? unpack(query, answer.value) : answer;
  },

  watch: (conversationId, onFrames, onFailure) =>
    follow<Frame>({ type: 'conversation', conversationId }, onFrames, onFailure),

  notice: (target, onNoticed, onFailure) => follow<Noticed>(target, onNoticed, onFailure),

  pickFolder: () => open({ title: titles().folder, directory: true, multiple: false }),

  pickPackage: () =>
    open({
      title: titles().package,
      multiple: false,
      filters: [{ name: titles().packages, extensions: ['bmad', 'zip'] }],
    }),

  pickPackageFolder: () =>
    open({ title: titles().packageFolder, directory: true, multiple: false }),

  pickServers: () =>
    open({
      title: titles().servers,
      multiple: false,
      filters: [{ name: titles().json, extensions: ['json', 'jsonc'] }],
    }),

  pickSave: (name, ending) =>
    save({
      title: titles().save,
      defaultPath: name,
      filters: [{ name: ending.toUpperCase(), extensions: [ending] }],
    }),

  openLink: (url) => openUrl(url),

  onPackagesDropped(callback) {
    const stop = getCurrentWebview().onDragDropEvent((event) => {
      if (event.payload.type !== 'drop') return;
      const paths = event.payload.paths.filter((p) => /\.(bmad|zip)$/i.test(p));
      if (paths.length > 0) callback(paths);
    });
    return () => {
      stop.then((off) => off()).catch(() => undefined);
    };
  },
});
