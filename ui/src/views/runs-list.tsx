import { MessagesSquare, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ConversationSummary } from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import { Button, IconButton } from '../kit/button';
import { Empty } from '../kit/empty';
import { needsPerson } from '../state/active';
import { loadMoreConversations } from '../state/list';
import { useApp, useView } from '../state/store';
import { ConversationRow, useRowContext } from './conversation-row';
import { HooksLine } from './hooks';
import { SearchResults } from './search-results';

/** Conversations that have something in common. */
interface Group {
  id: string;
  title: string;
  of: readonly ConversationSummary[];
  /** How many there are is told beside the title. */
  showsCount?: boolean;
  /** Only the first are shown, and more on demand. */
  isCut?: boolean;
}

/** Rows of a group that are shown at first, and with each wish for more: a thousand take a second. */
const AT_ONCE = 50;
/** Those shown at first on the start page, where the projects stand below them. */
const AT_START = 8;

interface MoreProps {
  id: string;
  title: string;
  onMore: () => void;
}

/** Shows more of a group, and leads on to the first row that was not there yet. */
function MoreRows({ id, title, onMore }: MoreProps) {
  const { t } = useWords();
  const place = useRef<HTMLLIElement>(null);
  const more = () => {
    const list = place.current?.parentElement;
    const old = new Set(list?.children);
    // Before the pressed button is missed: the drawer would take the focus to itself.
    flushSync(onMore);
    let row = list?.querySelector(`[data-testid='runs-${id}']`)?.nextElementSibling;
    while (row && old.has(row)) row = row.nextElementSibling;
    row?.querySelector('button')?.focus();
  };
  return (
    <li ref={place} className="runs-more">
      <Button
        size="s"
        aria-label={t('conversations.more.of', { group: title })}
        data-testid={`more-${id}`}
        onClick={more}
      >
        {t('conversations.more')}
      </Button>
    </li>
  );
}

interface GroupsProps {
  groups: readonly Group[];
  /** How many rows of a group that is cut are shown at first. */
  first?: number;
}

/**
 * Groups of conversations, those without any left out. They are one list: a row whose conversation
 * comes to another group stays the same, with what is written or open in it. The row that is open, is
 * being named, or had the focus last is shown however many come before it: its menu or its question
 * may be open.
 */
function GroupedRows({ groups, first = AT_ONCE }: GroupsProps) {
  const { number } = useWords();
  const context = useRowContext();
  const [wished, setWished] = useState<Readonly<Record<string, number>>>({});
  const [touched, setTouched] = useState<string | null>(null);
  const mostOf = ({ id, isCut }: Group) =>
    isCut ? (wished[id] ?? first) : Number.POSITIVE_INFINITY;
  const isLookedAt = ({ conversationId: id }: ConversationSummary) =>
    id === context.current || id === context.naming || id === touched;
  return (
    <ul className="runs-groups">
      {groups
        .filter(({ of }) => of.length > 0)
        .flatMap((group) => {
          const { id, title, of, showsCount } = group;
          const most = mostOf(group);
          const shown = of.filter((one, at) => at < most || isLookedAt(one));
          const more = () => setWished({ ...wished, [id]: most + AT_ONCE });
          return [
            <li key={id} className="runs-group" data-testid={`runs-${id}`}>
              <h2>
                {title}
                {showsCount && <span className="hint">{number(of.length)}</span>}
              </h2>
            </li>,
            ...shown.map((conversation) => (
              <ConversationRow
                key={conversation.conversationId}
                conversation={conversation}
                context={context}
                onTouched={setTouched}
              />
            )),
            shown.length < of.length && (
              <MoreRows key={`more ${id}`} id={id} title={title} onMore={more} />
            ),
          ];
        })}
    </ul>
  );
}

const DAY = 24 * 60 * 60 * 1000;

/** Those of the project that neither work nor wait, by the day on which something happened last. */
function byDay(of: readonly ConversationSummary[]) {
  const today = new Date().setHours(0, 0, 0, 0);
  const since = (from: number, until: number) =>
    of.filter(({ lastActiveAt }) => {
      const at = Date.parse(lastActiveAt);
      return at >= from && at < until;
    });
  return {
    today: since(today, Number.POSITIVE_INFINITY),
    yesterday: since(today - DAY, today),
    earlier: since(Number.NEGATIVE_INFINITY, today - DAY),
  };
}

/** What needs the person and what works, of every project. */
function activeGroups(active: readonly ConversationSummary[], { t }: Words): Group[] {
  const waits = active.filter(needsPerson);
  const works = active.filter((one) => !needsPerson(one));
  return [
    { id: 'need-you', title: t('runs.needYou'), of: waits, showsCount: true, isCut: true },
    { id: 'working', title: t('runs.working'), of: works, showsCount: true, isCut: true },
  ];
}

/** The first runs of every project that wait or work; nothing while there are none. */
export function ActiveRuns() {
  const words = useWords();
  const active = useView((v) => v.active) ?? [];
  if (active.length === 0) return null;
  return <GroupedRows groups={activeGroups(active, words)} first={AT_START} />;
}

/** The active runs of every project; then the rest of this one. */
function Groups() {
  const app = useApp();
  const words = useWords();
  const { t } = words;
  const conversations = useView((v) => v.conversations);
  const active = useView((v) => v.active) ?? [];
  const more = useView((v) => v.moreConversations !== null);
  const busy = useView((v) => v.busy.has('moreConversations'));
  const project = useView((v) => v.projects?.find((it) => it.projectId === v.projectId)?.name);
  const others = new Set(active.map((one) => one.conversationId));
  const rest = byDay(conversations?.filter((one) => !others.has(one.conversationId)) ?? []);
  return (
    <>
      {conversations?.length === 0 && active.length === 0 && (
        <Empty icon={MessagesSquare} title={t('works.empty')} hint={t('works.empty.hint')} />
      )}
      <GroupedRows
        groups={[
          ...activeGroups(active, words),
          { id: 'today', title: t('runs.today'), of: rest.today },
          { id: 'yesterday', title: t('runs.yesterday'), of: rest.yesterday },
          { id: 'earlier', title: t('runs.earlier'), of: rest.earlier },
        ]}
      />
      {more && (
        <Button
          size="s"
          busy={busy}
          disabled={busy}
          aria-label={t('conversations.more.of', { group: visible(project ?? '') })}
          data-testid="more-conversations"
          onClick={() => void loadMoreConversations(app)}
        >
          {t('conversations.more')}
        </Button>
      )}
    </>
  );
}

/** Where words are looked for in the conversations of the project. */
function SearchField({ text }: { text: string }) {
  const { store } = useApp();
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const searches = useView((v) => v.searches);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that the person wants to search
  useEffect(() => field.current?.select(), [searches]);
  const set = (searchText: string | null) => store.setState({ searchText });
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
        onChange={(event) => set(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          // What the list lies in stays.
          event.stopPropagation();
          set(null);
        }}
      />
      <IconButton icon={X} label={t('search.clear')} onClick={() => set(null)} />
    </search>
  );
}

/** The runs, or what is found in them. */
export function RunsList() {
  const text = useView((v) => v.searchText);
  const words = text?.trim();
  return (
    <>
      {text !== null && <SearchField text={text} />}
      <HooksLine />
      <div className="panel-body">{words ? <SearchResults text={words} /> : <Groups />}</div>
    </>
  );
}
