import { ChevronDown, MessageCircle, Waypoints } from 'lucide-react';
import { useId } from 'react';
import type { Mode } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { useStateOf } from '../kit/use-state-of';
import { phaseOf } from '../state/select';
import { agentWith, isSamePartner, partnerOf } from '../state/standing';
import { useApp, useView } from '../state/store';
import { talkWith } from '../state/talk';
import { partnerName } from './partner';
import { TalkPicker } from './talk-picker';

/** What the run of the open conversation is called; null while it has none. */
export function useRunName(): string | null {
  const run = useView((v) => v.conversation.status?.run ?? null);
  const packages = useView((v) => v.packages);
  if (!run) return null;
  const pack = packages?.find((p) => p.packageId === run.packageId);
  const workflow = pack?.workflows.find((w) => w.id === run.workflowId);
  return workflow?.displayName ?? pack?.name ?? run.packageId;
}

/** The sign of who is talked with. */
function Sign({ partner }: { partner: Mode }) {
  const agent = useView((v) => agentWith(v.packages, partner));
  if (agent) {
    return (
      <span className="agent-sign" aria-hidden>
        {visible(agent.icon)}
      </span>
    );
  }
  const Icon = partner.mode === 'run' ? Waypoints : MessageCircle;
  return <Icon size={14} aria-hidden />;
}

/** With whom the person talks in the open conversation, and the way to somebody else. */
export function TalkSwitch() {
  const app = useApp();
  const words = useWords();
  const { t } = words;
  const reasonId = useId();
  const conversationId = useView((v) => v.conversationId);
  const [isOpen, setOpen] = useStateOf(conversationId, false);
  const partner = useView((v) => partnerOf(v.conversation));
  const packages = useView((v) => v.packages);
  const run = useRunName();
  const working = useView((v) => phaseOf(v.conversation) === 'running');
  const busy = useView((v) => v.busy.has('talk'));
  const name = partner.mode === 'run' ? (run ?? '') : partnerName(packages, partner, words);
  const why = working ? t('talk.later') : undefined;
  const take = (next: Mode) => {
    setOpen(false);
    if (!isSamePartner(partner, next)) void talkWith(app, next);
  };
  return (
    <>
      <button
        type="button"
        className="talk-switch"
        aria-label={t('talk.switch', { name })}
        aria-haspopup="dialog"
        aria-disabled={working || busy || undefined}
        aria-describedby={why && reasonId}
        title={why ?? t('talk.switch', { name })}
        data-mode={partner.mode}
        data-testid="talk-switch"
        onClick={() => !working && !busy && setOpen(true)}
      >
        <Sign partner={partner} />
        <span className="clip">{visible(name)}</span>
        <ChevronDown size={13} aria-hidden />
      </button>
      {why && (
        <span id={reasonId} className="visually-hidden">
          {why}
        </span>
      )}
      {isOpen && !working && (
        <TalkPicker
          title={t('talk.with')}
          run={run}
          now={partner}
          onTake={take}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
