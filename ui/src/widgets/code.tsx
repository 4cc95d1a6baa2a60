import { standardKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { openSearchPanel, search } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useWords } from '../i18n';
import { IconButton } from '../kit/button';
import { languageOf } from './code-language';
import { codeSigns } from './code-signs';
import { isMarkdown } from './file-kind';
import { FindBar } from './find-bar';
import { isTangled } from './weight';
import './code.css';
import './code-colours.css';

/** What of a text is another one now, so that whoever reads it stays where they are. */
export function changeOf(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let end = 0;
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end++;
  }
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

const language = new Compartment();
const attributes = new Compartment();

/** What is the same for every text. `onBar` is told where one looks for words, while one does. */
function reader(onBar: (bar: HTMLElement | null) => void): Extension {
  return [
    // A carriage return within a line is shown, and not taken for its end.
    EditorState.lineSeparator.of('\n'),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    lineNumbers(),
    codeSigns,
    syntaxHighlighting(classHighlighter),
    keymap.of(standardKeymap),
    search({
      createPanel: () => {
        const dom = document.createElement('div');
        return { dom, top: true, mount: () => onBar(dom), destroy: () => onBar(null) };
      },
    }),
    language.of([]),
    attributes.of([]),
  ];
}

/** The editor in the box, which it has once the box is drawn. It follows the text. */
function useReader(box: React.RefObject<HTMLElement | null>, text: string) {
  const [view, setView] = useState<EditorView | null>(null);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const first = useRef(text);
  useEffect(() => {
    if (!box.current) return;
    const state = EditorState.create({ doc: first.current, extensions: reader(setBar) });
    const made = new EditorView({ parent: box.current, state });
    setView(made);
    return () => made.destroy();
  }, [box]);
  useEffect(() => {
    const before = view?.state.doc.toString();
    if (view && before !== undefined && before !== text) {
      view.dispatch({ changes: changeOf(before, text) });
    }
  }, [view, text]);
  return { view, bar };
}

/** Gives the text the colours of its language as soon as that is loaded. */
function useLanguage(view: EditorView | null, name: string, text: string) {
  const isPlain = useMemo(() => isMarkdown(name) && isTangled(text), [name, text]);
  useEffect(() => {
    let isNeeded = true;
    const show = (known: Extension | null) => {
      if (isNeeded) view?.dispatch({ effects: language.reconfigure(known ?? []) });
    };
    // Without what knows its language a text is shown as any other.
    const known = isPlain ? Promise.resolve(null) : languageOf(name);
    void known.then(show, () => show(null));
    return () => {
      isNeeded = false;
    };
  }, [view, name, isPlain]);
}

/** Ctrl+F, on a Mac Cmd+F: looks for words in the text, wherever the focus is. */
function useFindKey(view: EditorView | null, bar: HTMLElement | null) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!view || !command || event.key.toLowerCase() !== 'f') return;
      // A dialog lies over it.
      if (view.dom.closest('[inert], [aria-hidden=true]')) return;
      event.preventDefault();
      const field = bar?.querySelector('input');
      if (!field) openSearchPanel(view);
      field?.focus();
      field?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [view, bar]);
}

interface Props {
  text: string;
  /** The file's name, by which its language is told. */
  name: string;
  /** What it is, for those who hear it. */
  label: string;
}

/** A text to be read, as an editor shows it: with colours, numbers and a search, and not changed. */
export function Code({ text, name, label }: Props) {
  const { t } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const { view, bar } = useReader(box, text);
  useLanguage(view, name, text);
  useFindKey(view, bar);
  useEffect(() => {
    const named = EditorView.contentAttributes.of({
      'aria-label': label,
      'data-testid': 'code',
      tabindex: '0',
    });
    view?.dispatch({ effects: attributes.reconfigure(named) });
  }, [view, label]);
  return (
    <div className="code" ref={box}>
      {view && bar && createPortal(<FindBar view={view} />, bar)}
      {view && !bar && (
        <div className="code-find">
          <IconButton
            icon={Search}
            label={t('find.open')}
            aria-keyshortcuts="Control+F Meta+F"
            data-testid="find-open"
            onClick={() => openSearchPanel(view)}
          />
        </div>
      )}
    </div>
  );
}
