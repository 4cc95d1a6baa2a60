// The only file that knows @tauri-apps.
import { Channel, invoke } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { open, save } from '@tauri-apps/plugin-dialog';
import { openUrl } from '@tauri-apps/plugin-opener';
import { asFailure, type Bridge, type Result, unpack } from './bridge';
import type { Answer, Frame, Receipt } from './wire';

async function call<T>(command: string, args: Record<string, unknown>): Promise<Result<T>> {
  try {
    return { ok: true, value: await invoke<T>(command, args) };
  } catch (thrown) {
    return { ok: false, failure: asFailure(thrown) };
  }
}

/** The bridge to the Rust side: three commands, four system dialogs. */
export const tauriBridge: Bridge = {
  submit: (command) => call<Receipt>('submit', { command }),

  async query(query) {
    const answer = await call<Answer>('query', { query });
    return answer.ok ? unpack(query, answer.value) : answer;
  },

  watch(conversationId, onFrames, onFailure) {
    let following = true;
    const channel = new Channel<Frame[]>();
    channel.onmessage = (frames) => {
      if (following) onFrames(frames);
    };
    call<null>('watch', { target: conversationId, channel }).then((result) => {
      if (following && !result.ok) onFailure(result.failure);
    });
    return () => {
      following = false;
    };
  },

  pickFolder: () => open({ directory: true, multiple: false }),

  pickPackage: () =>
    open({ multiple: false, filters: [{ name: 'BMAD', extensions: ['bmad', 'zip'] }] }),

  pickSave: (name, ending) =>
    save({ defaultPath: name, filters: [{ name: ending.toUpperCase(), extensions: [ending] }] }),

  openLink: (url) => openUrl(url),

  onPackageDropped(callback) {
    const stop = getCurrentWebview().onDragDropEvent((event) => {
      if (event.payload.type !== 'drop') return;
      const path = event.payload.paths.find((p) => /\.(bmad|zip)$/i.test(p));
      if (path) callback(path);
    });
    return () => {
      stop.then((off) => off()).catch(() => undefined);
    };
  },
};
