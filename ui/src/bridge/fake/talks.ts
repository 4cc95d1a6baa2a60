// Conversations with somebody else than a run, recorded and begun: an agent of a package, or the model
// alone. An agent's menu takes words as the program does, in so far as the window is shown by it.
import type {
  Command,
  ConversationSummary,
  Frame,
  MenuLine,
  Mode,
  Phase,
  Reason,
  Receipt,
  Routed,
  Status,
  TalkView,
} from '../wire';
import { at, packages } from './data';
import { item, type Scene, says, status, user } from './pieces';
import { refuse } from './refusals';
import { endedWithSpeaker } from './skills';

const story = packages[0]?.packageId ?? '';

/** The agents that the scenarios talk with. */
export const MIA: Mode = { mode: 'agent', packageId: story, agentId: 'sm' };
const THEO: Mode = { mode: 'agent', packageId: story, agentId: 'dev' };
const CHAT: Mode = { mode: 'chat' };

/** Where a conversation without a run stands. */
function talking(partner: Mode, phase: Phase, reason: Reason | null = null): Status {
  const of = status(phase, 0, {}, reason);
  const talk: TalkView = { with: partner, phase, reason };
  return { ...of, run: null, steps: [], talk };
}

/** Whose move it is by now: of who is talked with, or of the run. */
export function movedTo(scene: Scene, phase: Phase, done: number, reason: Reason | null = null) {
  const { talk } = scene.status;
  const { skills } = scene.status;
  if (!talk) return status(phase, done, { skills }, reason);
  return { ...scene.status, talk: { ...talk, phase, reason } };
}

const asked = () => user('What is a user story good for? In three sentences, please.');

const chatWords = () =>
  says(
    'It says **who** wants something, **what** they want and **why**, in words that everybody in the room understands. It is small enough to be talked through and finished within days. And because it names a benefit, you can tell afterwards whether it was worth it.',
    { agent: undefined },
  );

const miaWords = () =>
  says(
    'Hello! I can write a story with you, cut a large one, or go through the checklist of one that is there. What shall it be?',
  );

/** A run that waits while somebody else is talked with. */
function besideRun(): Scene {
  const run = status('waiting-user', 2, {}, 'answered');
  const chosen = item({
    type: 'notice',
    kind: 'chat_chosen',
    parts: [{ key: 'talks_with_the_model', values: {} }],
    canResume: false,
  });
  return {
    items: [user('Mostly people in sales and support.'), says('Thank you.'), chosen, asked()],
    status: { ...run, talk: { with: CHAT, phase: 'running', reason: null } },
  };
}

/** What was asked of a model that did not answer. */
const failed = (): Scene => ({
  items: [
    asked(),
    item({
      type: 'notice',
      kind: 'model_error',
      failure: {
        code: 'LLM_UNREACHABLE',
        message: 'no connection to 127.0.0.1:11434 in time',
        said: { key: 'no_connection', values: { host: '127.0.0.1:11434' } },
      },
      canResume: true,
    }),
  ],
  status: talking(CHAT, 'waiting-user', 'failed'),
});

interface Recorded {
  partner: Mode;
  title: string;
  scene: () => Scene;
}

/** The recorded talks, by the scenario that begins with them. */
const recorded: Record<string, Recorded> = {
  chat: {
    partner: CHAT,
    title: 'What is a user story good for?',
    scene: () => ({
      items: [asked(), chatWords()],
      status: talking(CHAT, 'waiting-user', 'answered'),
    }),
  },
  'chat-working': {
    partner: CHAT,
    title: 'What is a user story good for?',
    scene: () => ({ items: [asked()], status: talking(CHAT, 'running') }),
  },
  'chat-failed': {
    partner: CHAT,
    title: 'What is a user story good for?',
    scene: failed,
  },
  agent: {
    partner: MIA,
    title: '',
    scene: () => ({
      items: [user('Hello Mia'), miaWords()],
      status: talking(MIA, 'waiting-user', 'answered'),
    }),
  },
  'agent-many': {
    partner: THEO,
    title: 'The small fixes',
    scene: () => ({
      items: [
        user('What is left?'),
        says('Two small fixes, and the words of one failure.', { agent: 'dev' }),
      ],
      status: talking(THEO, 'waiting-user', 'answered'),
    }),
  },
};

/** The recorded talk of a scenario. */
export function talkScene(scenario: string): Scene {
  const found = recorded[scenario];
  if (!found) throw new Error(`There is no talk ${scenario}.`);
  return found.scene();
}

/** The scenes in which a talk is shown; in one of them a run waits meanwhile. */
export const talkScenes: Record<string, () => Scene> = {
  'chat-beside-run': besideRun,
};

const menuOf = (partner: Mode): MenuLine[] =>
  partner.mode === 'agent'
    ? (packages
        .find(({ packageId }) => packageId === partner.packageId)
        ?.agents.find(({ id }) => id === partner.agentId)?.menu ?? [])
    : [];

/** What the menu makes of words: its rows, those that may be meant, or nothing but words. */
export function routedBy(partner: Mode, words: string): Routed {
  const menu = menuOf(partner);
  const called = (words.split('\n')[0] ?? '').trim().toLowerCase();
  if (called === '*menu' || called === '/menu') return { kind: 'menu', items: menu };
  if (/^\d+$/.test(called)) {
    const isRow = menu.some(({ number }) => String(number) === called);
    return isRow ? { kind: 'said' } : { kind: 'choice', items: menu };
  }
  if (menu.some(({ trigger }) => trigger === called)) return { kind: 'said' };
  const meant = menu.filter(({ trigger }) => called !== '' && trigger?.startsWith(called));
  return meant.length > 1 ? { kind: 'choice', items: meant } : { kind: 'said' };
}

const chosen = (partner: Mode): Frame => {
  const named = partner.mode === 'agent' && partner.agentId === 'sm' ? 'Mia' : 'Theo';
  const notices = {
    run: { kind: 'run_chosen', key: 'goes_on_with_the_run', values: {} },
    chat: { kind: 'chat_chosen', key: 'talks_with_the_model', values: {} },
    agent: { kind: 'agent_chosen', key: 'talks_with', values: { agent: named } },
  } as const;
  const { kind, key, values } = notices[partner.mode];
  const body = { type: 'notice', kind, parts: [{ key, values }], canResume: false } as const;
  return { type: 'upsert', item: item({ ...body, parts: [...body.parts] }) };
};

/** Talks with somebody else from now on. */
export function turnedTo(scene: Scene, partner: Mode): Frame[] {
  const { status: now } = scene;
  const { talk: _, skills: __, ...rest } = now;
  const ends = endedWithSpeaker(scene);
  if (partner.mode === 'run') {
    if (!now.run) return refuse('NOT_NOW', 'the conversation has no run');
    return [chosen(partner), ...ends, { type: 'status', status: rest }];
  }
  const talk: TalkView = { with: partner, phase: 'idle', reason: null };
  return [chosen(partner), ...ends, { type: 'status', status: { ...rest, talk } }];
}

/** The talks that there are, and their words. */
export class Talks {
  private list: ConversationSummary[] = [];
  private scenes = new Map<string, Scene>();

  constructor(scenario: string) {
    const begins = recorded[scenario];
    if (begins) this.add(`c-${scenario}`, 'p-notes', begins.partner, begins.title, begins.scene());
  }

  private add(id: string, projectId: string, partner: Mode, title: string, scene: Scene) {
    this.scenes.set(id, scene);
    this.list.unshift({
      conversationId: id,
      projectId,
      title,
      generatedTitle: title,
      customTitle: null,
      mode: partner.mode,
      talk: scene.status.talk,
      runs: [],
      messageCount: scene.items.length,
      createdAt: at(10),
      lastActiveAt: at(10),
    });
  }

  has = (conversationId: string) => this.scenes.has(conversationId);
  scene = (conversationId: string) => this.scenes.get(conversationId);

  begin(command: Extract<Command, { type: 'beginConversation' }>): Receipt {
    const { projectId, with: partner, input } = command;
    if (partner.mode === 'run') refuse('BAD_REQUEST', 'the conversation has no run');
    const id = `c-talk-${this.list.length + 1}`;
    const items = input ? [user(input)] : [];
    const phase = input ? 'running' : 'idle';
    this.add(id, projectId, partner, input ?? '', { items, status: talking(partner, phase) });
    return { projectId, conversationId: id };
  }

  delete(gone: (one: { conversationId: string; projectId: string }) => boolean) {
    const isBusy = (one: ConversationSummary) =>
      this.scenes.get(one.conversationId)?.status.talk?.phase === 'running';
    if (this.list.some((one) => gone(one) && isBusy(one)))
      refuse('RUN_BUSY', 'somebody works on it');
    for (const one of this.list.filter(gone)) this.scenes.delete(one.conversationId);
    this.list = this.list.filter((one) => !gone(one));
  }

  /** The talks before the runs, each as its words say that it stands. */
  among(
    runs: readonly ConversationSummary[],
    titles: ReadonlyMap<string, string>,
    sceneOf: (conversationId: string) => Scene,
  ): ConversationSummary[] {
    const own = this.list.map((one) => {
      const customTitle = titles.get(one.conversationId) || null;
      const { talk } = sceneOf(one.conversationId).status;
      const messageCount = sceneOf(one.conversationId).items.length;
      return { ...one, customTitle, title: customTitle ?? one.generatedTitle, talk, messageCount };
    });
    const beside = runs.map((one): ConversationSummary => {
      const { talk } = sceneOf(one.conversationId).status;
      return talk ? { ...one, mode: talk.with.mode, talk } : one;
    });
    return [...own, ...beside];
  }
}
