import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../i18n';
import { IconButton } from '../kit/button';

/** The most places that are counted. */
const MOST = 9999;

/** How often the words stand in the text, and which of the places is marked; 0: none. */
function count(state: EditorState): { all: number; at: number } {
  const query = getSearchQuery(state);
  const marked = state.selection.main;
  let [all, at] = [0, 0];
  if (!query.valid) return { all, at };
  const places = query.getCursor(state);
  for (let place = places.next(); !place.done && all < MOST; place = places.next()) {
    all++;
    if (place.value.from === marked.from && place.value.to === marked.to) at = all;
  }
  return { all, at };
}

/** Where the search goes on from while words are still written: the place that is marked now. */
const placeOf = (view: EditorView) => view.state.selection.main.from;

/** The words that are looked for, how often they stand there, and the ways through them. */
function useFind(view: EditorView) {
  const [words, setWords] = useState(() => getSearchQuery(view.state).search);
  const [found, setFound] = useState(() => count(view.state));
  const go = (move: (view: EditorView) => boolean) => {
    move(view);
    setFound(count(view.state));
  };
  const look = (search: string) => {
    setWords(search);
    // As they are written: what looks like a pattern is none.
    const query = new SearchQuery({ search, literal: true });
    view.dispatch({ effects: setSearchQuery.of(query), selection: { anchor: placeOf(view) } });
    go(query.valid ? findNext : () => false);
  };
  return { words, ...found, go, look };
}

/** Looks for words in the text that is shown. Enter leads to the next place, Esc closes it. */
export function FindBar({ view }: { view: EditorView }) {
  const { t, number } = useWords();
  const { words, all, at, go, look } = useFind(view);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const places = all === MOST ? `${number(MOST)}+` : number(all);
  const told = at > 0 ? t('find.count', { at: number(at), all: places }) : places;
  return (
    <search
      className="find-bar"
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Escape') closeSearchPanel(view);
        else if (event.key === 'Enter' && event.target === field.current)
          go(event.shiftKey ? findPrevious : findNext);
        else return;
        event.preventDefault();
      }}
    >
      <input
        ref={field}
        className="input"
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        data-testid="find-words"
        value={words}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => look(event.target.value)}
      />
      <span className="hint" role="status" data-testid="find-count">
        {words !== '' && (all === 0 ? t('find.none') : told)}
      </span>
      <IconButton
        icon={ChevronUp}
        label={t('find.previous')}
        disabled={all === 0}
        onClick={() => go(findPrevious)}
      />
      <IconButton
        icon={ChevronDown}
        label={t('find.next')}
        disabled={all === 0}
        onClick={() => go(findNext)}
      />
      <IconButton icon={X} label={t('find.close')} onClick={() => closeSearchPanel(view)} />
    </search>
  );
}
