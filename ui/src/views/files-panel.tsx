import { AtSign, ChevronRight, FileText, Folder, FolderTree, RotateCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Result } from '../bridge';
import { fileName } from '../bridge/path';
import type { EffectKind, FolderEntry, FolderView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button, IconButton } from '../kit/button';
import { Empty } from '../kit/empty';
import { Name } from '../kit/name';
import { WIDE } from '../kit/use-media';
import { mention, openFile, readFolder, runOf } from '../state/files';

import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { mentionOf } from '../widgets/mentions';
import { PanelHeader } from './panel-header';
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
export function FilesPanel() {
  const { t } = useWords();
  const run = useView(runOf);
  const changed = useChanged();
  const [asked, setAsked] = useState(0);
  useSnapshot();
  return (
    <>
      <PanelHeader title={t('rail.files')}>
        {run && (
          <Button size="s" kind="quiet" icon={RotateCw} onClick={() => setAsked(asked + 1)}>
            {t('files.again')}
          </Button>
        )}
      </PanelHeader>
      <div className="panel-body files" data-testid="files-panel">
        {run ? (
          <Rows key={run} path="@project" changed={changed} asked={asked} />
        ) : (
          <Empty icon={FolderTree} title={t('files.empty')} hint={t('files.empty.hint')} />
        )}
      </div>
    </>
  );
}
