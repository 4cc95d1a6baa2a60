import { MessagesSquare } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ConversationSummary, DraftPlace } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Empty } from '../kit/empty';
import { useStateOf } from '../kit/use-state-of';
import { acted, say, stop } from '../state/actions';
import { draftAt, keepDraft, queueWords } from '../state/drafts';
import { openFile } from '../state/files';
import { filesLike } from '../state/mentions';
import { nothing } from '../state/reduce';
import {
  agentOf,
  canEnd,
  demoEnd,
  dockedQuestion,
  packageOf,
  phaseOf,
  stoppedByModel,
  summaryOf,
} from '../state/select';
import { type Queued, useApp, useView } from '../state/store';
import { objectOf, verbOf } from '../widgets/change';
import { Composer } from '../widgets/composer';
import { isApproval } from '../widgets/confirmation';
import { FilesContext } from '../widgets/file-link';
import { Bars } from './bars';
import { ContextMeter } from './context-meter';
import { ConversationMenu, DeleteDialog } from './conversation-menu';
import { Dock } from './dock';
import { EndRunDialog } from './end-run';
import { GrantsMenu } from './grants';
import { InspectorToggle, PanelToggle } from './header-toggles';
import { type ListSize, MessageList } from './message-list';
import { DemoEnd } from './own-model';
import { PhaseBadge, phaseKey } from './phase-badge';
import { nameIt } from './shortcuts';
import { StateEditLine } from './state-edit';
import { StepsTooLong } from './steps-too-long';
import { TaskBar, TaskHeader } from './task';

/** What can be done with the open conversation and its run. */
function HeaderMenu({ summary }: { summary: ConversationSummary }) {
  const app = useApp();
  const { conversationId } = summary;
  const [asking, setAsking] = useStateOf<'delete' | 'end' | null>(conversationId, null);
  const endable = useView((v) => canEnd(v.conversation));
  const close = () => setAsking(null);
  return (
    <>
      <ConversationMenu
        conversation={summary}
        testId="conversation-header-menu"
        onRename={() => nameIt(app, conversationId)}
        onDelete={() => setAsking('delete')}
        onEnd={endable ? () => setAsking('end') : undefined}
      />
      {asking === 'delete' && <DeleteDialog conversation={summary} onClose={close} />}
      {asking === 'end' && <EndRunDialog onClose={close} />}
    </>
  );
}

function Header() {
  const { t } = useWords();
  const run = useView((v) => v.conversation.status?.run ?? null);
  const summary = useView((v) => summaryOf(v, v.conversationId));
  const packages = useView((v) => v.packages);
  const modelStopped = useView((v) => stoppedByModel(v.conversation));
  const pack = packages?.find((p) => p.packageId === run?.packageId);
  const workflow = pack?.workflows.find((w) => w.id === run?.workflowId);
  const agent = agentOf(packages ?? [], run?.packageId, run?.activeAgentId);
  return (
    <header className="conversation-header">
      <PanelToggle />
      <div className="titles">
        <h1 className="clip">
          {visible(summary?.title ?? workflow?.displayName ?? t('conversation.label'))}
        </h1>
        <p className="clip">
          {visible(
            [
              [workflow?.displayName ?? run?.packageId, pack?.version].filter(Boolean).join(' '),
              agent && `${agent.icon} ${agent.name}`,
            ]
              .filter(Boolean)
              .join(' · '),
          )}
        </p>
      </div>
      {run && <PhaseBadge phase={run.phase} reason={run.reason} byModel={modelStopped} />}
      <ContextMeter />
      <GrantsMenu />
      {summary && <HeaderMenu summary={summary} />}
      <InspectorToggle />
    </header>
  );
}

/** Tells screen readers what is new: whole messages, waiting questions, and the phase. */
function LiveRegion() {
  const { t, lang, change } = useWords();
  // What was read ahead is not told: what is followed is.
  const followed = useView((v) => (v.isAhead ? nothing : v.conversation));
  const phase = phaseOf(followed);
  const reason = followed.status?.run?.reason;
  const last = followed.items.at(-1);
  // By name: an id is no word to be read out.
  const spoken = useView((v) => {
    const body = v.conversation.items.at(-1)?.body;
    const agent = body?.type === 'message' ? body.agent : undefined;
    return agentOf(v.packages ?? [], packageOf(v), agent)?.name ?? agent;
  });
  // The one that can be answered, which need not be what came last.
  const asked = useView((v) => (v.isAhead ? undefined : dockedQuestion(v.conversation, v.taken)));
  const [words, setWords] = useState('');
  const known = useRef({ phase, id: last?.id, asked: asked?.id });
  useEffect(() => {
    const before = known.current;
    const body = last?.body;
    if (body?.type === 'message' && body.streaming) return;
    known.current = { phase, id: last?.id, asked: asked?.id };
    const texts: string[] = [];
    if (last && last.id !== before.id && body?.type === 'message' && body.by === 'assistant') {
      texts.push(t('conversation.new.message', { name: spoken ?? t('message.assistant') }));
    }
    if (asked && asked.id !== before.asked) {
      const { change, widget } = asked.body;
      const message =
        change && isApproval(change)
          ? `${t(verbOf(change))} ${visible(objectOf(change, t))}${t('decide.mark')}`
          : widget.message;
      texts.push(t('conversation.new.question', { message }));
    }
    if (last && last.id !== before.id && body?.type === 'decision') {
      const { status, said, user_summary } = body.decision;
      // The model goes on by itself: nothing for the person to hear of.
      if (status !== 'continue') texts.push(change(said ? [said] : [], user_summary));
    }
    if (phase && phase !== before.phase) {
      texts.push(t('phase.announce', { phase: t(phaseKey(phase, reason)) }));
    }
    if (texts.length > 0) setWords(texts.join(lang === 'zh' ? '。' : '. '));
  }, [phase, reason, last, asked, spoken, t, lang, change]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="live-region">
      {words}
    </div>
  );
}

function Writing({ conversationId }: { conversationId: string }) {
  const app = useApp();
  // Words that were written ahead are sent by what is followed, not by what was read ahead.
  const phase = useView((v) => (v.isAhead ? null : phaseOf(v.conversation)));
  const waiting = useView((v) => v.conversation.status?.waitingWidget != null);
  const stopping = useView((v) => v.busy.has('stop'));
  const demoOver = useView((v) => demoEnd(v.conversation) !== null);
  const notAccepted = useView((v) => v.conversation.status?.run?.reason === 'not_accepted');
  const reason = useView((v) => v.conversation.status?.run?.reason);
  const queued = useView((v) => v.queued.get(conversationId) ?? null);
  const onQueue = useCallback(
    (next: Queued | null) => queueWords(app, conversationId, next),
    [app, conversationId],
  );
  const turns = useView((v) => v.turns);
  const toWrite = useView((v) => v.toWrite);
  const place: DraftPlace = { type: 'composer', conversationId };
  const draft = draftAt(app, place);
  return (
    <Composer
      phase={phase}
      reason={reason}
      queued={queued}
      onQueue={onQueue}
      waiting={waiting}
      stopping={stopping}
      turns={turns}
      demoOver={demoOver}
      notAccepted={notAccepted}
      draft={typeof draft === 'string' ? draft : ''}
      onDraft={(text) => keepDraft(app, place, text)}
      onSend={async (text) => {
        const taken = await say(app, text);
        // What was written meanwhile, here or on the way elsewhere, is the next draft.
        const kept = draftAt(app, place);
        const written = typeof kept === 'string' && kept.trim() !== text ? kept : '';
        if (taken && !written) keepDraft(app, place, '');
        // Words that were refused are nowhere else.
        if (!taken) keepDraft(app, place, written ? `${text}\n${written}` : text);
        return taken;
      }}
      onAct={() => acted(app)}
      onStop={() => void stop(app)}
      onFiles={(matching) => filesLike(app, conversationId, matching)}
      toWrite={toWrite}
      onWritten={() => app.store.setState({ toWrite: null })}
    />
  );
}

/** A conversation, of a run or of a sub-agent: what was said and done, and where the person writes. */
export function Conversation() {
  const app = useApp();
  const { t } = useWords();
  const snapshot = useView((v) => v.snapshot);
  const files = useMemo(() => {
    const changes = snapshot?.ok ? snapshot.value.changes : [];
    return {
      changed: new Set(changes.map((it) => it.path)),
      open: (path: string) => void openFile(app, path),
    };
  }, [app, snapshot]);
  const conversationId = useView((v) => v.conversationId);
  const task = useView((v) => v.task);
  const size = useRef<ListSize>({ width: 0, height: 0 });
  if (!conversationId) {
    return (
      <div className="conversation">
        <Empty
          icon={MessagesSquare}
          title={t('conversation.none')}
          hint={t('conversation.none.hint')}
        />
      </div>
    );
  }
  return (
    <section className="conversation" aria-label={t('conversation.label')}>
      {task ? <TaskHeader task={task} /> : <Header />}
      <FilesContext.Provider value={files}>
        <MessageList key={conversationId} size={size} />
      </FilesContext.Provider>
      <LiveRegion />
      <div className="composer-slot">
        <Bars />
        <StepsTooLong />
        <StateEditLine />
        <DemoEnd />
        <Dock key={`dock ${conversationId}`} />
        {task ? (
          <TaskBar task={task} />
        ) : (
          <Writing key={conversationId} conversationId={conversationId} />
        )}
      </div>
    </section>
  );
}
