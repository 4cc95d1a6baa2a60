import { FileInput, Plug, Plus } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, ServerFile, ServerView } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { isTesting, loadServers, readServerFile } from '../state/servers';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { ServerCard } from './server-card';
import { ServerFormDialog } from './server-form';
import { ImportServers } from './server-import';
import { useInSight, useServers } from './use-servers';
import './servers.css';

/** The servers, or that there are none. */
function List({ fresh, onEdit }: { fresh: string | null; onEdit: (server: ServerView) => void }) {
  const { t } = useWords();
  const servers = useView((v) => v.servers);
  if (!servers) return <p className="hint">{t('servers.reading')}</p>;
  if (!servers.ok) return <FailureBox failure={servers.failure} />;
  if (servers.value.length === 0) {
    return <Empty icon={Plug} title={t('servers.empty')} hint={t('servers.empty.hint')} />;
  }
  return (
    <ul className="servers" data-testid="servers-list">
      {servers.value.map((server) => (
        <ServerCard
          key={server.name}
          server={server}
          isFresh={server.name === fresh}
          onEdit={onEdit}
        />
      ))}
    </ul>
  );
}

interface Found {
  path: string;
  file: ServerFile;
}

/** The servers of a file that the person chooses. */
function Import() {
  const app = useApp();
  const { t } = useWords();
  const [found, setFound] = useState<Found | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const choose = async () => {
    setFailure(null);
    const path = await app.bridge.pickServers();
    if (!path) return;
    const read = await readServerFile(app, path);
    if (read.ok) setFound({ path, file: read.value });
    else setFailure(read.failure);
  };
  return (
    <>
      <Button icon={FileInput} data-testid="import-servers" onClick={() => void choose()}>
        {t('servers.import')}
      </Button>
      {failure && <FailureBox failure={failure} />}
      {found && <ImportServers {...found} onClose={() => setFound(null)} />}
    </>
  );
}

/** The focus does not get lost with the server that had it. */
function useFocusKept(to: RefObject<HTMLElement | null>, count: number) {
  const before = useRef(count);
  useEffect(() => {
    const isGone = before.current > count;
    before.current = count;
    if (!isGone) return;
    // After the dialog that asked has given it back.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) to.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [count, to]);
}

/** The servers of all projects: what they are, what they do now, and whether they are trusted in this one. */
export function ServersSection() {
  const app = useApp();
  const { t } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [editing, setEditing] = useState<ServerView | 'new' | null>(null);
  const [fresh, setFresh] = useState<string | null>(null);
  const tests = useView(isTesting);
  const inSight = useInSight(box);
  const isOff = useView((v) => v.settings?.settings.tools.mcpEnabled === false);
  const count = useView((v) => (v.servers?.ok ? v.servers.value.length : 0));
  useEffect(() => void loadServers(app), [app]);
  useServers(inSight || tests);
  useFocusKept(add, count);
  const edit = useCallback((server: ServerView) => setEditing(server), []);
  const close = () => setEditing(null);
  return (
    <div ref={box} className="fields" data-testid="servers">
      <p className="hint">{t('servers.hint')}</p>
      {isOff && <p className="caution">{t('servers.off')}</p>}
      <List fresh={fresh} onEdit={edit} />
      <div className="server-add">
        <Button ref={add} icon={Plus} data-testid="add-server" onClick={() => setEditing('new')}>
          {t('servers.add')}
        </Button>
        <Import />
      </div>
      {editing && (
        <ServerFormDialog
          before={editing === 'new' ? null : editing}
          onClose={close}
          onSaved={(name) => {
            setFresh(name);
            close();
          }}
        />
      )}
    </div>
  );
}
