import type { Answer, Command, Failure, Frame, Noticed, Query, Receipt, WatchTarget } from './wire';

/** A value, or the failure that came instead. Nothing is thrown across the bridge. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** The value that answers each kind of query. */
type AnswerType = {
  projects: 'projects';
  packages: 'packages';
  inspectPackage: 'package';
  package: 'package';
  packageReading: 'packageReading';
  hooks: 'hooks';
  servers: 'servers';
  skills: 'skills';
  serverFile: 'serverFile';
  runs: 'runs';
  snapshot: 'snapshot';
  evidence: 'evidence';
  todos: 'todos';
  opening: 'opening';
  items: 'items';
  settings: 'settings';
  testModel: 'modelTest';
  localModels: 'localModels';
  doctor: 'doctor';
  conversations: 'conversations';
  activeConversations: 'conversations';
  search: 'search';
  sizes: 'sizes';
  inspectElectron: 'import';
  drafts: 'drafts';
  files: 'files';
  folder: 'folder';
  file: 'file';
  wholeChange: 'wholeChange';
  requests: 'requests';
  graph: 'graph';
  revision: 'revision';
  rewindPreview: 'rewindPreview';
  request: 'request';
};

/** What a query of this type is answered with. */
export type AnswerTo<Q extends Query> = Extract<Answer, { type: AnswerType[Q['type']] }>['value'];

/** What the system's dialogs are called. */
export interface DialogTitles {
  folder: string;
  package: string;
  packageFolder: string;
  /** The files among which a package is chosen. */
  packages: string;
  servers: string;
  /** The files among which one with servers is chosen. */
  json: string;
  save: string;
}

/** The only interface between the window and the program behind it (spec 09 "IPC contract"). */
export interface Bridge {
  /** Asks for something to happen. What comes of it arrives as frames. */
  submit(command: Command): Promise<Result<Receipt>>;
  /** Reads something. */
  query<Q extends Query>(query: Q): Promise<Result<AnswerTo<Q>>>;
  /** Follows a conversation: `whole` first, then increments. Returns the way to stop. */
  watch(
    conversationId: string,
    onFrames: (frames: Frame[]) => void,
    onFailure: (failure: Failure) => void,
  ): () => void;
  /** Follows something beside the conversations. Returns the way to stop. */
  notice(
    target: WatchTarget,
    onNoticed: (words: Noticed[]) => void,
    onFailure: (failure: Failure) => void,
  ): () => void;
  /** The system's folder dialog; null when it was closed. */
  pickFolder(): Promise<string | null>;
  /** The system's dialog for a `.bmad` file; null when it was closed. */
  pickPackage(): Promise<string | null>;
  /** The system's dialog for a folder in which a package is written; null when it was closed. */
  pickPackageFolder(): Promise<string | null>;
  /** The system's dialog for a file in which another program keeps its servers. */
  pickServers(): Promise<string | null>;
  /** The system's dialog for a file to write, with a name to begin with; null when it was closed. */
  pickSave(name: string, ending: string): Promise<string | null>;
  /** Opens a web address outside the window. */
  openLink(url: string): Promise<void>;
  /** Calls back with the packages dropped on the window. Returns the way to stop. */
  onPackagesDropped(callback: (paths: string[]) => void): () => void;
}

/** The pairs `[query, answer]`, so that both bridges check answers the same way. */
const answerTypes: AnswerType = {
  projects: 'projects',
  packages: 'packages',
  inspectPackage: 'package',
  package: 'package',
  packageReading: 'packageReading',
  hooks: 'hooks',
  servers: 'servers',
  skills: 'skills',
  serverFile: 'serverFile',
  runs: 'runs',
  snapshot: 'snapshot',
  evidence: 'evidence',
  todos: 'todos',
  opening: 'opening',
  items: 'items',
  settings: 'settings',
  testModel: 'modelTest',
  localModels: 'localModels',
  doctor: 'doctor',
  conversations: 'conversations',
  activeConversations: 'conversations',
  search: 'search',
  sizes: 'sizes',
  inspectElectron: 'import',
  drafts: 'drafts',
  files: 'files',
  folder: 'folder',
  file: 'file',
  wholeChange: 'wholeChange',
  requests: 'requests',
  graph: 'graph',
  revision: 'revision',
  rewindPreview: 'rewindPreview',
  request: 'request',
};

/** True for a value of the shape `{code, message, …}`. */
function isFailure(value: unknown): value is Failure {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Failure).code === 'string' &&
    typeof (value as Failure).message === 'string'
  );
}

/** What was thrown, as a failure: our own pass through, anything else is a bug and says so. */
export function asFailure(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'E_INTERNAL', message };
}

/** Unpacks an answer, and refuses one of another kind. */
export function unpack<Q extends Query>(query: Q, answer: Answer): Result<AnswerTo<Q>> {
  const expected = answerTypes[query.type];
  if (answer.type !== expected) {
    const message = `The query ${query.type} was answered with ${answer.type}.`;
    return { ok: false, failure: { code: 'E_INTERNAL', message } };
  }
  return { ok: true, value: answer.value as AnswerTo<Q> };
}
