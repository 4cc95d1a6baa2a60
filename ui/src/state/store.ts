import { createContext, createElement, type ReactNode, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { Bridge, Result } from '../bridge';
import type {
  ConversationSummary,
  EvidenceView,
  Failure,
  FileView,
  Frame,
  GraphView,
  HookView,
  MenuLine,
  PackageReport,
  PackageView,
  Phase,
  ProjectView,
  RequestList,
  RequestView,
  RuntimeSnapshot,
  ServerView,
  SettingsView,
  SkillList,
  SubagentView,
  TodoList,
} from '../bridge/wire';
import { emptyLog, type Log } from './log';
import { type Conversation, nothing } from './reduce';

/** Which screen is shown. */
export type Screen = 'start' | 'workspace' | 'settings';
/** Which list the sidebar shows. */
export type Panel = 'works' | 'packages';

/** The parts of the inspector, in the order of its tabs. */
export const INSPECTOR_TABS = ['run', 'changes', 'evidence', 'activity'] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** How wide the inspector can be, in pixels. */
export const INSPECTOR_WIDTH = { least: 260, most: 560 };

/** How high the log can be, in pixels. */
export const LOG_HEIGHT = { least: 120, most: 720 };

/** How high the files in the sidebar can be, in pixels. */
export const FILES_HEIGHT = { least: 120, most: 600 };

/** The package dialog: being read, or read. */
export interface Inspection {
  /** Where it comes from; null for an installed package, which cannot be installed again. */
  path: string | null;
  report: PackageReport | null;
  failure: Failure | null;
}

/** A folder that has the id of another one's project, or that is not the project looked for. */
export interface ProjectQuestion {
  kind: 'copied' | 'mismatch';
  path: string;
  /** What is to be shown when that is clear. */
  conversationId: string | undefined;
  /** What is known of it, as the program said. */
  details: {
    projectId: string;
    name: string;
    /** Whether the project is in the folder it was last opened in. */
    there?: boolean;
    found?: 'other' | 'none';
    foundName?: string;
  };
}

/** The sub-agent whose conversation is open, and what is known of it where it was asked for. */
export interface OpenTask {
  /** The conversation that asked for it. */
  parent: string;
  /** The item of its call there, and its place. */
  itemId: string;
  seq: number;
  /** The package whose agents both are. */
  packageId: string | undefined;
  /** Where the run of that conversation stands. */
  phase: Phase | null;
  /** How the sub-agent stands. */
  subagent: SubagentView;
}

/** A field of the model's settings. */
export type ModelField = 'model-base-url' | 'model-name' | 'api-key' | 'context-tokens';

/** What the window shows. Answers and frames as they came, and where the person is. */
export interface View {
  screen: Screen;
  /** Where Settings leads back to. */
  behind: Exclude<Screen, 'settings'>;
  panel: Panel;
  panelOpen: boolean;
  /** Whether the files below the runs are unfolded. */
  filesOpen: boolean;
  /** In pixels. */
  filesHeight: number;
  inspectorOpen: boolean;
  inspectorTab: InspectorTab;
  /** In pixels; null until the person makes it another than it is. */
  inspectorWidth: number | null;
  logOpen: boolean;
  /** In pixels. */
  logHeight: number;
  log: Log;
  /** True while the form for a new run is shown in place of a conversation. */
  startingRun: boolean;
  /** The package the form begins with. */
  runPackage: string | null;
  projects: ProjectView[] | null;
  packages: PackageView[] | null;
  settings: SettingsView | null;
  projectId: string | null;
  /** The conversations of the open project, last active first, as far as they were read. */
  conversations: ConversationSummary[] | null;
  /** Where the list goes on; null at its end. */
  moreConversations: string | null;
  /** Those of every project whose run works or waits for the person; null until they were read. */
  active: ConversationSummary[] | null;
  conversationId: string | null;
  conversation: Conversation;
  /** True while it is as it was read ahead: it can be looked at, and nothing is done by itself. */
  isAhead: boolean;
  /** Null unless the conversation is that of a sub-agent. */
  task: OpenTask | null;
  /** What is known beside the conversation, or why it could not be read. */
  snapshot: Result<RuntimeSnapshot> | null;
  /** What was judged in the run, and what the person answered, or why it could not be read. */
  evidence: Result<EvidenceView> | null;
  /** The commands of the open project; null while they are not known. */
  hooks: readonly HookView[] | null;
  /** The servers that are set up, or why they could not be read; null while they are not known. */
  servers: Result<readonly ServerView[]> | null;
  /** Projects with the servers that the person does not want to look at there now. */
  serversLater: readonly (readonly [string, readonly string[]])[];
  /** The skills that were read last, and where they are; null until they were. */
  skills: { of: string; read: Result<SkillList> } | null;
  /** The graphs that were read, by package and workflow. */
  graphs: ReadonlyMap<string, Result<GraphView>>;
  /** The step that the person may take the run back to, and the words to begin it anew with; its title
   * where the run stands there again because the last time is undone. */
  rewind: { nodeId: string; words: string | null; undone?: string } | null;
  /** The todos of the run, or why they could not be read. */
  todos: Result<TodoList> | null;
  /** What was asked of the model, while somebody looks at it. */
  requests: LookedAt | null;
  /** A file that the person wants to mention in what they write, or words to be written there. */
  toWrite: { path: string } | { words: string } | null;
  /** The file that lies open over the conversation. */
  file: OpenedFile | null;
  /** What the person chooses from where an agent's menu was asked for, or their words were not clear. */
  routed: RoutedRows | null;
  /** What the person just sent and no frame has shown yet. */
  echo: string | null;
  /** The conversation whose title is being written in the list. */
  naming: string | null;
  /** The question that the person has chosen to answer among several, or long after it was asked. */
  taken: string | null;
  /** The steps that are done whose part of the conversation was opened, by the ids of their items. */
  openSteps: ReadonlySet<string>;
  /** How a change was looked at last. */
  look: Look;
  /** What of the conversation is to be brought into sight as soon as it is there. */
  jump: Jump | null;
  /** What was just done for the person: a file written, a package installed. */
  saved: Saved | null;
  /** Names of what is being done, so that its button can say so. */
  busy: ReadonlySet<string>;
  /** What went wrong and belongs to no other place. */
  failure: Failure | null;
  inspection: Inspection | null;
  /** Package files that are shown when the one before is closed. */
  toInspect: readonly string[];
  /** A folder that is not simply opened: the person says what it is. */
  projectQuestion: ProjectQuestion | null;
  /** The field of the model that the settings open with. */
  settingsField: ModelField | null;
  /** The section that they open with. */
  settingsSection: 'skills' | null;
  /** When the model, its address or its key was last changed here; ISO time. */
  modelChangedAt: string | null;
  /** What is being written and was not sent, by place (see drafts.ts). */
  drafts: ReadonlyMap<string, unknown>;
  /** The conversations in which the words that were written ahead are to be sent, and when. */
  queued: ReadonlyMap<string, Queued>;
  /** Counts what leads the person to the composer: a conversation opened, a question answered. */
  turns: number;
  /** Counts what the person did in the conversation: said something, answered a question. */
  acts: number;
  /** In a narrow window the inspector lies over the conversation while this is true. */
  drawerOpen: boolean;
  /** In a narrow window the sidebar lies over the rest while this is true. */
  sidebarOver: boolean;
  /** False until the window is where it is to begin: what is opened outside comes after that. */
  begun: boolean;
  /** Counts how often the person wanted to search. */
  searches: number;
  /** What is looked for in the conversations of the project; null while nothing is. */
  searchText: string | null;
  /** What lies over the whole window: what can be done, the keys for it, the graph of the run, or whom to talk to. */
  overlay: 'palette' | 'keys' | 'graph' | 'talk' | null;
}

/** When words that were written ahead are sent: at the person's turn, or as soon as the run stops. */
export type Queued = 'next' | 'now';

/** An item of the conversation. */
export interface Spot {
  id: string;
  /** Its sequence number: earlier pages are read back to it. */
  seq: number;
  /** How far its beginning lies above what is in sight, in pixels. */
  above: number;
}

/** An item that somebody looks for, which is marked, or the one at which they read on. */
interface Jump extends Spot {
  why: 'sought' | 'read';
}

/** Rows of an agent's menu to choose from. */
interface RoutedRows {
  /** The menu was asked for, or several of its rows may be meant. */
  kind: 'menu' | 'choice';
  rows: readonly MenuLine[];
  /** What the person wrote. */
  words: string;
}

/** What was just done for the person. */
interface Saved {
  words: 'conversations.saved' | 'packages.installed';
  name: string;
  /** The package that was installed: it can be run. */
  packageId?: string;
}

/** How a change is looked at: its lines, both versions side by side, or what it reads as. */
export type Look = 'lines' | 'split' | 'preview';

/** The requests of the open conversation, and one of them. */
interface LookedAt {
  /** Null while it is read. */
  list: Result<RequestList> | null;
  /** The one that was chosen. */
  number: number | null;
  /** The one that is shown; null until one was read. */
  view: Result<RequestView> | null;
}

/** A file of the run's project that the person looks at. */
export interface OpenedFile {
  /** Its alias path. */
  path: string;
  /** Null while it is read first. */
  view: Result<FileView> | null;
}

/** What is known of a conversation before anything was sent. */
export const unread = {
  conversation: nothing,
  isAhead: false,
  task: null,
  snapshot: null,
  evidence: null,
  todos: null,
  requests: null,
  toWrite: null,
  routed: null,
  file: null,
  rewind: null,
  overlay: null,
  taken: null,
  openSteps: new Set<string>(),
} satisfies Partial<View>;

/** What lies over the window where there is no room beside it, closed. */
export const closed = { drawerOpen: false, sidebarOver: false } satisfies Partial<View>;

/** A window that has just opened. */
const opened: View = {
  screen: 'start',
  behind: 'start',
  panel: 'works',
  panelOpen: true,
  filesOpen: false,
  filesHeight: 240,
  inspectorOpen: true,
  inspectorTab: 'run',
  inspectorWidth: null,
  logOpen: false,
  logHeight: 300,
  log: emptyLog,
  startingRun: false,
  runPackage: null,
  projects: null,
  packages: null,
  settings: null,
  projectId: null,
  conversations: null,
  active: null,
  graphs: new Map(),
  moreConversations: null,
  conversationId: null,
  hooks: null,
  servers: null,
  serversLater: [],
  skills: null,
  ...unread,
  echo: null,
  naming: null,
  look: 'lines',
  queued: new Map(),
  jump: null,
  saved: null,
  busy: new Set(),
  failure: null,
  inspection: null,
  toInspect: [],
  projectQuestion: null,
  settingsField: null,
  settingsSection: null,
  modelChangedAt: null,
  drafts: new Map(),
  turns: 0,
  acts: 0,
  drawerOpen: false,
  sidebarOver: false,
  begun: false,
  searches: 0,
  searchText: null,
};

/** What is read of a run beside its conversation. */
export type Followed = 'snapshot' | 'evidence' | 'todos';

/** The reading of it, while somebody follows it. */
export interface Reading {
  /** Of which conversation. */
  conversationId: string | null;
  /** How many parts of the window follow it. */
  followers: number;
  /** Something may have changed since the last question was asked. */
  wanted: boolean;
  /** Asked, or waiting until it may ask again. */
  busy: boolean;
}

/** What was read of a conversation before it was opened. */
interface ReadAhead {
  conversationId: string;
  /** When it was asked for, by the clock of the page; in milliseconds. */
  at: number;
  /** What the conversation begins with; null until it came. */
  opening: Frame | null;
}

/** The store and the bridge it is fed by. */
export interface App {
  bridge: Bridge;
  store: StoreApi<View>;
  /** Stops following the conversation that is open. */
  unwatch: () => void;
  /** The conversation that the person may open next. */
  ahead: ReadAhead | null;
  /** Counts what leads the person elsewhere: what was asked for before that is not gone to any more. */
  moves: number;
  /** How often each list was asked for: an answer to an older question is not taken. */
  asked: { active: number; list: number; servers: number; skills: number };
  /** What is read of the run, while that is shown. */
  reading: Partial<Record<Followed, Reading>>;
  /** Drafts that are due to be written, by place. */
  unkept: Map<string, { due: () => void; timer: ReturnType<typeof setTimeout> }>;
  /** Done when every draft that was due is written. */
  keeping: Promise<void>;
  /** The first item in sight of each conversation that is read further up than its end. */
  readAt: Map<string, Spot>;
  /** Items whose details the person opened: they stay so while the window is open. */
  unfolded: Set<string>;
}

/** A new window over a bridge. */
export function makeApp(bridge: Bridge): App {
  // What was changed before this window opened, it cannot know: then asking again is offered.
  const now = new Date().toISOString();
  return {
    bridge,
    store: createStore<View>(() => ({ ...opened, modelChangedAt: now })),
    unwatch: () => undefined,
    ahead: null,
    moves: 0,
    asked: { active: 0, list: 0, servers: 0, skills: 0 },
    reading: {},
    unkept: new Map(),
    keeping: Promise.resolve(),
    readAt: new Map(),
    unfolded: new Set(),
  };
}

/** Shows a failure that belongs to no other place. */
export const fail = (app: App, failure: Failure) => app.store.setState({ failure });

const AppContext = createContext<App | null>(null);

/** Gives everything below it the app. */
export function AppProvider({ app, children }: { app: App; children: ReactNode }) {
  return createElement(AppContext.Provider, { value: app }, children);
}

/** The app this component is part of. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('A component was rendered outside AppProvider.');
  return app;
}

/** A part of what the window shows; the component renders again when that part changes. */
export function useView<T>(select: (view: View) => T): T {
  return useStore(useApp().store, select);
}
