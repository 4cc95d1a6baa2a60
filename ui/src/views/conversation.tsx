import { MessagesSquare } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ConversationSummary } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Empty } from '../kit/empty';
import { useStateOf } from '../kit/use-state-of';
import { openFile } from '../state/files';
import { nothing } from '../state/reduce';
import { canEnd, dockedQuestion, phaseOf, stoppedByModel, summaryOf } from '../state/select';
import { agentOf, agentWith, partnerOf, speakerIn, standingOf } from '../state/standing';
import { useApp, useView } from '../state/store';
import { objectOf, verbOf } from '../widgets/change';
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
import { packageName, useTitleIn } from './partner';
import { PhaseBadge, phaseKey } from './phase-badge';
import { ServersNotice } from './servers-notice';
import { nameIt } from './shortcuts';
import { SkillsAtWork } from './skills-at-work';
import { SkillsMenu } from './skills-menu';
import { StateEditLine } from './state-edit';
import { StepsTooLong } from './steps-too-long';
import { TalkSwitch, useRunName } from './talk-switch';
import { TaskBar, TaskHeader } from './task';
import { Writing } from './writing';

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

/** Who works in the run, and of which package it is; of an agent the title, and of the model its name. */
function useSubtitle(): string {
  const { t } = useWords();
  const packages = useView((v) => v.packages);
  const run = useView((v) => v.conversation.status?.run ?? null);
  const partner = useView((v) => partnerOf(v.conversation));
  const model = useView((v) => v.settings?.settings.model.model);
  if (partner.mode === 'chat') return model ? t('talk.chat.model', { model }) : t('talk.chat.hint');
  if (partner.mode === 'agent') {
    const title = agentWith(packages, partner)?.title;
    return [title, packageName(packages, partner.packageId)].filter(Boolean).join(' · ');
  }
  if (!run) return '';
  const agent = agentOf(packages ?? [], run.packageId, run.activeAgentId);
  const by = agent && `${agent.icon} ${agent.name}`;
  return [packageName(packages, run.packageId), by].filter(Boolean).join(' · ');
}

/** How the conversation stands: its talk, or its run. */
function Standing() {
  const standing = useView((v) => standingOf(v.conversation.status));
  const modelStopped = useView((v) => stoppedByModel(v.conversation));
  if (!standing) return null;
  return <PhaseBadge phase={standing.phase} reason={standing.reason} byModel={modelStopped} />;
}

function Header() {
  const { t } = useWords();
  const summary = useView((v) => summaryOf(v, v.conversationId));
  const titleOf = useTitleIn();
  const run = useRunName();
  const isKnown = useView((v) => standingOf(v.conversation.status) !== null);
  const subtitle = useSubtitle();
  return (
    <header className="conversation-header">
      <PanelToggle />
      <div className="titles">
        <h1 className="clip">
          {visible(summary ? titleOf(summary) : (run ?? t('conversation.label')))}
        </h1>
        <p className="clip">{visible(subtitle)}</p>
      </div>
      {isKnown && <TalkSwitch />}
      {isKnown && <SkillsMenu />}
      <Standing />
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
  const { reason } = standingOf(followed.status) ?? {};
  const isTalk = followed.status?.talk !== undefined;
  const last = followed.items.at(-1);
  // By name: an id is no word to be read out.
  const spoken = useView((v) => {
    const body = v.conversation.items.at(-1)?.body;
    const agent = body?.type === 'message' ? body.agent : undefined;
    return speakerIn(v, agent)?.name ?? agent;
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
      const key = isTalk ? 'phase.announce.talk' : 'phase.announce';
      texts.push(t(key, { phase: t(phaseKey(phase, reason)) }));
    }
    if (texts.length > 0) setWords(texts.join(lang === 'zh' ? '。' : '. '));
  }, [phase, reason, isTalk, last, asked, spoken, t, lang, change]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="live-region">
      {words}
    </div>
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
        {!task && <ServersNotice />}
        <StepsTooLong />
        <StateEditLine />
        <DemoEnd />
        <Dock key={`dock ${conversationId}`} />
        <SkillsAtWork />
        {task ? (
          <TaskBar task={task} />
        ) : (
          <Writing key={conversationId} conversationId={conversationId} />
        )}
      </div>
    </section>
  );
}
