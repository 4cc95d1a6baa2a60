// What can be done from anywhere in the window: the palette lists it, and some of it has a key.
import {
  FolderOpen,
  FolderTree,
  House,
  Keyboard,
  Languages,
  type LucideIcon,
  MessageCirclePlus,
  Moon,
  Package,
  PackagePlus,
  PanelLeft,
  PanelRight,
  Play,
  Plus,
  ScrollText,
  Search,
  Settings2,
  Square,
  Sun,
  TextSearch,
  UserRound,
  Waypoints,
} from 'lucide-react';
import { useEffect } from 'react';
import { resolveLanguage } from '../i18n';
import { isBlocked } from '../kit/focus';
import { isPressed, type Keys } from '../kit/keys';
import { NARROW, TIGHT } from '../kit/use-media';
import { configure, go, newRun, pickAndInspect, showFiles, stop } from '../state/actions';
import { runGraph } from '../state/graph';
import { pickAndOpenProject, playDemo } from '../state/projects';
import { isAtWork } from '../state/select';
import { type App, fail, type Panel, useApp, type View } from '../state/store';
import { newChat } from '../state/talk';

/** Everything that can be done so, in the order in which it is listed. */
export const SHORTCUTS = [
  'palette',
  'newRun',
  'newChat',
  'talkTo',
  'search',
  'stop',
  'graph',
  'files',
  'packages',
  'importPackage',
  'openProject',
  'playDemo',
  'start',
  'sidebar',
  'inspector',
  'log',
  'settings',
  'light',
  'dark',
  'language',
  'keys',
] as const;
export type ShortcutId = (typeof SHORTCUTS)[number];

interface Shortcut {
  icon: LucideIcon;
  keys?: Keys;
  /** Whether it can be done now; always when absent. */
  when?: (view: View) => boolean;
  run: (app: App) => void;
}

const ctrl = (key: string): Keys => ({ key, ctrl: true });

/** Looks for words in the conversations of the project. */
export function searchFor(app: App, searchText: string) {
  app.store.setState({ searchText, searches: app.store.getState().searches + 1 });
  showList('works')(app);
}

/** Lets the person write the title of a conversation of the project, in the list. */
export function nameIt(app: App, naming: string) {
  app.store.setState({ naming, searchText: null });
  showList('works')(app);
}

const inProject = ({ screen, projectId }: View) => screen === 'workspace' && projectId !== null;

const showList = (panel: Panel) => (app: App) =>
  app.store.setState(
    matchMedia(NARROW).matches
      ? { panel, sidebarOver: true }
      : { panel, panelOpen: true, sidebarOver: false },
  );

async function setAppearance(app: App, part: object) {
  const failure = await configure(app, { appearance: part });
  if (failure) fail(app, failure);
}

function otherLanguage(app: App) {
  const chosen = app.store.getState().settings?.settings.appearance.language ?? 'system';
  const language = resolveLanguage(chosen, navigator.languages) === 'zh' ? 'en' : 'zh';
  void setAppearance(app, { language });
}

function toggleInspector({ store }: App) {
  const { drawerOpen, inspectorOpen } = store.getState();
  store.setState(
    matchMedia(TIGHT).matches ? { drawerOpen: !drawerOpen } : { inspectorOpen: !inspectorOpen },
  );
}

function toggleSidebar({ store }: App) {
  const { sidebarOver, panelOpen } = store.getState();
  store.setState(
    matchMedia(NARROW).matches ? { sidebarOver: !sidebarOver } : { panelOpen: !panelOpen },
  );
}

const all: Record<ShortcutId, Shortcut> = {
  palette: {
    icon: Search,
    keys: ctrl('k'),
    run: ({ store }) => store.setState({ overlay: 'palette' }),
  },
  newChat: { icon: MessageCirclePlus, when: inProject, run: (app) => void newChat(app) },
  talkTo: {
    icon: UserRound,
    when: inProject,
    run: ({ store }) => store.setState({ overlay: 'talk' }),
  },
  newRun: { icon: Plus, keys: ctrl('n'), when: inProject, run: (app) => newRun(app) },
  search: {
    icon: TextSearch,
    keys: { key: 'f', ctrl: true, shift: true },
    when: inProject,
    run: (app) => searchFor(app, app.store.getState().searchText ?? ''),
  },
  stop: {
    icon: Square,
    when: (view) => inProject(view) && view.task === null && isAtWork(view),
    run: (app) => void stop(app),
  },
  graph: {
    icon: Waypoints,
    when: (view) => inProject(view) && !view.startingRun && runGraph(view) !== null,
    run: ({ store }) => store.setState({ overlay: 'graph' }),
  },
  files: {
    icon: FolderTree,
    when: inProject,
    run: (app) => showFiles(app, matchMedia(NARROW).matches),
  },
  packages: { icon: Package, when: inProject, run: showList('packages') },
  importPackage: { icon: PackagePlus, run: (app) => void pickAndInspect(app) },
  openProject: { icon: FolderOpen, run: (app) => void pickAndOpenProject(app) },
  playDemo: {
    icon: Play,
    when: ({ busy }) => !busy.has('playDemo'),
    run: (app) => void playDemo(app),
  },
  start: { icon: House, when: ({ screen }) => screen !== 'start', run: (app) => go(app, 'start') },
  sidebar: { icon: PanelLeft, keys: ctrl('b'), when: inProject, run: toggleSidebar },
  inspector: {
    icon: PanelRight,
    keys: ctrl('i'),
    when: (view) => inProject(view) && view.conversationId !== null && !view.startingRun,
    run: toggleInspector,
  },
  log: {
    icon: ScrollText,
    keys: ctrl('l'),
    when: ({ screen }) => screen === 'workspace',
    run: ({ store }) => store.setState({ logOpen: !store.getState().logOpen }),
  },
  settings: {
    icon: Settings2,
    keys: ctrl(','),
    when: ({ screen }) => screen !== 'settings',
    run: (app) => go(app, 'settings'),
  },
  light: { icon: Sun, run: (app) => void setAppearance(app, { theme: 'light' }) },
  dark: { icon: Moon, run: (app) => void setAppearance(app, { theme: 'dark' }) },
  language: { icon: Languages, run: otherLanguage },
  keys: {
    icon: Keyboard,
    keys: { key: '?', ctrl: false },
    run: ({ store }) => store.setState({ overlay: 'keys' }),
  },
};

/** One of them. */
export const shortcut = (id: ShortcutId): Shortcut => all[id];

/** The keys of one that has some. */
export const keysOf = (id: ShortcutId): Keys => all[id].keys ?? { key: '', ctrl: false };

/** What can be done now. */
export const availableIn = (view: View): ShortcutId[] =>
  SHORTCUTS.filter((id) => all[id].when?.(view) ?? true);

/** True where a key without Ctrl is a letter of what is being written. */
const isWritten = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, [role=combobox], [contenteditable]') !== null;

/** Lets the keys do what they are printed for. Over a dialog or a menu they are meant for that. */
export function useShortcuts() {
  const app = useApp();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const id = SHORTCUTS.find((one) => {
        const { keys } = all[one];
        return keys !== undefined && isPressed(keys, event);
      });
      if (!id || (!keysOf(id).ctrl && isWritten(event.target))) return;
      const { overlay, sidebarOver, drawerOpen } = app.store.getState();
      if (id === 'palette' && overlay === 'palette') {
        event.preventDefault();
        app.store.setState({ overlay: null });
        return;
      }
      // What lies over the window closes by the key that opens it.
      const closes = (id === 'sidebar' && sidebarOver) || (id === 'inspector' && drawerOpen);
      if (!closes && isBlocked()) return;
      if (event.defaultPrevented || !(all[id].when?.(app.store.getState()) ?? true)) return;
      event.preventDefault();
      all[id].run(app);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [app]);
}
