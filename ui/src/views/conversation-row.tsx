import { useState } from 'react';
import type { ConversationSummary } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { openConversation } from '../state/actions';
import { renameConversation } from '../state/conversations';
import { useApp, useView } from '../state/store';
import { ConversationMenu, DeleteDialog } from './conversation-menu';
import { PhaseBadge } from './phase-badge';

interface TitleProps {
  conversation: ConversationSummary;
  onDone: () => void;
}

/** The title as a field. Enter keeps it, Esc does not; an empty one brings the old title back. */
function TitleField({ conversation, onDone }: TitleProps) {
  const app = useApp();
  const { t } = useWords();
  const [title, setTitle] = useState(conversation.title);
  const keep = () => {
    if (title !== conversation.title) {
      void renameConversation(app, conversation.conversationId, title);
    }
    onDone();
  };
  return (
    <input
      className="input rename"
      aria-label={t('conversations.rename.label')}
      placeholder={conversation.generatedTitle}
      data-testid="rename-field"
      value={title}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') {
          event.stopPropagation();
          onDone();
        }
      }}
    />
  );
}

/** A conversation in the list: open it, name it, save it, delete it. */
export function ConversationRow({ conversation }: { conversation: ConversationSummary }) {
  const app = useApp();
  const { t, date } = useWords();
  const { conversationId, title } = conversation;
  const naming = useView((v) => v.naming === conversationId);
  const [deleting, setDeleting] = useState(false);
  // A sub-agent's conversation is a part of the one that asked for it.
  const current = useView(
    (v) => !v.startingRun && (v.task?.parent ?? v.conversationId) === conversationId,
  );
  const run = conversation.runs[0];
  const workflow = useView((v) => {
    const pack = v.packages?.find((p) => p.packageId === run?.packageId);
    const found = pack?.workflows.find((it) => it.id === run?.workflowId);
    return found?.displayName ?? pack?.name ?? run?.packageId;
  });
  return (
    <li className="conversation-row" data-current={current ? 'true' : undefined}>
      {naming ? (
        <TitleField
          conversation={conversation}
          onDone={() => app.store.setState({ naming: null })}
        />
      ) : (
        <button
          type="button"
          className="row"
          data-testid="run-row"
          data-run-id={run?.runId}
          aria-current={current ? 'true' : undefined}
          onClick={() => openConversation(app, conversationId)}
        >
          <span className="row-top">
            <strong className="clip">{visible(title)}</strong>
            <span className="when">{date(conversation.lastActiveAt)}</span>
          </span>
          <span className="row-bottom">
            <span className="clip">{visible(workflow ?? t('conversations.chat'))}</span>
            {run && <PhaseBadge phase={run.phase} reason={run.reason} small />}
          </span>
        </button>
      )}
      <ConversationMenu
        conversation={conversation}
        testId="conversation-menu"
        onRename={() => app.store.setState({ naming: conversationId })}
        onDelete={() => setDeleting(true)}
      />
      {deleting && <DeleteDialog conversation={conversation} onClose={() => setDeleting(false)} />}
    </li>
  );
}
