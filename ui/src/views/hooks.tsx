import { ShieldCheck, ShieldX, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import type { Failure, HookView } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Name } from '../kit/name';
import { loadHooks, trustHooks } from '../state/hooks';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import '../widgets/hook.css';
import './hooks.css';

function Hook({ hook }: { hook: HookView }) {
  const { t, number } = useWords();
  const { name, at, command, timeoutS, tools, trusted } = hook;
  return (
    <li data-testid="hook" data-trusted={trusted}>
      <p>
        <Name className="mono" text={name} />
        <Badge tone={trusted ? 'ok' : 'warn'}>{t(trusted ? 'hooks.trusted' : 'hooks.waits')}</Badge>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
      <pre tabIndex={0}>{visible(command)}</pre>
      <p className="hint">
        {t(`hook.at.${at}`)}
        {tools.length > 0 && ` · ${tools.map(visible).join(', ')}`}
        {` · ${t('hooks.most', { seconds: number(timeoutS) })}`}
      </p>
    </li>
  );
}

/** Shows every command of the project whole: what is trusted is what stands here. */
function HooksDialog({ hooks, onClose }: { hooks: readonly HookView[]; onClose: () => void }) {
  const app = useApp();
  const { t, count } = useWords();
  const [failure, setFailure] = useState<Failure | null>(null);
  const busy = useView((v) => v.busy.has('hooks'));
  const set = async (some: readonly HookView[], trusted: boolean) => {
    if (busy) return;
    const hashes = some.map(({ sha256 }) => sha256);
    setFailure(await trustHooks(app, hashes, trusted));
  };
  const waiting = hooks.filter(({ trusted }) => !trusted);
  const trusted = hooks.filter((hook) => hook.trusted);
  return (
    <Dialog
      title={t('hooks.title')}
      onClose={onClose}
      testId="hooks-dialog"
      footer={
        <>
          {trusted.length > 0 && (
            <Button
              icon={ShieldX}
              disabled={busy}
              data-testid="untrust-hooks"
              onClick={() => void set(trusted, false)}
            >
              {t('hooks.untrust')}
            </Button>
          )}
          <Button data-testid="hooks-close" onClick={onClose}>
            {t('action.close')}
          </Button>
          {waiting.length > 0 && (
            <Button
              kind="primary"
              icon={ShieldCheck}
              busy={busy}
              disabled={busy}
              data-testid="trust-hooks"
              onClick={() => void set(waiting, true)}
            >
              {count('hooks.trust', waiting.length)}
            </Button>
          )}
        </>
      }
    >
      <p>{t('hooks.text')}</p>
      <ul className="hooks">
        {hooks.map((hook) => (
          <Hook key={hook.name} hook={hook} />
        ))}
      </ul>
      {failure && <FailureBox failure={failure} />}
    </Dialog>
  );
}

/** The commands of the project, how many of them wait for the person, and their dialog while it is open. */
function useHooks() {
  const app = useApp();
  const [open, setOpen] = useState(false);
  const hooks = useView((v) => v.hooks) ?? [];
  const look = () => {
    void loadHooks(app);
    setOpen(true);
  };
  const waiting = hooks.filter(({ trusted }) => !trusted).length;
  const dialog = open && <HooksDialog hooks={hooks} onClose={() => setOpen(false)} />;
  return { all: hooks.length, waiting, look, dialog };
}

/** In a sidebar of icons: that commands wait, and how many; nothing while none does. */
export function HooksIcon() {
  const { count, number } = useWords();
  const { waiting, look, dialog } = useHooks();
  const label = count('hooks.waiting', waiting);
  return (
    <>
      {waiting > 0 && (
        <button
          type="button"
          className="sidebar-place"
          title={label}
          data-testid="hooks-icon"
          onClick={look}
        >
          <SquareTerminal size={16} strokeWidth={1.8} aria-hidden />
          <span className="label">{label}</span>
          <span className="count" aria-hidden>
            {number(waiting)}
          </span>
        </button>
      )}
      {dialog}
    </>
  );
}

/** How many commands the project has, and how many wait for the person; nothing without any. */
export function HooksLine() {
  const { count } = useWords();
  const { all, waiting, look, dialog } = useHooks();
  if (all === 0) return null;
  return (
    <div className="hooks-line" data-waiting={waiting > 0 || undefined}>
      <Button
        size="s"
        kind={waiting > 0 ? 'plain' : 'quiet'}
        icon={SquareTerminal}
        data-testid="hooks-open"
        onClick={look}
      >
        {waiting > 0 ? count('hooks.waiting', waiting) : count('hooks.all', all)}
      </Button>
      {dialog}
    </div>
  );
}
