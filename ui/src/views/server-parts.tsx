import { type ReactNode, useState } from 'react';
import type {
  ServerState,
  ServerToolView,
  ServerView,
  ShownLaunch,
  ToolHint,
} from '../bridge/wire';
import { useWords } from '../i18n';
import { cutNear, visible } from '../i18n/visible';
import { Badge, type Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { Fold } from '../kit/fold';
import { Name } from '../kit/name';
import { commandLine } from '../state/server-draft';
import { wantsSignIn } from '../state/sign-in';
import { LongText } from '../widgets/long-text';
import './servers.css';

const tones: Record<ServerState, Tone> = {
  idle: 'plain',
  starting: 'accent',
  running: 'ok',
  failed: 'bad',
};

/** What a server does at present. */
export function StateBadge({ server }: { server: ServerView }) {
  const { t } = useWords();
  const { state, launch } = server;
  if (state === 'failed' && wantsSignIn(server)) {
    return (
      <Badge dot tone="warn" data-testid="server-state">
        {t('servers.state.signIn')}
      </Badge>
    );
  }
  return (
    <Badge dot tone={tones[state]} live={state === 'starting'} data-testid="server-state">
      {t(`servers.state.${launch.kind}.${state}`)}
    </Badge>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Names whose values may be keys. */
function Names({ label, names }: { label: string; names: readonly string[] }) {
  const { t } = useWords();
  if (names.length === 0) return null;
  return (
    <Row name={label}>
      <Name className="mono" text={names.join(', ')} />{' '}
      <span className="hint">{t('servers.hidden')}</span>
    </Row>
  );
}

/** How a server is started or reached. */
export function Launch({ launch }: { launch: ShownLaunch }) {
  const { t } = useWords();
  return (
    <dl className="server-launch">
      {launch.kind === 'url' ? (
        <>
          <Row name={t('servers.address')}>
            <Name className="mono" text={launch.url} />
          </Row>
          <Names label={t('servers.headers')} names={launch.headers} />
        </>
      ) : (
        <>
          <Row name={t('servers.command')}>
            <Name className="mono" text={commandLine(launch.command, launch.args)} />
          </Row>
          <Names label={t('servers.env')} names={launch.env} />
        </>
      )}
    </dl>
  );
}

/** Longer than this, what a tool does is cut. */
const LONG = 220;

/** The words of a stranger: as they are, and cut. */
export function Description({ text }: { text: string }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  if (text === '') return null;
  const isLong = text.length > LONG;
  const shown = open || !isLong ? text : `${text.slice(0, cutNear(text, LONG))}…`;
  return (
    <p className="about">
      {visible(shown)}{' '}
      {isLong && (
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'subagent.less' : 'subagent.more')}
        </button>
      )}
    </p>
  );
}

const does: Record<ToolHint, Tone> = {
  reads: 'plain',
  adds: 'plain',
  destroys: 'warn',
  unsaid: 'plain',
};

function Tool({ tool }: { tool: ServerToolView }) {
  const { t } = useWords();
  const { name, title, description, hint, parameters } = tool;
  const [open, setOpen] = useState(false);
  return (
    <li data-testid="server-tool" data-hint={hint}>
      <p className="name-line">
        <Name className="mono" text={name} />
        {title && <span className="title">{visible(title)}</span>}
        <Badge tone={does[hint]}>{t(`servers.does.${hint}`)}</Badge>
      </p>
      <Description text={description} />
      <button
        type="button"
        className="link"
        aria-expanded={open}
        data-testid="server-tool-arguments"
        onClick={() => setOpen(!open)}
      >
        {t(open ? 'servers.arguments.hide' : 'servers.arguments.show')}
      </button>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
        <pre className="server-log" tabIndex={0}>
          {visible(JSON.stringify(parameters, null, 2))}
        </pre>
      )}
    </li>
  );
}

/** As many are listed at once. */
const PAGE = 40;

interface ListProps<T> {
  /** What is to be known of all of them. */
  hint: string;
  items: readonly T[];
  testId: string;
  children: (item: T, at: number) => ReactNode;
}

/** What a server offers of one kind; a long list a part at a time. */
export function OfferedList<T>({ hint, items, testId, children }: ListProps<T>) {
  const { t, number } = useWords();
  const [most, setMost] = useState(PAGE);
  const left = items.length - most;
  return (
    <div className="server-tools">
      <p className="hint">{hint}</p>
      <ul>{items.slice(0, most).map(children)}</ul>
      {left > 0 && (
        <Button size="s" data-testid={testId} onClick={() => setMost(most + PAGE)}>
          {t('servers.tools.more', { count: number(Math.min(left, PAGE)) })}
        </Button>
      )}
    </div>
  );
}

/** Every tool of a server, with what it says that the tool does. */
export function Tools({ tools }: { tools: readonly ServerToolView[] }) {
  const { t } = useWords();
  return (
    <OfferedList hint={t('servers.tools.said')} items={tools} testId="more-tools">
      {(tool) => <Tool key={tool.name} tool={tool} />}
    </OfferedList>
  );
}

/** How many tools it has, and all of them on demand. */
export function ToolsFold({ server, open }: { server: ServerView; open: boolean }) {
  const { t, count, date } = useWords();
  const { tools, listedAt } = server;
  if (!tools) return <p className="hint">{t('servers.tools.unknown')}</p>;
  if (tools.length === 0) return <p className="hint">{t('servers.tools.none')}</p>;
  const when = listedAt && date(listedAt);
  const label = (
    <span>
      {count('servers.tools', tools.length)}
      {when && <span className="hint"> · {t('servers.listed', { when })}</span>}
    </span>
  );
  return (
    <Fold label={label} testId="server-tools" unfolded={open}>
      <Tools tools={tools} />
    </Fold>
  );
}

/** What was written last is at its end. */
const toItsEnd = (box: HTMLElement | null) => {
  if (box) box.scrollTop = box.scrollHeight;
};

/** The last of what a server wrote. */
export function ServerLog({ text }: { text: string }) {
  return (
    <LongText text={text.trimEnd()} grows>
      {(shown) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
        <pre ref={toItsEnd} className="server-log" tabIndex={0} data-testid="server-log">
          {shown}
        </pre>
      )}
    </LongText>
  );
}
