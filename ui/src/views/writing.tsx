import { useCallback, useEffect, useMemo } from 'react';
import type { DraftPlace, MenuLine, Mode } from '../bridge/wire';
import { useWords } from '../i18n';
import { focusHome, isElsewhere } from '../kit/focus';
import { useStateOf } from '../kit/use-state-of';
import { acted, say, stop } from '../state/actions';
import { draftAt, keepDraft, queueWords } from '../state/drafts';
import { filesLike } from '../state/mentions';
import { demoEnd, phaseOf } from '../state/select';
import { loadServers } from '../state/servers';
import { callableIn } from '../state/slash';
import { agentWith, menuOf, partnerOf, reasonOf } from '../state/standing';
import { type App, type Queued, useApp, useView } from '../state/store';
import { closeRows } from '../state/talk';
import { Commands, calling, labelOf } from '../widgets/commands';
import { Composer } from '../widgets/composer';
import { MenuRows } from '../widgets/menu-rows';

/** What tells one who is talked with from another. */
const keyOf = (partner: Mode) => JSON.stringify(partner);

/** What an agent is called who is talked with; nothing for the run and the model alone. */
const useAgentName = () =>
  useView((v) => {
    const partner = partnerOf(v.conversation);
    if (partner.mode !== 'agent') return null;
    return agentWith(v.packages, partner)?.name ?? partner.agentId;
  });

/** Rows of the agent's menu that the person chooses from; nothing was said until they have. */
function Rows() {
  const app = useApp();
  const { t } = useWords();
  const routed = useView((v) => v.routed);
  const name = useAgentName() ?? t('conversations.chat');
  const working = useView((v) => phaseOf(v.conversation) === 'running');
  const isOpen = routed !== null;
  // From where one writes, too.
  useEffect(() => {
    if (!isOpen) return;
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (isElsewhere(event.target)) return;
      event.preventDefault();
      closeRows(app);
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, [app, isOpen]);
  if (!routed) return null;
  return (
    <MenuRows
      kind={routed.kind}
      name={name}
      rows={routed.rows}
      disabled={working}
      onChoose={({ number }) => {
        // The row that had the focus goes with the others.
        focusHome()?.focus();
        acted(app);
        // What stood below the words that were not clear goes along.
        const [, ...details] = routed.words.trim().split('\n');
        void say(app, [String(number), ...details].join('\n'));
      }}
      onClose={() => closeRows(app)}
    />
  );
}

interface CommandsProps {
  chosen: MenuLine | null;
  onChoose: (item: MenuLine | null) => void;
}

/** The commands of the agent that is talked with, while nothing else is to be answered. */
function AgentCommands({ chosen, onChoose }: CommandsProps) {
  const items = useView(menuOf);
  const name = useAgentName();
  const isAsked = useView((v) => v.routed !== null || v.taken !== null);
  const waits = useView((v) => v.conversation.status?.waitingWidget != null);
  if (items.length === 0 || name === null || isAsked || waits) return null;
  return (
    <Commands
      name={name}
      items={items}
      chosen={chosen?.number ?? null}
      onChoose={(item) => {
        onChoose(item.number === chosen?.number ? null : item);
        focusHome()?.focus();
      }}
    />
  );
}

/** Sends what was written, and keeps what was not taken. */
async function send(app: App, place: DraftPlace, text: string, whole: string): Promise<boolean> {
  const taken = await say(app, whole);
  // What was written meanwhile, here or on the way elsewhere, is the next draft.
  const kept = draftAt(app, place);
  const written = typeof kept === 'string' && kept.trim() !== text ? kept : '';
  if (taken && !written) keepDraft(app, place, '');
  // Words that were refused are nowhere else.
  if (!taken) keepDraft(app, place, written ? `${text}\n${written}` : text);
  return taken;
}

/** What of the open conversation decides what can be written now. */
function useTurn() {
  return {
    // Words that were written ahead are sent by what is followed, not by what was read ahead.
    phase: useView((v) => (v.isAhead ? null : phaseOf(v.conversation))),
    reason: useView((v) => reasonOf(v.conversation)),
    waiting: useView((v) => v.conversation.status?.waitingWidget != null),
    stopping: useView((v) => v.busy.has('stop')),
    demoOver: useView((v) => demoEnd(v.conversation) !== null),
    notAccepted: useView((v) => reasonOf(v.conversation) === 'not_accepted'),
    turns: useView((v) => v.turns),
    toWrite: useView((v) => v.toWrite),
  };
}

/** What can be called from where one writes. */
function useCallable() {
  const servers = useView((v) => v.servers);
  const isOn = useView((v) => v.settings?.settings.tools.mcpEnabled ?? false);
  return useMemo(() => callableIn(servers, isOn), [servers, isOn]);
}

/** Where the person writes, and what an agent that is talked with can be asked to do. */
export function Writing({ conversationId }: { conversationId: string }) {
  const app = useApp();
  const turn = useTurn();
  const queued = useView((v) => v.queued.get(conversationId) ?? null);
  const onQueue = useCallback(
    (next: Queued | null) => queueWords(app, conversationId, next),
    [app, conversationId],
  );
  const partner = useView((v) => partnerOf(v.conversation));
  const agent = useAgentName();
  const callable = useCallable();
  const [command, setCommand] = useStateOf<MenuLine | null>(keyOf(partner), null);
  const place: DraftPlace = { type: 'composer', conversationId };
  const draft = draftAt(app, place);
  return (
    <>
      <Rows />
      <AgentCommands chosen={command} onChoose={setCommand} />
      <Composer
        {...turn}
        partner={partner.mode === 'run' ? null : { name: agent }}
        queued={queued}
        onQueue={onQueue}
        command={command && labelOf(command)}
        onNoCommand={() => setCommand(null)}
        draft={typeof draft === 'string' ? draft : ''}
        onDraft={(text) => keepDraft(app, place, text)}
        onSend={async (text) => {
          setCommand(null);
          const taken = await send(app, place, text, command ? calling(command, text) : text);
          if (!taken) setCommand(command);
          return taken;
        }}
        onAct={() => acted(app)}
        onStop={() => void stop(app)}
        onFiles={(matching) => filesLike(app, conversationId, matching)}
        callable={callable}
        onCall={() => void loadServers(app)}
        onWritten={() => app.store.setState({ toWrite: null })}
      />
    </>
  );
}
