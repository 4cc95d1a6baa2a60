import { CircleMinus, FileInput } from 'lucide-react';
import { useId, useState } from 'react';
import type { Failure, FoundServer, LeftOutServer, ServerFile } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Name } from '../kit/name';
import { Coded } from '../kit/sentence';
import { importServers } from '../state/servers';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { Launch } from './server-parts';
import './servers.css';

interface FoundProps {
  server: FoundServer;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
}

function Found({ server, chosen, onChoose }: FoundProps) {
  const { t } = useWords();
  const id = useId();
  const { name, launch, taken } = server;
  return (
    <li data-testid="found-server" data-name={name}>
      <input
        type="checkbox"
        id={id}
        checked={chosen}
        disabled={taken}
        data-testid="choose-server"
        onChange={(event) => onChoose(event.target.checked)}
      />
      <div>
        <p className="name-line">
          <label htmlFor={id}>
            <Name text={name} />
          </label>
          {taken && <Badge>{t('servers.found.taken')}</Badge>}
        </p>
        <Launch launch={launch} />
      </div>
    </li>
  );
}

function LeftOut({ servers }: { servers: readonly LeftOutServer[] }) {
  const { t, say } = useWords();
  if (servers.length === 0) return null;
  return (
    <section>
      <h3>{t('servers.found.out')}</h3>
      <ul className="left-out">
        {servers.map(({ name, why }, at) => (
          <li key={at} data-testid="left-out-server">
            <CircleMinus size={14} aria-hidden />
            <div>
              <strong>{visible(name)}</strong>
              <p>
                <Coded text={say(why) ?? t('servers.found.unsaid')} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  path: string;
  file: ServerFile;
  onClose: () => void;
}

/** The servers of a file of another program, and which of them are to be set up here. */
export function ImportServers({ path, file, onClose }: Props) {
  const app = useApp();
  const { t, count } = useWords();
  const free = file.servers.filter(({ taken }) => !taken).map(({ name }) => name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(free));
  const [failure, setFailure] = useState<Failure | null>(null);
  const busy = useView((v) => v.busy.has('importServers'));
  const choose = (name: string, on: boolean) => {
    const names = new Set(chosen);
    if (on) names.add(name);
    else names.delete(name);
    setChosen(names);
  };
  const set = async () => {
    const refused = await importServers(app, path, [...chosen]);
    setFailure(refused);
    if (!refused) onClose();
  };
  return (
    <Dialog
      title={t('servers.found')}
      width={600}
      onClose={onClose}
      testId="import-servers-dialog"
      footer={
        <>
          <Button data-testid="import-servers-cancel" onClick={onClose}>
            {t(free.length > 0 ? 'action.cancel' : 'action.close')}
          </Button>
          {free.length > 0 && (
            <Button
              kind="primary"
              icon={FileInput}
              busy={busy}
              disabled={busy || chosen.size === 0}
              data-testid="import-servers-confirm"
              onClick={() => void set()}
            >
              {busy ? t('servers.found.busy') : count('servers.found.import', chosen.size)}
            </Button>
          )}
        </>
      }
    >
      <p className="hint">
        <Name className="mono" text={path} />
      </p>
      <p>{t(free.length > 0 ? 'servers.found.hint' : 'servers.found.none')}</p>
      {file.servers.length > 0 && (
        <ul className="servers found-servers">
          {file.servers.map((server) => (
            <Found
              key={server.name}
              server={server}
              chosen={chosen.has(server.name)}
              onChoose={(on) => choose(server.name, on)}
            />
          ))}
        </ul>
      )}
      <LeftOut servers={file.leftOut} />
      {failure && <FailureBox failure={failure} />}
    </Dialog>
  );
}
