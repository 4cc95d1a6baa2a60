import { AtSign, ChevronRight, FileText, Folder, FolderTree, RotateCw } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Result } from '../bridge';
import { fileName } from '../bridge/path';
import type { EffectKind, FolderEntry, FolderView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { Empty } from '../kit/empty';
import { Name } from '../kit/name';
import { Splitter } from '../kit/splitter';
import { WIDE } from '../kit/use-media';
import { mention, openFile, readFolder, runOf } from '../state/files';
import { FILES_HEIGHT, useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { mentionOf } from '../widgets/mentions';
import { useSnapshot } from './use-snapshot';
import './files-panel.css';

type Changed = ReadonlyMap<string, EffectKind>;

/** What the run did to each file that it changed. */
function useChanged(): Changed {
  const snapshot = useView((v) => v.snapshot);
  return useMemo(() => {
    const changes = snapshot?.ok ? snapshot.value.changes : [];
    return new Map(changes.map(({ path, kind }) => [path, kind]));
  }, [snapshot]);
}

/** What lies in a folder: read when it is shown, and again when the run may have changed it. */
function useFolder(path: string, asked: number): Result<FolderView> | null {
  const app = useApp();
  const snapshot = useView((v) => v.snapshot);
  const [folder, setFolder] = useState<Result<FolderView> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when there is news
  useEffect(() => {
    let late = false;
    void readFolder(app, path).then((read) => {
      if (!late) setFolder(read);
    });
    return () => {
      late = true;
    };
  }, [app, path, snapshot, asked]);
  return folder;
}

function FileRow({ path, changed }: { path: string; changed: Changed }) {
  const app = useApp();
  const { t } = useWords();
  const opened = useView((v) => v.file?.path === path);
  // A sub-agent is told nothing by the person.
  const isTask = useView((v) => v.task !== null);
  const kind = changed.get(path);
  const name = visible(fileName(path));
  return (
    <li className="file-row">
      <button
        type="button"
        draggable={!isTask}
        title={visible(path)}
        aria-current={opened || undefined}
        data-testid="file-row"
        data-kind={kind}
        onClick={() => void openFile(app, path)}
        onDragStart={({ dataTransfer }) => {
          dataTransfer.effectAllowed = 'copy';
          dataTransfer.setData('text/plain', mentionOf(path));
        }}
      >
        <FileText size={14} aria-hidden />
        <Name className="clip" text={fileName(path)} />
        {kind && <span className="what">{t(`changes.${kind}` as Key)}</span>}
      </button>
      {!isTask && (
        <IconButton
          icon={AtSign}
          label={t('files.mention', { name })}
          data-testid="file-mention"
          onClick={() => mention(app, path, matchMedia(WIDE).matches)}
        />
      )}
    </li>
  );
}

function FolderRow({ path, changed, asked }: RowsProps) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        className="folder-row"
        aria-expanded={open}
        data-testid="folder-row"
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={13} aria-hidden />
        <Folder size={14} aria-hidden />
        <Name className="clip" text={fileName(path)} />
      </button>
      {open && <Rows path={path} changed={changed} asked={asked} />}
    </li>
  );
}

interface RowsProps {
  path: string;
  changed: Changed;
  /** Counts how often the person asked for it to be read again. */
  asked: number;
}

const Row = ({ entry, ...rows }: Omit<RowsProps, 'path'> & { entry: FolderEntry }) =>
  entry.isFolder ? (
    <FolderRow path={entry.path} {...rows} />
  ) : (
    <FileRow path={entry.path} changed={rows.changed} />
  );

/** What lies in a folder, the folders first. */
function Rows({ path, changed, asked }: RowsProps) {
  const { t, count } = useWords();
  const folder = useFolder(path, asked);
  if (!folder) return null;
  if (!folder.ok) return <FailureBox failure={folder.failure} />;
  const { entries, more } = folder.value;
  if (entries.length === 0) return <p className="hint">{t('files.none')}</p>;
  return (
    <ul>
      {entries.map((entry) => (
        <Row key={entry.path} entry={entry} changed={changed} asked={asked} />
      ))}
      {more > 0 && <li className="hint">{count('files.more', more)}</li>}
    </ul>
  );
}

/** The files of the open run's project: opened by a click, mentioned by dragging them. */
function Files({ run, asked }: { run: string | null; asked: number }) {
  const { t } = useWords();
  const changed = useChanged();
  useSnapshot();
  return (
    <div className="panel-body files" data-testid="files-panel">
      {run ? (
        <Rows key={run} path="@project" changed={changed} asked={asked} />
      ) : (
        <Empty icon={FolderTree} title={t('files.empty')} hint={t('files.empty.hint')} />
      )}
    </div>
  );
}

/** How high the files can be made here: the share of the sidebar that the style leaves them. */
function useMost(open: boolean) {
  const section = useRef<HTMLElement>(null);
  const [most, setMost] = useState(FILES_HEIGHT.most);
  useLayoutEffect(() => {
    const sidebar = section.current?.parentElement;
    if (!open || !sidebar) return;
    const measure = () => {
      const share =
        section.current && Number.parseFloat(getComputedStyle(section.current).maxHeight);
      const height = Math.floor((sidebar.clientHeight * (share ?? 0)) / 100);
      setMost(height > 0 ? Math.min(height, FILES_HEIGHT.most) : FILES_HEIGHT.most);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(sidebar);
    return () => observer.disconnect();
  }, [open]);
  return { section, most };
}

/** The files, in a part of the sidebar that can be folded and made higher. */
export function FilesSection() {
  const { store } = useApp();
  const { t } = useWords();
  const id = useId();
  const run = useView(runOf);
  const open = useView((v) => v.filesOpen);
  const { section, most } = useMost(open);
  // What was made higher in a larger window is so again there.
  const height = Math.min(
    useView((v) => v.filesHeight),
    most,
  );
  const [asked, setAsked] = useState(0);
  return (
    <section ref={section} className="files-section" style={open ? { height } : undefined}>
      {open && (
        <Splitter
          orientation="horizontal"
          label={t('files.height')}
          size={height}
          least={Math.min(FILES_HEIGHT.least, most)}
          most={most}
          onSize={(filesHeight) => store.setState({ filesHeight })}
        />
      )}
      <header>
        <h2>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            data-testid="rail-files"
            onClick={() => store.setState({ filesOpen: !open })}
          >
            <FolderTree size={16} strokeWidth={1.8} aria-hidden />
            <span className="label">{t('rail.files')}</span>
            <ChevronRight size={13} className="chevron" aria-hidden />
          </button>
        </h2>
        {open && run && (
          <IconButton
            icon={RotateCw}
            label={t('files.again')}
            onClick={() => setAsked(asked + 1)}
          />
        )}
      </header>
      {open && (
        <div className="files-body" id={id}>
          <Files run={run} asked={asked} />
        </div>
      )}
    </section>
  );
}
