import {
  CircleHelp,
  ExternalLink,
  FileQuestion,
  FileText,
  FileX,
  FolderOpen,
  LoaderCircle,
  type LucideIcon,
  RotateCw,
  X,
} from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { fileName } from '../bridge/path';
import type { FileContent, FileView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button, IconButton } from '../kit/button';
import { Cover } from '../kit/cover';
import { Empty } from '../kit/empty';
import { Segments } from '../kit/field';
import { Name } from '../kit/name';
import { WholeDiff } from '../kit/whole-diff';
import { closeFile, openOutside, readFile } from '../state/files';

import { type OpenedFile, useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { isMarkdown } from '../widgets/file-kind';
import { Lines } from '../widgets/lines';
import { Markdown } from '../widgets/markdown';
import { isTooWide } from '../widgets/weight';
import { Bars } from './bars';
import { PutBack } from './put-back';
import './file-viewer.css';

/** How a file is looked at. */
type Mode = 'diff' | 'preview' | 'source';

/** What there is to look at: what is there now, or was before it was deleted. */
function shownOf({ now, change }: FileView): FileContent {
  return now.kind === 'nothing' && change ? change.before : now;
}

/** The ways in which it can be looked at, the first of which is shown first. */
function modesOf(view: FileView): Mode[] {
  const shown = shownOf(view);
  const reads: Mode[] = shown.kind !== 'text' ? [] : ['source'];
  if (shown.kind === 'text' && isMarkdown(view.path)) reads.unshift('preview');
  if (!view.change?.diff) return reads;
  // What is new differs in all of its lines.
  return view.change.effect.kind === 'created' ? [...reads, 'diff'] : ['diff', ...reads];
}

/** Where there is no text: what is there instead. */
const instead: Record<Exclude<FileContent['kind'], 'text'>, LucideIcon> = {
  not_text: FileQuestion,
  nothing: FileX,
  folder: FileQuestion,
  refused: FileX,
  not_kept: FileX,
};

function Missing({ content }: { content: Exclude<FileContent, { kind: 'text' }> }) {
  const { t, size } = useWords();
  const words = { size: content.kind === 'not_text' ? size(content.bytes) : '' };
  return (
    <Empty icon={instead[content.kind]} title={t(`file.${content.kind}` as Key, words)}>
      {t(`file.${content.kind}.why` as Key)}
    </Empty>
  );
}

const ignore = () => undefined;

// What shows code is large: it is loaded with the first file that needs it.
const Code = lazy(async () => ({ default: (await import('../widgets/code')).Code }));

/** The text as it is, with its colours where its lines are not too long for that. */
function Source({ text, path }: { text: string; path: string }) {
  const { t } = useWords();
  const isPlain = useMemo(() => isTooWide(text), [text]);
  if (isPlain) return <Plain text={text} />;
  return (
    <Suspense fallback={<Reading />}>
      <Code text={text} name={fileName(path)} label={t('file.source')} />
    </Suspense>
  );
}

/** The text with the numbers of its lines. */
function Plain({ text }: { text: string }) {
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
  const diff = useMemo(
    () =>
      `@@ -1,${lines.length} +1,${lines.length} @@\n${lines.map((line) => ` ${line}`).join('\n')}\n`,
    [lines],
  );
  return <Rows diff={diff} asIs label="file.source" />;
}

/** Something is not there yet. */
function Reading() {
  const { t } = useWords();
  return (
    <p className="file-failure">
      <LoaderCircle className="spin" size={18} aria-label={t('file.reading')} />
    </p>
  );
}

/** Lines of any number: only what is in sight is in the document. */
function Rows({ diff, asIs, label }: { diff: string; asIs?: boolean; label: Key }) {
  const { t } = useWords();
  // What scrolls has to be there before the lines are.
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const scroller = useMemo(() => ({ current: box }), [box]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
    <div className="file-body lines" ref={setBox} tabIndex={0}>
      {box && (
        <WholeDiff diff={diff} asIs={asIs} label={t(label)} scroller={scroller} onEnd={ignore} />
      )}
    </div>
  );
}

function Body({ view, mode }: { view: FileView; mode: Mode | undefined }) {
  const { t, size } = useWords();
  const shown = shownOf(view);
  if (mode === 'diff' && view.change?.diff) {
    return <Rows diff={view.change.diff} label="file.diff" />;
  }
  if (shown.kind !== 'text') return <Missing content={shown} />;
  return (
    <>
      {shown.cut && <p className="file-note">{t('file.cut', { size: size(shown.bytes) })}</p>}
      {mode === 'preview' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
        <div className="file-body read" tabIndex={0}>
          <h2 className="visually-hidden">{t('file.preview')}</h2>
          <Markdown text={shown.text} />
        </div>
      ) : (
        <Source text={shown.text} path={view.path} />
      )}
    </>
  );
}

/** What became of it since before the run. */
function About({ view: { change, now } }: { view: FileView }) {
  const { t } = useWords();
  if (!change) return <span className="hint">{t('file.unchanged')}</span>;
  const { effect } = change;
  return (
    <span className="hint" data-kind={effect.kind}>
      {t(`changes.${effect.kind}` as Key)}
      {effect.lines && <Lines lines={effect.lines} />}
      {effect.foreign && now.kind !== 'nothing' && (
        <span className="foreign">{t('changes.foreign')}</span>
      )}
    </span>
  );
}

/** Opens what is there in another program. */
function Outside({ view: { now, isDocument } }: { view: FileView }) {
  const app = useApp();
  const { t } = useWords();
  const opening = useView((v) => v.busy.has('outside'));
  if (now.kind === 'nothing' || now.kind === 'refused') return null;
  return (
    <>
      {isDocument && (
        <IconButton
          icon={ExternalLink}
          label={t('file.openIn.program')}
          data-testid="file-open-program"
          disabled={opening}
          onClick={() => void openOutside(app, 'program')}
        />
      )}
      <IconButton
        icon={FolderOpen}
        label={t('file.openIn.folder')}
        data-testid="file-open-folder"
        disabled={opening}
        onClick={() => void openOutside(app, 'folder')}
      />
    </>
  );
}

/** A file of the project, beside the conversation or over it. Esc closes it. */
export function FileViewer({ beside }: { beside: boolean }) {
  const file = useView((v) => v.file);
  return file && <Pane file={file} beside={beside} />;
}

function Pane({ file, beside }: { file: OpenedFile; beside: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const snapshot = useView((v) => v.snapshot);
  const waits = useView((v) => v.conversation.status?.run?.reason === 'widget');
  const [chosen, setChosen] = useState<Mode | null>(null);
  const pane = useRef<HTMLElement>(null);
  const { path } = file;
  // Whoever closes it is where they were.
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is looked at anew
  useEffect(() => {
    setChosen(null);
    pane.current?.focus();
  }, [path]);
  // What is known beside the conversation was read again: the file may be another one.
  const seen = useRef(snapshot);
  useEffect(() => {
    if (seen.current !== snapshot) void readFile(app);
    seen.current = snapshot;
  }, [app, snapshot]);
  const view = file.view?.ok ? file.view.value : null;
  const modes = view ? modesOf(view) : [];
  const mode = chosen && modes.includes(chosen) ? chosen : modes[0];
  return (
    <section
      ref={pane}
      className="file-viewer"
      aria-label={t('file.label', { name: visible(fileName(file.path)) })}
      tabIndex={-1}
      data-testid="file-viewer"
      data-covers={!beside || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        if (event.nativeEvent.isComposing) return;
        event.preventDefault();
        closeFile(app);
      }}
    >
      {!beside && <Cover />}
      <header>
        <FileText size={16} aria-hidden />
        <div className="words">
          <h1 className="clip">
            <Name text={fileName(file.path)} />
          </h1>
          <Name className="hint mono clip" text={file.path} />
        </div>
        {view && <Outside view={view} />}
        <IconButton
          icon={X}
          label={t(beside ? 'file.closeBeside' : 'file.close')}
          data-testid="file-close"
          onClick={() => closeFile(app)}
        />
      </header>
      {view && (
        <div className="file-about">
          <About view={view} />
          <PutBack view={view} />
          {mode && modes.length > 1 && (
            <Segments
              label={t('file.modes')}
              value={mode}
              choices={modes.map((it) => ({
                value: it,
                label: t(`file.${it}`),
                testId: `file-${it}`,
              }))}
              onChange={setChosen}
            />
          )}
        </div>
      )}
      {waits && !beside && (
        <button
          type="button"
          className="file-waits"
          data-testid="file-waits"
          onClick={() => closeFile(app)}
        >
          <CircleHelp size={14} aria-hidden />
          {t('conversation.waiting')}
        </button>
      )}
      {file.view?.ok === false && (
        <div className="file-failure">
          <FailureBox failure={file.view.failure} />
          <Button size="s" icon={RotateCw} onClick={() => void readFile(app)}>
            {t('changes.again')}
          </Button>
        </div>
      )}
      {view && <Body key={`${file.path} ${mode}`} view={view} mode={mode} />}
      {file.view === null && <Reading />}
      {!beside && <Bars />}
    </section>
  );
}
