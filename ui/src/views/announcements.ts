// What is told of the runs of all projects to somebody who looks elsewhere: in the title of the
// window, and by the desktop.
import { useEffect, useRef } from 'react';
import type { ConversationSummary } from '../bridge/wire';
import { useWords } from '../i18n';
import { needsPerson, newsOf } from '../state/active';
import { standingIn } from '../state/standing';
import { type App, useApp, useView } from '../state/store';
import { titleIn } from './partner';
import { phaseKey } from './phase-badge';

/** Conversations that are looked at for one that has just ended. */
const RECENT = 20;

/** Tells of a run and its project; where nothing can be told, nobody is told of that either. */
function announce(app: App, one: ConversationSummary, standing: string) {
  const { conversationId, projectId, title } = one;
  const project = app.store.getState().projects?.find((it) => it.projectId === projectId);
  const text = project ? `${standing} · ${project.name}` : standing;
  void app.bridge.submit({ type: 'announce', conversationId, title, text });
}

/** True for a run that has come to its end, and for a talk that was answered. */
function isDone({ talk, runs: [run] }: ConversationSummary): boolean {
  if (talk) return talk.reason === 'answered';
  return run?.phase === 'completed' && run.reason === 'completed';
}

/** Those that have done what they were asked for; the others were stopped, or deleted. */
async function ended(app: App, gone: readonly ConversationSummary[]) {
  const query = { type: 'conversations', projectId: null, limit: RECENT, after: null } as const;
  const recent = await app.bridge.query(query);
  if (!recent.ok) return [];
  const ids = new Set(gone.map((one) => one.conversationId));
  return recent.value.conversations.filter((one) => ids.has(one.conversationId) && isDone(one));
}

/** Says in the title how many runs wait, and tells whoever looks elsewhere of each that comes to. */
export function useAnnouncements() {
  const app = useApp();
  const words = useWords();
  const { t } = words;
  const active = useView((v) => v.active);
  const before = useRef<readonly ConversationSummary[] | null>(null);
  const waits = active?.filter(needsPerson).length ?? 0;
  useEffect(() => {
    document.title = waits > 0 ? `(${waits}) ${t('app.name')}` : t('app.name');
  }, [waits, t]);
  useEffect(() => {
    const was = before.current;
    before.current = active;
    if (!active || !was || document.hasFocus()) return;
    const { t } = words;
    const named = (one: ConversationSummary) => {
      return { ...one, title: titleIn(app.store.getState().packages, one, words) };
    };
    const { wait, gone } = newsOf(was, active);
    const tell = (all: readonly ConversationSummary[]) => {
      for (const one of all) {
        const standing = standingIn(one);
        if (standing) announce(app, named(one), t(phaseKey(standing.phase, standing.reason)));
      }
    };
    tell(wait);
    if (gone.length > 0) void ended(app, gone).then(tell);
  }, [active, app, words]);
}
