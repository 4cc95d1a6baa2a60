import { LoaderCircle, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { MoreHits, SearchHit, SearchPage } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { openAt, search, searchIn } from '../state/conversations';
import { useApp } from '../state/store';
import { ConversationRow, useRowContext } from './conversation-row';

/** Milliseconds without a key before the words are looked for. */
const PAUSE = 200;

/** What was found for a text; null while it is being looked for. */
function useFound(text: string) {
  const app = useApp();
  const [page, setPage] = useState<SearchPage | null>(null);
  const asked = useRef(0);
  useEffect(() => {
    const ticket = ++asked.current;
    setPage(null);
    const timer = setTimeout(async () => {
      const found = await search(app, text);
      if (ticket === asked.current)
        setPage(found ?? { titles: [], hits: [], more: [], next: null, unindexed: 0 });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [app, text]);
  const more = async () => {
    const ticket = asked.current;
    const next = page?.next != null ? await search(app, text, page.next) : null;
    if (!page || !next || ticket !== asked.current) return;
    setPage({
      ...page,
      hits: [...page.hits, ...next.hits],
      more: [...page.more, ...next.more],
      next: next.next,
    });
  };
  return { page, more };
}

/** Hits of one conversation stand together. */
function grouped(hits: readonly SearchHit[]): SearchHit[][] {
  const groups: SearchHit[][] = [];
  for (const hit of hits) {
    const last = groups.at(-1);
    if (last?.[0]?.conversationId === hit.conversationId) last.push(hit);
    else groups.push([hit]);
  }
  return groups;
}

function Hit({ hit }: { hit: SearchHit }) {
  const app = useApp();
  const { t, date } = useWords();
  const who = hit.toolName ?? t(`search.${hit.role}` as Key);
  return (
    <li>
      <button
        type="button"
        className="hit"
        data-testid="search-hit"
        onClick={() => openAt(app, hit.conversationId, hit.itemId, hit.seq)}
      >
        <span className="hit-top">
          <span className="clip">{visible(who)}</span>
          <span className="when">{date(hit.createdAt)}</span>
        </span>
        <span className="hit-text">
          {hit.snippet.map((part, at) =>
            part.hit ? (
              <mark key={at}>{visible(part.text)}</mark>
            ) : (
              <span key={at}>{visible(part.text)}</span>
            ),
          )}
        </span>
      </button>
    </li>
  );
}

/** The places of a conversation, once somebody wants more of them than its share. */
interface Own {
  hits: SearchHit[];
  next: number | null;
}

/** All places in one conversation, from the best on, page by page. */
function useOwn(id: string, text: string) {
  const app = useApp();
  const [own, setOwn] = useState<Own | null>(null);
  const [busy, setBusy] = useState(false);
  const more = async () => {
    if (busy) return;
    setBusy(true);
    const page = await searchIn(app, id, text, own?.next ?? null);
    if (page) setOwn({ hits: [...(own?.hits ?? []), ...page.hits], next: page.next });
    setBusy(false);
  };
  return { own, busy, more };
}

/** Whoever pressed a button that is gone goes on with the first of the hits that came. */
function useFocusAfter(count: number) {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const first = list.current?.querySelectorAll<HTMLElement>('.hit')[before.current];
    before.current = count;
    if (document.activeElement === document.body) first?.focus({ preventScroll: true });
  }, [count]);
  return list;
}

interface GroupProps {
  hits: SearchHit[];
  /** What is left out of the conversation. */
  more: MoreHits[];
  text: string;
}

/** What was found in one conversation, and how much more there is. */
function Group({ hits, more: left, text }: GroupProps) {
  const { t, number } = useWords();
  const { conversationId = '', title = '' } = hits[0] ?? {};
  const { own, busy, more } = useOwn(conversationId, text);
  const shown = own?.hits ?? hits;
  const list = useFocusAfter(shown.length);
  const all = left.reduce((sum, { count }) => sum + count, hits.length);
  const isMore = own ? own.next !== null : left.length > 0;
  const sign = left.some(({ atLeast }) => atLeast) ? '+' : '';
  return (
    <section className="hits" aria-label={visible(title)}>
      <h3 className="clip">{visible(title)}</h3>
      <ul ref={list}>
        {shown.map((hit) => (
          <Hit key={hit.id} hit={hit} />
        ))}
      </ul>
      {isMore && (
        <Button
          size="s"
          kind="quiet"
          busy={busy}
          aria-disabled={busy}
          data-testid="search-here"
          onClick={() => void more()}
        >
          {all > shown.length
            ? t('search.here', { count: number(all - shown.length) + sign })
            : t('search.more')}
        </Button>
      )}
    </section>
  );
}

/** What the words in the search field were found in. */
export function SearchResults({ text }: { text: string }) {
  const { t, count } = useWords();
  const { page, more } = useFound(text);
  const context = useRowContext();
  const all = page ? page.titles.length + page.hits.length : 0;
  return (
    <>
      <p className="visually-hidden" role="status" aria-live="polite">
        {page && count('search.found', all)}
      </p>
      {!page && (
        <p className="searching">
          <LoaderCircle size={14} className="spin" aria-hidden />
          {t('search.busy')}
        </p>
      )}
      {page && all === 0 && (
        <Empty icon={SearchX} title={t('search.none')} hint={t('search.none.hint')} />
      )}
      {page && page.titles.length > 0 && (
        <ul data-testid="found-titles">
          {page.titles.map((conversation) => (
            <ConversationRow
              key={conversation.conversationId}
              conversation={conversation}
              context={context}
            />
          ))}
        </ul>
      )}
      {page &&
        grouped(page.hits).map((hits) => (
          <Group
            key={hits[0]?.id}
            hits={hits}
            more={page.more.filter((more) => more.conversationId === hits[0]?.conversationId)}
            text={text}
          />
        ))}
      {page && page.unindexed > 0 && <p className="searching">{t('search.unindexed')}</p>}
      {page?.next != null && (
        <Button size="s" data-testid="search-more" onClick={() => void more()}>
          {t('search.more')}
        </Button>
      )}
    </>
  );
}
