import { Pencil, ShieldCheck, ShieldX, Trash2 } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { Failure, ServerView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Fold } from '../kit/fold';
import { Name } from '../kit/name';
import {
  changing,
  projectOfServers,
  removeServer,
  switchServer,
  testing,
  trustServer,
} from '../state/servers';
import { wantsSignIn } from '../state/sign-in';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { PromptsFold, ResourcesFold } from './server-offers';
import { Launch, ServerLog, StateBadge, ToolsFold } from './server-parts';
import { SignedIn, SignIn, useSignIn } from './server-sign-in';
import { type Run, Test, useTasks, useTest } from './server-test';

/** The name of the project in which servers are trusted; null where none is open. */
function useProjectName(): string | null {
  return useView((v) => {
    const id = projectOfServers(v);
    return v.projects?.find(({ projectId }) => projectId === id)?.name ?? null;
  });
}

const standing: Record<ServerView['trust'], { tone: 'ok' | 'warn' | 'plain'; words: Key }> = {
  trusted: { tone: 'ok', words: 'servers.trust.trusted' },
  changed: { tone: 'warn', words: 'servers.trust.changed' },
  none: { tone: 'plain', words: 'servers.trust.none' },
};

/** Whether the person trusts it in the open project; one button changes that. */
function Trust({ server, isAsked, run }: { server: ServerView; isAsked: boolean; run: Run }) {
  const app = useApp();
  const { t } = useWords();
  const named = useProjectName();
  const busy = useView((v) => v.busy.has(changing(server.name)));
  if (named === null) return null;
  const { name, trust, sha256 } = server;
  const project = visible(named);
  const { tone, words } = standing[trust];
  const isTrusted = trust === 'trusted';
  const set = () => {
    if (!busy) void run(() => trustServer(app, server, !isTrusted));
  };
  return (
    <div className="server-trust" data-trust={trust}>
      <Badge tone={tone} data-testid="server-trust">
        {t(words, { project })}
      </Badge>
      {sha256 === undefined && !isTrusted ? (
        !isAsked && <span className="hint">{t('servers.trust.first')}</span>
      ) : (
        <Button
          size="s"
          icon={isTrusted ? ShieldX : ShieldCheck}
          aria-disabled={busy}
          aria-label={t(isTrusted ? 'servers.untrust.of' : 'servers.trust.of', { project, name })}
          data-testid={isTrusted ? 'untrust-server' : 'trust-server'}
          onClick={set}
        >
          {t(isTrusted ? 'servers.untrust' : 'servers.trust', { project })}
        </Button>
      )}
    </div>
  );
}

/** What went wrong with a server, with what it wrote; or that on demand. */
function Trouble({ server, failure }: { server: ServerView; failure: Failure | null }) {
  const { t } = useWords();
  const { problem, log = '', state } = server;
  // What a test comes to stands with the server; whatever else was refused is newer than that.
  const refused = failure?.code.startsWith('E_MCP_') ? null : failure;
  const shown = state === 'starting' ? null : (refused ?? problem ?? failure);
  if (!shown) {
    if (log.trim() === '') return null;
    return (
      <Fold label={t('servers.log')} testId="server-log-fold">
        <ServerLog text={log} />
      </Fold>
    );
  }
  return (
    <>
      <FailureBox failure={shown} />
      {problem && log.trim() !== '' && (
        <>
          <h4>{t('servers.log')}</h4>
          <ServerLog text={log} />
        </>
      )}
    </>
  );
}

/** Asks before a server is removed. */
function Remove({ name, run, onClose }: { name: string; run: Run; onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const busy = useView((v) => v.busy.has(changing(name)));
  const remove = async () => {
    await run(() => removeServer(app, name));
    onClose();
  };
  return (
    <Dialog
      title={t('servers.remove.title', { name })}
      onClose={onClose}
      testId="remove-server-dialog"
      footer={
        <>
          <Button data-testid="remove-server-cancel" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            kind="danger"
            busy={busy}
            disabled={busy}
            data-testid="remove-server-confirm"
            onClick={() => void remove()}
          >
            {t('action.remove')}
          </Button>
        </>
      }
    >
      <p>{t('servers.remove.text')}</p>
    </Dialog>
  );
}

/** Whether a server may be used at all. */
function Use({ server, run }: { server: ServerView; run: Run }) {
  const app = useApp();
  const { t } = useWords();
  const { name, enabled } = server;
  return (
    <span className="server-use">
      <span className="hint" aria-hidden>
        {t(enabled ? 'servers.use.on' : 'servers.use.off')}
      </span>
      <input
        type="checkbox"
        role="switch"
        className="switch"
        checked={enabled}
        aria-checked={enabled}
        aria-label={t('servers.use', { name })}
        data-testid="use-server"
        onChange={() => void run(() => switchServer(app, name, !enabled))}
      />
    </span>
  );
}

/** The server as it is now: it starts with the press that tests it, whenever that is read. */
function useNow(server: ServerView): ServerView {
  const busy = useView((v) => v.busy.has(testing(server.name)));
  return useMemo(() => (busy ? { ...server, state: 'starting' } : server), [busy, server]);
}

/** What a server is and does, with what can be trusted of it. */
function useContent(server: ServerView, isAsked: boolean) {
  const { failure, run } = useTasks();
  const [listed, setListed] = useState(0);
  const tester = useTest(server, run, () => setListed((times) => times + 1));
  const signing = useSignIn(server, run, tester);
  const content = (
    <>
      <Launch launch={server.launch} />
      {/* What was just listed is shown. */}
      <ToolsFold key={listed} server={server} open={isAsked || listed > 0} />
      <PromptsFold prompts={server.prompts} />
      <ResourcesFold resources={server.resources} />
      <Trouble server={server} failure={failure} />
      <SignedIn server={server} run={run} />
      <Trust server={server} isAsked={isAsked} run={run} />
    </>
  );
  return { content, run, tester, signing };
}

/** A server that was just set up is seen. */
const intoSight = (it: HTMLElement | null) => it?.scrollIntoView({ block: 'nearest' });

interface CardProps {
  server: ServerView;
  isFresh: boolean;
  onEdit: (server: ServerView) => void;
}

/** A server among all that are set up. */
export const ServerCard = memo(({ server: read, isFresh, onEdit }: CardProps) => {
  const { t } = useWords();
  const server = useNow(read);
  const [asks, setAsks] = useState(false);
  const { content, run, tester, signing } = useContent(server, false);
  const { name, state, enabled } = server;
  return (
    <li
      ref={isFresh ? intoSight : undefined}
      data-testid="server"
      data-name={name}
      data-state={state}
      data-enabled={enabled}
    >
      <div className="server-head">
        <h3>
          <Name text={name} />
        </h3>
        <StateBadge server={server} />
        <Use server={server} run={run} />
      </div>
      {content}
      <div className="server-ways">
        <SignIn server={server} signing={signing} />
        <Test
          server={server}
          tester={tester}
          words={{ rest: 'servers.test', of: 'servers.test.of' }}
        />
        <span className="grow" />
        <Button
          size="s"
          kind="quiet"
          icon={Pencil}
          aria-label={t('servers.edit.of', { name })}
          data-testid="edit-server"
          onClick={() => onEdit(read)}
        >
          {t('servers.edit')}
        </Button>
        <Button
          size="s"
          kind="quiet"
          icon={Trash2}
          aria-label={t('packages.remove.of', { name })}
          data-testid="remove-server"
          onClick={() => setAsks(true)}
        >
          {t('action.remove')}
        </Button>
      </div>
      {asks && <Remove name={name} run={run} onClose={() => setAsks(false)} />}
    </li>
  );
});

/** A server that the person is asked to look at: all that they would trust. */
export const AskedServer = memo(({ server: read }: { server: ServerView }) => {
  const server = useNow(read);
  const { content, tester, signing } = useContent(server, true);
  const { name, launch, sha256 } = server;
  const isUrl = launch.kind === 'url';
  const box = useRef<HTMLLIElement>(null);
  const isListed = sha256 !== undefined;
  // The button that started it is gone then: what can be done next has the focus.
  useEffect(() => {
    if (!isListed || document.activeElement !== document.body) return;
    box.current?.querySelector<HTMLElement>('[data-testid=trust-server]')?.focus();
  }, [isListed]);
  return (
    <li ref={box} data-testid="asked-server" data-name={name} data-trust={server.trust}>
      <div className="server-head">
        <h3>
          <Name text={name} />
        </h3>
        <StateBadge server={server} />
      </div>
      {content}
      <div className="server-ways">
        <SignIn server={server} signing={signing} />
        {!isListed && (
          <Test
            kind={wantsSignIn(server) ? undefined : 'primary'}
            server={server}
            tester={tester}
            words={{
              rest: isUrl ? 'servers.reach' : 'servers.start',
              of: isUrl ? 'servers.reach.of' : 'servers.start.of',
            }}
          />
        )}
      </div>
    </li>
  );
});
