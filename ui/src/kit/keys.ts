// Keys that do something in the whole window.

/** A key, pressed with Ctrl (on a Mac with Cmd) or alone; with Shift where that makes no other sign. */
export interface Keys {
  key: string;
  ctrl: boolean;
  shift?: boolean;
}

const isMac = () => navigator.platform.startsWith('Mac');

/** Whether these are the keys of an event. */
export function isPressed({ key, ctrl, shift = false }: Keys, event: KeyboardEvent): boolean {
  if (event.altKey || event.isComposing) return false;
  // On a Mac Ctrl moves about in what is being written.
  const command = isMac() ? event.metaKey : event.ctrlKey;
  // Which sign Shift makes of a key depends on the keyboard.
  if (ctrl && event.shiftKey !== shift) return false;
  return command === ctrl && event.key.toLowerCase() === key.toLowerCase();
}

/** Keys as they are printed. */
export const keyText = ({ key, ctrl, shift = false }: Keys): string => {
  const name = (shift ? 'Shift+' : '') + (key.length === 1 ? key.toUpperCase() : key);
  if (!ctrl) return name;
  return isMac() ? `⌘${name}` : `Ctrl+${name}`;
};
