// A bridge for plain browsers: it plays recorded frames, so that every state can be seen and
// tested without the program behind the window. Never loaded by the app's own window.

import { asFailure, type Bridge, type Result, unpack } from '../bridge';
import type {
  Answer,
  Command,
  Frame,
  HookView,
  Phase,
  Query,
  Reason,
  Receipt,
  RunSummary,
  SessionCommand,
} from '../wire';
import { ended, letStand } from './acceptance';
import { activeOf, veryMany } from './active';
import { brokenSettings, configured, misnamedSettings } from './configure';
import { shortened } from './context';
import { conversationsOf, searchIn, sizesOf } from './conversations';
import {
  badReport,
  doctorRows,
  electronReport,
  goodReport,
  packages,
  projects,
  runs,
  settings,
} from './data';
import { type Beat, ending, opening } from './demo';
import { forgetAnswered, keepDraft, keptDrafts, refuseUnread } from './drafts';
import { evidenceOf } from './evidence';
import { fileOf, putBackNow } from './file';
import { inProject } from './given';
import { inGraph } from './graph';
import { hooksOf, trust } from './hooks';
import { checkOwnModel, KeptKey, localModels, ModelTests } from './models';
import { withNested } from './nested';
import { noticedIn } from './noticed';
import { item, page, remember, type Scene, status, statusAfter, whole } from './pieces';
import {
  installs,
  inUse,
  mustHaveNoRun,
  mustRest,
  mustResume,
  mustRun,
  openedFolder,
  questionIn,
  rebound,
  refuse,
  refuseUnfit,
} from './refusals';
import { askedOf } from './requests';
import { previewOf, wentBack } from './rewind';
import { scenes } from './scenes';
import { FakeServers } from './servers';
import { ofSkills, skillList } from './skills';
import { snapshotOf, todosOf } from './snapshot';
import { isTask, stopTask, taskScene } from './subagents';
import { movedTo, routedBy, Talks, turnedTo } from './talks';
import { nameOf, wholeOf } from './whole';

const CONVERSATIONS: Record<string, string> = { 'c-done': 'completed', 'c-failed': 'error' };

/** The program behind the fake bridge. */
class Recorded {
  projects = [...projects];
  packages = [...packages];
  runs = [...runs];
  settings = structuredClone(settings);
  watchers = new Map<string, (frames: Frame[]) => void>();
  played = new Map<string, Scene>();
  /** When each conversation was first shown: no question can have been shown for longer. */
  madeAt = new Map<string, number>();
  titles = new Map<string, string>();
  tests = new ModelTests();
  key = new KeptKey();
  drafts = keptDrafts();
  talks: Talks;
  hooks: HookView[];
  servers: FakeServers;
  scenario: string;

  constructor(scenario: string) {
    this.scenario = scenario;
    this.hooks = hooksOf(scenario);
    this.servers = new FakeServers(scenario);
    this.talks = new Talks(scenario);
    const params = new URLSearchParams(location.search);
    const appearance = this.settings.settings.appearance as { theme: string; language: string };
    appearance.theme = params.get('theme') ?? appearance.theme;
    appearance.language = params.get('lang') ?? appearance.language;
    if (scenario === 'empty') {
      this.projects = [];
      this.packages = [];
      this.runs = [];
    }
    if (scenario === 'many-waiting') Object.assign(this, veryMany(projects, runs));
    if (scenario === 'nested') Object.assign(this, withNested(packages, runs));
    if (scenario === 'broken-settings') this.settings = brokenSettings(this.settings);
    if (scenario === 'misnamed-settings') this.settings = misnamedSettings(this.settings);
    if (scenario === 'empty' || scenario === 'no-model') this.settings.settings.model.baseUrl = '';
  }

  scene(conversationId: string): Scene {
    const kept = this.played.get(conversationId);
    if (kept) return kept;
    this.madeAt.set(conversationId, performance.now());
    const name = CONVERSATIONS[conversationId] ?? this.scenario;
    const nothing = { items: [], status: status('idle', 0) };
    const recorded = conversationId === 'c-demo' ? null : (scenes[name] ?? scenes.completed)?.();
    const talk = this.talks.scene(conversationId);
    const made = talk ?? taskScene(conversationId) ?? recorded ?? nothing;
    this.played.set(conversationId, made);
    return made;
  }

  /** A run as it stands in its recorded conversation. */
  current(run: RunSummary): RunSummary {
    const { status: now } = this.scene(run.conversationId);
    return { ...run, phase: now.run?.phase ?? run.phase, reason: now.run?.reason ?? null };
  }

  /** Refuses a conversation that is not there. */
  known(conversationId: string) {
    const isTalk = isTask(conversationId) || this.talks.has(conversationId);
    const isKnown = isTalk || this.runs.some((run) => run.conversationId === conversationId);
    if (!isKnown && conversationId !== 'c-demo') refuse('CONVERSATION_NOT_FOUND', conversationId);
  }

  /** Refuses what a run cannot do as it stands. */
  must(conversationId: string, can: (scene: Scene) => void) {
    this.known(conversationId);
    can(this.scene(conversationId));
  }

  /** What is sent is so from now on. */
  send(conversationId: string, frames: Frame[]) {
    remember(this.scene(conversationId), frames);
    this.watchers.get(conversationId)?.(frames);
  }

  play(conversationId: string, beats: Beat[]) {
    let delay = 0;
    for (const beat of beats) {
      delay += beat.afterMs;
      setTimeout(() => this.send(conversationId, beat.frames), delay);
    }
  }

  submit(command: Command): Receipt {
    switch (command.type) {
      case 'openProject':
        return { projectId: openedFolder(this.projects, command.path) };
      case 'openCopiedProject':
        return { projectId: 'p-notes' };
      case 'rebindProject':
        this.projects = rebound(this.projects, command);
        return { projectId: command.projectId };
      case 'forgetProject':
        this.projects = this.projects.filter((p) => p.projectId !== command.projectId);
        return {};
      case 'trustHooks':
        trust(this.hooks, command);
        return {};
      case 'installPackage':
        installs(command, goodReport);
        return { packageId: goodReport.packageId ?? undefined };
      case 'removePackage':
        inUse(this.runs, this.projects, command.packageId);
        this.packages = this.packages.filter((p) => p.packageId !== command.packageId);
        return {};
      case 'playDemo':
        if (this.projects.length === 0) this.projects = projects.slice(0, 1);
        this.packages = [...packages];
        return { projectId: 'p-notes', conversationId: 'c-demo' };
      case 'beginConversation':
        return this.talks.begin(command);
      case 'startRun':
        if (command.conversationId) this.must(command.conversationId, mustHaveNoRun);
        return { runId: 'r-demo', conversationId: command.conversationId ?? 'c-demo' };
      case 'renameConversation':
        this.titles.set(command.conversationId, command.title.trim());
        return {};
      case 'deleteConversation':
        this.delete((run) => run.conversationId === command.conversationId);
        return {};
      case 'deleteProjectData':
        this.delete((run) => run.projectId === command.projectId);
        return {};
      case 'openOutside':
      case 'announce':
        return { conversationId: command.conversationId };
      case 'exportConversation':
        return { conversationId: command.conversationId };
      case 'saveDiagnostics':
      case 'servers':
        return {};
      case 'exportRun':
      case 'recordRun':
        return { runId: command.runId };
      case 'configure':
        this.configure(command.patch);
        return {};
      case 'stopModelTest':
      case 'stopPackageReading':
        return {};
      case 'storeApiKey':
        this.key.keep(this.settings, command.key);
        return {};
      case 'importElectron':
        return { import: electronReport(false) };
      case 'session':
        return {
          conversationId: command.conversationId,
          ...this.tell(command.conversationId, command.command),
        };
      case 'keepDraft':
        if ('conversationId' in command.place) this.known(command.place.conversationId);
        keepDraft(this.drafts, command);
        return {};
    }
  }

  /** What a person says to one conversation. */
  tell(conversationId: string, command: SessionCommand): Receipt | undefined {
    switch (command.type) {
      case 'say':
        this.must(conversationId, mustRest);
        return this.say(conversationId, command.text);
      case 'talk':
        this.must(conversationId, mustRest);
        this.send(conversationId, turnedTo(this.scene(conversationId), command.with));
        return;
      case 'activateSkill':
      case 'endSkill':
        this.known(conversationId);
        this.send(conversationId, ofSkills(this.scenario, this.scene(conversationId), command));
        return;
      case 'answer':
        this.answer(conversationId, command);
        return;
      case 'revokeApproval':
        this.move(conversationId, 'running', 2);
        return;
      case 'stop':
        if (isTask(conversationId)) {
          const { own, asked } = stopTask(this.scene('c-current'), conversationId);
          this.send(conversationId, own);
          this.send('c-current', asked);
          return;
        }
        this.must(conversationId, mustRun);
        this.send(conversationId, [
          { type: 'upsert', item: item({ type: 'notice', kind: 'stopped', canResume: true }) },
        ]);
        this.move(conversationId, 'waiting-user', 1, 'stopped');
        return;
      case 'resume':
        this.must(conversationId, mustResume);
        this.move(conversationId, 'running', 2);
        return;
      case 'acceptAnyway':
        this.must(conversationId, mustRest);
        this.send(conversationId, letStand(this.scene(conversationId), command.messageId));
        return;
      case 'endRun':
        this.must(conversationId, mustRest);
        this.send(conversationId, ended(this.scene(conversationId), command.reason));
        return;
      case 'putBack':
        this.must(conversationId, mustRest);
        this.send(conversationId, putBackNow(command.path, command.sha256));
        return;
      case 'rewind':
        this.must(conversationId, mustRest);
        this.send(conversationId, wentBack(this.scene(conversationId), command));
        return;
      case 'compact':
      case 'startAfresh':
        this.must(conversationId, mustRest);
        this.send(conversationId, shortened(this.scene(conversationId), command.type));
        return;
      case 'useModel':
        this.useModel(conversationId);
    }
  }

  delete(gone: (one: { conversationId: string; projectId: string }) => boolean) {
    const busy = this.runs.some((run) => gone(run) && this.current(run).phase === 'running');
    if (busy) refuse('RUN_BUSY', 'The window works on it.');
    this.talks.delete(gone);
    this.runs = this.runs.filter((run) => !gone(run));
  }

  conversations() {
    const runs = this.runs.map((run) => this.current(run));
    const sceneOf = (id: string) => this.scene(id);
    return this.talks.among(conversationsOf(runs, this.titles), this.titles, sceneOf);
  }

  configure(asked: unknown) {
    this.settings = configured(this.settings, asked);
    this.key.show(this.settings);
  }

  useModel(conversationId: string) {
    const scene = this.scene(conversationId);
    const { run } = scene.status;
    checkOwnModel(run?.demo ?? false, this.settings);
    if (run) scene.status = { ...scene.status, run: { ...run, demo: false } };
    const switched = item({ type: 'notice', kind: 'model_switched', canResume: false });
    this.send(conversationId, [
      { type: 'upsert', item: switched },
      { type: 'status', status: scene.status },
    ]);
  }

  /** It is another's move by now. */
  move(conversationId: string, phase: Phase, done: number, reason: Reason | null = null) {
    const now = movedTo(this.scene(conversationId), phase, done, reason);
    this.send(conversationId, [{ type: 'status', status: now }]);
  }

  say(conversationId: string, text: string): Receipt {
    this.servers.refuseUncalled(text);
    const partner = this.scene(conversationId).status.talk?.with;
    const routed = partner?.mode === 'agent' ? routedBy(partner, text) : undefined;
    if (routed && routed.kind !== 'said') return { conversationId, routed };
    const body = { type: 'message', by: 'user', text, streaming: false, cut: false } as const;
    this.send(conversationId, [
      { type: 'upsert', item: item(body) },
      { type: 'status', status: movedTo(this.scene(conversationId), 'running', 2) },
    ]);
    return { conversationId, routed };
  }

  answer(conversationId: string, command: Extract<SessionCommand, { type: 'answer' }>) {
    const { messageId, value } = command;
    this.known(conversationId);
    const scene = this.scene(conversationId);
    const asked = questionIn(scene, messageId);
    mustRest(scene);
    const there = performance.now() - (this.madeAt.get(conversationId) ?? 0);
    const { widget, change } = asked.body;
    refuseUnfit(widget, value, change?.diff ? nameOf(change) : undefined);
    refuseUnread(asked.body.widget, value, command.shownMs, there);
    forgetAnswered(this.drafts, conversationId, messageId);
    this.send(conversationId, [
      { type: 'upsert', item: { ...asked, body: { ...asked.body, answer: value } } },
      { type: 'status', status: statusAfter(scene.status, messageId) },
    ]);
    if (conversationId === 'c-demo') this.play(conversationId, ending());
  }

  query(query: Query): Answer {
    switch (query.type) {
      case 'projects':
        return { type: 'projects', value: this.projects };
      case 'packages':
        return { type: 'packages', value: this.packages };
      case 'hooks':
        return { type: 'hooks', value: this.hooks.map((hook) => ({ ...hook })) };
      case 'servers':
        return { type: 'servers', value: this.servers.read(query.projectId) };
      case 'skills':
        return { type: 'skills', value: skillList(this.scenario, query, this.settings.settings) };
      case 'serverFile':
        return { type: 'serverFile', value: this.servers.file() };
      case 'runs':
        return { type: 'runs', value: this.runs.map((run) => this.current(run)) };
      case 'settings':
        return { type: 'settings', value: this.tests.view(this.settings) };
      case 'testModel':
        return { type: 'modelTest', value: this.tests.test(this.settings, this.scenario) };
      case 'localModels':
        return { type: 'localModels', value: localModels(this.scenario) };
      case 'inspectPackage':
        return { type: 'package', value: query.path.includes('broken') ? badReport : goodReport };
      case 'packageReading':
        return { type: 'packageReading', value: null };
      case 'package':
        return { type: 'package', value: { ...goodReport, upgrade: undefined } };
      case 'conversations':
        return {
          type: 'conversations',
          value: { conversations: this.conversations(), next: null },
        };
      case 'activeConversations':
        return { type: 'conversations', value: activeOf(this.conversations(), this.scenario) };
      case 'search':
        return { type: 'search', value: searchIn(this.conversations(), query) };
      case 'drafts':
        return { type: 'drafts', value: [...this.drafts.values()] };
      case 'sizes':
        return { type: 'sizes', value: sizesOf(this.projects, this.conversations()) };
      case 'doctor':
        return { type: 'doctor', value: doctorRows };
      case 'inspectElectron':
        return { type: 'import', value: electronReport(true) };
      case 'snapshot':
        return this.snapshot(this.scene(query.conversationId));
      case 'evidence':
        return { type: 'evidence', value: evidenceOf(this.scene(query.conversationId)) };
      case 'todos':
        return { type: 'todos', value: todosOf(this.scene(query.conversationId)) };
      case 'requests':
      case 'request':
        return askedOf(this.scene(query.conversationId), query);
      case 'graph':
      case 'revision':
        return inGraph(this, query);
      case 'rewindPreview':
        return previewOf(this.scene(query.conversationId), query);
      case 'file':
        this.known(query.conversationId);
        return { type: 'file', value: fileOf(query.path) };
      case 'folder':
      case 'files':
        this.known(query.conversationId);
        return inProject(query);
      case 'wholeChange':
        return {
          type: 'wholeChange',
          value: wholeOf(this.scene(query.conversationId), query.changeId),
        };
      case 'opening':
        return { type: 'opening', value: structuredClone(whole(this.scene(query.conversationId))) };
      case 'items':
        return { type: 'items', value: page(this.scene(query.conversationId), query.before) };
    }
  }

  snapshot(scene: Scene): Answer {
    const { run } = scene.status;
    if (!run) refuse('RUN_NOT_FOUND', 'there is no run');
    if (this.scenario === 'unread-changes') refuse('STORE_READ_FAILED', 'The disk answered no.');
    return { type: 'snapshot', value: snapshotOf(scene, run) };
  }

  watch(conversationId: string, onFrames: (frames: Frame[]) => void) {
    this.watchers.set(conversationId, onFrames);
    if (conversationId === 'c-demo') {
      this.play(conversationId, opening());
      return;
    }
    const scene = this.scene(conversationId);
    setTimeout(() => this.send(conversationId, [whole(scene)]), 0);
  }
}

function attempt<T>(task: () => T): Result<T> {
  try {
    return { ok: true, value: task() };
  } catch (thrown) {
    return { ok: false, failure: asFailure(thrown) };
  }
}

/** The fake bridge, showing the scenario of that name. */
export function fakeBridge(scenario: string): Bridge {
  const recorded = new Recorded(scenario);
  return {
    async submit(command) {
      // The real bridge never answers within the same turn of the event loop.
      await Promise.resolve();
      if (command.type === 'servers') return recorded.servers.submit(command.command);
      return attempt(() => recorded.submit(command));
    },
    async query(query) {
      // A page comes after the event that asked for it is over, as from the real program.
      if (query.type === 'items') await new Promise((done) => setTimeout(done));
      const answer = attempt(() => recorded.query(query));
      return answer.ok ? unpack(query, answer.value) : answer;
    },
    watch(conversationId, onFrames) {
      recorded.watch(conversationId, onFrames);
      return () => recorded.watchers.delete(conversationId);
    },
    notice: (target, onNoticed) => noticedIn(scenario, target, onNoticed),
    pickFolder: async () => {
      if (scenario === 'copied') return '/projects/notes copy';
      return scenario === 'moved' ? '/projects/audit moved' : '/projects';
    },
    pickPackage: async () =>
      scenario === 'broken' ? '/downloads/broken.bmad' : '/downloads/story.bmad',
    pickPackageFolder: async () => '/writing/story',
    pickServers: async () => '/elsewhere/mcp.json',
    pickSave: async (name) => `/exports/${name}`,
    async openLink(url) {
      recorded.servers.opened();
      window.open(url, '_blank', 'noopener');
    },
    onPackagesDropped: () => () => undefined,
  };
}
