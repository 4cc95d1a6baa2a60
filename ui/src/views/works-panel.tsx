import { MessagesSquare, Plus, Search, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useWords } from '../i18n';
import { Button, IconButton } from '../kit/button';
import { Empty } from '../kit/empty';
import { newRun } from '../state/actions';
import { loadMoreConversations } from '../state/list';
import { useApp, useView } from '../state/store';
import { ConversationRow } from './conversation-row';
import { HooksLine } from './hooks';
import { SearchResults } from './search-results';

/** The conversations, a page at a time. */
function List() {
  const app = useApp();
  const { t } = useWords();
  const conversations = useView((v) => v.conversations);
  const more = useView((v) => v.moreConversations !== null);
  const busy = useView((v) => v.busy.has('moreConversations'));
  return (
    <>
      {conversations?.length === 0 && (
        <Empty icon={MessagesSquare} title={t('works.empty')} hint={t('works.empty.hint')} />
      )}
      <ul>
        {conversations?.map((conversation) => (
          <ConversationRow key={conversation.conversationId} conversation={conversation} />
        ))}
      </ul>
      {more && (
        <Button
          size="s"
          busy={busy}
          disabled={busy}
          data-testid="more-conversations"
          onClick={() => void loadMoreConversations(app)}
        >
          {t('conversations.more')}
        </Button>
      )}
    </>
  );
}

interface FieldProps {
  text: string;
  onText: (text: string) => void;
}

function SearchField({ text, onText }: FieldProps) {
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  return (
    <search className="panel-search">
      <Search size={14} aria-hidden />
      <input
        ref={field}
        className="input"
        aria-label={t('search.label')}
        placeholder={t('search.placeholder')}
        data-testid="search-field"
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) onText('');
        }}
      />
      {text && (
        <IconButton
          icon={X}
          label={t('search.clear')}
          onClick={() => {
            onText('');
            field.current?.focus();
          }}
        />
      )}
    </search>
  );
}

/** The conversations of the open project, last active first, or what was found in them. */
export function WorksPanel() {
  const app = useApp();
  const { t } = useWords();
  const [text, setText] = useState('');
  const words = text.trim();
  return (
    <aside className="panel" aria-label={t('works.label')}>
      <header>
        <h2>{t('rail.works')}</h2>
        <Button size="s" icon={Plus} data-testid="new-run" onClick={() => newRun(app)}>
          {t('works.new')}
        </Button>
      </header>
      <SearchField text={text} onText={setText} />
      <HooksLine />
      <div className="panel-body">{words ? <SearchResults text={words} /> : <List />}</div>
    </aside>
  );
}
