import { Plug, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useWords } from '../i18n';
import { Button, IconButton } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { dockedQuestion, phaseOf } from '../state/select';
import { loadServers, lookLater, tellsOf, waitingIn } from '../state/servers';
import { useApp, useView } from '../state/store';
import { AskedServer } from './server-card';
import { useServers } from './use-servers';
import './servers.css';

interface DialogProps {
  /** Those that waited when it was opened. */
  names: readonly string[];
  onLater: () => void;
  onClose: () => void;
}

/** Shows all of what would be trusted, of each server that waits. */
function ServersDialog({ names, onLater, onClose }: DialogProps) {
  const { t } = useWords();
  useServers(true);
  const servers = useView((v) => v.servers);
  const project = useView((v) => v.projects?.find((it) => it.projectId === v.projectId)?.name);
  const asked = servers?.ok ? servers.value.filter(({ name }) => names.includes(name)) : [];
  const waits = waitingIn(servers).some(({ name }) => names.includes(name));
  return (
    <Dialog
      title={t('servers.ask.title', { project: project ?? '' })}
      width={640}
      onClose={onClose}
      testId="servers-dialog"
      footer={
        <>
          {waits && (
            <Button data-testid="servers-later" onClick={onLater}>
              {t('servers.notice.later')}
            </Button>
          )}
          <Button data-testid="servers-close" onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      <p>{t('servers.ask.text')}</p>
      <ul className="servers" data-testid="asked-servers">
        {asked.map((server) => (
          <AskedServer key={server.name} server={server} />
        ))}
      </ul>
    </Dialog>
  );
}

/** Reads the servers where somebody may be told of them, and again when somebody has been at work. */
function useWaiting() {
  const app = useApp();
  const projectId = useView((v) => v.projectId);
  const phase = useView((v) => phaseOf(v.conversation));
  const servers = useView((v) => v.servers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a server may have come to be another one
  useEffect(() => void loadServers(app), [app, projectId, phase]);
  return useMemo(() => waitingIn(servers), [servers]);
}

/** Servers that could be used here once the person has looked at them; nothing while there are none. */
export function ServersNotice() {
  const app = useApp();
  const { t, count } = useWords();
  const waiting = useWaiting();
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const projectId = useView((v) => v.projectId);
  const later = useView((v) => v.serversLater);
  const isOn = useView((v) => v.settings?.settings.tools.mcpEnabled ?? false);
  // Then all the room there is belongs to the question.
  const isAsked = useView(
    (v) => !v.startingRun && dockedQuestion(v.conversation, v.taken) !== undefined,
  );
  const tells = isOn && !isAsked && tellsOf(waiting, later, projectId);
  const close = () => setAsked(null);
  const putOff = () => {
    lookLater(app, waiting);
    close();
  };
  return (
    <>
      {tells && (
        <div className="servers-notice" data-testid="servers-notice">
          <Plug size={15} aria-hidden />
          <p>{count('servers.notice', waiting.length)}</p>
          <Button
            size="s"
            data-testid="servers-look"
            onClick={() => setAsked(waiting.map(({ name }) => name))}
          >
            {count('servers.notice.look', waiting.length)}
          </Button>
          <IconButton
            icon={X}
            label={t('servers.notice.later')}
            data-testid="servers-notice-later"
            onClick={putOff}
          />
        </div>
      )}
      {asked && <ServersDialog names={asked} onLater={putOff} onClose={close} />}
    </>
  );
}
