import { useState } from 'react';
import { miaMenu, theoMenu } from '../bridge/fake/menus';
import { MIA, talkScene } from '../bridge/fake/talks';
import type { ConversationSummary, MenuLine, Mode, Phase, Reason } from '../bridge/wire';
import { ConversationRow, useRowContext } from '../views/conversation-row';
import { TalkSwitch } from '../views/talk-switch';
import { Commands } from '../widgets/commands';
import { Composer } from '../widgets/composer';
import { MenuRows } from '../widgets/menu-rows';
import { each, type Section } from './sections';
import { Stage, sceneOf } from './stage';

/** Commands of which one can be chosen. */
function Chooser({ items, first = null }: { items: readonly MenuLine[]; first?: number | null }) {
  const [chosen, setChosen] = useState(first);
  return (
    <Commands
      name="Mia"
      items={items}
      chosen={chosen}
      onChoose={({ number }) => setChosen(number)}
    />
  );
}

const rows = (kind: 'menu' | 'choice', of: readonly MenuLine[], disabled = false) => (
  <MenuRows
    kind={kind}
    name="Mia"
    rows={of}
    disabled={disabled}
    onChoose={() => undefined}
    onClose={() => undefined}
  />
);

const composer = (name: string | null, phase: Phase, command?: string) => (
  <Composer
    phase={phase}
    waiting={false}
    stopping={false}
    partner={{ name }}
    command={command}
    onSend={async () => true}
    onStop={() => undefined}
  />
);

/** A talk in the list. */
function RowOf({ partner, phase, reason }: { partner: Mode; phase: Phase; reason?: Reason }) {
  const context = useRowContext();
  const talk = { with: partner, phase, reason: reason ?? null };
  const conversation: ConversationSummary = {
    conversationId: 'c-talk',
    projectId: 'p-notes',
    title: partner.mode === 'chat' ? 'What is a user story good for?' : '',
    generatedTitle: '',
    customTitle: null,
    mode: partner.mode,
    talk,
    runs: [],
    messageCount: 2,
    createdAt: '2026-11-21T09:00:00.000Z',
    lastActiveAt: '2026-11-21T09:00:00.000Z',
  };
  return (
    <ul>
      <ConversationRow conversation={conversation} context={context} />
    </ul>
  );
}

const row = (props: Parameters<typeof RowOf>[0]) => (
  <Stage scene={sceneOf('running')}>
    <RowOf {...props} />
  </Stage>
);

const CHAT: Mode = { mode: 'chat' };

const talkSwitch = (scene: Parameters<typeof Stage>[0]['scene']) => (
  <Stage scene={scene}>
    <TalkSwitch />
  </Stage>
);

/** Talking with somebody else than a run. */
export const talks: readonly Section[] = [
  {
    name: 'TalkSwitch',
    of: [TalkSwitch],
    entries: each({
      run: talkSwitch(sceneOf('completed')),
      agent: talkSwitch(talkScene('agent')),
      chat: talkSwitch(talkScene('chat')),
      working: talkSwitch(sceneOf('chat-beside-run')),
    }),
  },
  {
    name: 'Commands',
    of: [Commands],
    place: 'dock',
    entries: each({
      few: <Chooser items={miaMenu} />,
      chosen: <Chooser items={miaMenu} first={1} />,
      many: <Chooser items={theoMenu} />,
    }),
  },
  {
    name: 'MenuRows',
    of: [MenuRows],
    place: 'dock',
    entries: each({
      menu: rows('menu', miaMenu),
      choice: rows('choice', miaMenu.slice(0, 2)),
      many: rows('menu', theoMenu),
      working: rows('choice', miaMenu.slice(0, 2), true),
    }),
  },
  {
    name: 'ComposerTalk',
    of: [Composer],
    place: 'dock',
    entries: each({
      agent: composer('Mia', 'waiting-user'),
      chat: composer(null, 'waiting-user'),
      command: composer('Mia', 'waiting-user', 'create-story'),
      working: composer('Mia', 'running'),
      answering: composer(null, 'running'),
      failed: composer(null, 'failed'),
    }),
  },
  {
    name: 'TalkRow',
    of: [ConversationRow],
    place: 'sidebar',
    entries: each({
      chat: row({ partner: CHAT, phase: 'waiting-user', reason: 'answered' }),
      'chat working': row({ partner: CHAT, phase: 'running' }),
      agent: row({ partner: MIA, phase: 'idle' }),
      'agent not installed': row({
        partner: { mode: 'agent', packageId: 'gone-1.0.0', agentId: 'bob' },
        phase: 'waiting-user',
        reason: 'answered',
      }),
    }),
  },
];
