import { ArrowUp, Square, X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Phase, Reason } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button, IconButton } from '../kit/button';
import { isCovered, isElsewhere, isFocusFree } from '../kit/focus';
import { type Callable, isStop } from '../state/slash';
import type { Queued } from '../state/store';
import { useMentions } from './mentions';
import { useSlash } from './slash';

interface Props {
  phase: Phase | null;
  /** Why the run rests. */
  reason?: Reason | null;
  /** The words that stand here are to be sent. */
  queued?: Queued | null;
  onQueue?: (queued: Queued | null) => void;
  /** A widget waits for an answer. */
  waiting: boolean;
  stopping: boolean;
  /** A demo that has been played: nobody would answer. */
  demoOver?: boolean;
  /** The last words were not accepted: the person says what becomes of them. */
  notAccepted?: boolean;
  /** Who is talked with in place of the run; without a name it is the model alone. */
  partner?: { name: string | null } | null;
  /** The command that goes with what is written, as it is called. */
  command?: string | null;
  onNoCommand?: () => void;
  /** What was being written when it was last shown. */
  draft?: string;
  /** Keeps what is being written. */
  onDraft?: (text: string) => void;
  /** Counts what leads the person here: the focus comes along. */
  turns?: number;
  /** Sends; resolves to false when it was not taken, and the words stay. */
  onSend: (text: string) => Promise<boolean>;
  /** Is told that the person has sent something, not that what they wrote ahead goes. */
  onAct?: () => void;
  onStop: () => void;
  /** Files that a mention may mean. */
  onFiles?: (matching: string) => Promise<readonly string[]>;
  /** What can be called by a `/` at the beginning. */
  callable?: readonly Callable[];
  /** Is told when a call begins to be written. */
  onCall?: () => void;
  /** A file that is to be mentioned, or words to be written behind what is there, until they are. */
  toWrite?: { path: string } | { words: string } | null;
  onWritten?: () => void;
}

/** What the empty composer says where somebody else than the run is talked with. */
function placeholderOf(phase: Phase | null, name: string | null): Key {
  if (phase === 'failed') return 'composer.failed.talk';
  if (phase === 'running')
    return name === null ? 'composer.running.chat' : 'composer.running.agent';
  return name === null ? 'composer.chat' : 'composer.agent';
}

/** What the empty composer says, by phase. */
function placeholder(props: Props): Key {
  const { phase, reason, waiting, demoOver, notAccepted, partner, command } = props;
  if (command && phase !== 'failed') return 'composer.command';
  if (partner && !(waiting && phase !== 'running') && !notAccepted) {
    return placeholderOf(phase, partner.name);
  }
  if (demoOver) return 'composer.demo';
  if (phase === 'running') return 'composer.running';
  if (phase === 'failed') return 'composer.failed';
  if (waiting) return 'composer.widget';
  if (notAccepted) return 'composer.notAccepted';
  if (reason === 'ended_early') return 'composer.ended';
  return phase === 'completed' ? 'composer.completed' : 'composer.placeholder';
}

/** True while an input method is choosing characters: its Enter is not ours. */
function isComposing(event: React.KeyboardEvent): boolean {
  // WebKit ends the composition before it sends the key, and marks the key with 229.
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** Grows the field with its text, in the room that it has. */
function useHeight(area: RefObject<HTMLTextAreaElement | null>, text: string) {
  const fit = useCallback(() => {
    const box = area.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight, 200)}px`;
  }, [area]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text shown
  useLayoutEffect(fit, [fit, text]);
  useEffect(() => {
    const box = area.current;
    if (!box) return;
    let width = box.clientWidth;
    const observer = new ResizeObserver(() => {
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      fit();
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [area, fit]);
}

/** True while the person writes somewhere, or something lies over the page. */
const isWriting = () =>
  document.activeElement?.matches('input, textarea, [role=combobox], [contenteditable]') ||
  isCovered();

/** Typing goes into the field whenever it is the person's turn and nothing else has the focus. */
function useFocus(
  area: RefObject<HTMLTextAreaElement | null>,
  { phase, waiting, turns }: Pick<Props, 'phase' | 'waiting' | 'turns'>,
) {
  const followed = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when the run moves
  useEffect(() => {
    const led = followed.current !== turns && !isWriting();
    const isNew = followed.current === undefined;
    followed.current = turns;
    const field = area.current;
    if (!field || !(led || isFocusFree())) return;
    field.focus({ preventScroll: true });
    // Whoever comes back to words that were not sent goes on behind them.
    if (isNew) field.setSelectionRange(field.value.length, field.value.length);
  }, [area, phase, waiting, turns]);
}

function StopButton({ stopping, onStop }: Pick<Props, 'stopping' | 'onStop'>) {
  const { t } = useWords();
  return (
    <Button icon={Square} busy={stopping} disabled={stopping} data-testid="stop" onClick={onStop}>
      {t('action.stop')}
      <kbd aria-hidden>{t('key.escape')}</kbd>
    </Button>
  );
}

/** Longer than a second press takes that was meant for the question before, in milliseconds. */
const MEANT = 700;

/** Esc stops the run from the whole window, unless the key belongs to what has the focus. */
function useStopKey(running: boolean, onStop: () => void) {
  const stop = useRef(onStop);
  stop.current = onStop;
  useEffect(() => {
    if (!running) return;
    const since = performance.now();
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (event.repeat || performance.now() - since < MEANT) return;
      if (isElsewhere(event.target)) return;
      event.preventDefault();
      stop.current();
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, [running]);
}

/** Whether words that were written ahead are sent now that the run rests. */
function goesNow({ reason, waiting, queued }: Props): boolean {
  if (waiting) return false;
  if (reason === 'stopped') return queued === 'now';
  return reason === 'answered' || reason === 'completed';
}

/** Sends what was written ahead as soon as it is the person's turn; true when it was held back. */
function useQueue(props: Props, send: () => void): [boolean, () => void] {
  const { phase, queued, onQueue } = props;
  const [held, setHeld] = useState(false);
  const known = useRef({ props, send });
  known.current = { props, send };
  const rests = phase !== null && phase !== 'running';
  useEffect(() => {
    if (!queued || !rests) return;
    const goes = goesNow(known.current.props);
    onQueue?.(null);
    setHeld(!goes);
    if (goes) known.current.send();
  }, [queued, rests, onQueue]);
  return [held, useCallback(() => setHeld(false), [])];
}

/** What becomes of words that are written while the run works. */
function Ahead({ queued, held, onNow }: { queued: boolean; held: boolean; onNow: () => void }) {
  const { t } = useWords();
  const words: Key = held ? 'composer.held' : queued ? 'composer.queued' : 'composer.ahead';
  return (
    <>
      <span className="hint" role="status" data-testid="composer-ahead">
        {t(words)}
      </span>
      {queued && (
        <Button size="s" data-testid="send-now" onClick={onNow}>
          {t('composer.now')}
        </Button>
      )}
    </>
  );
}

/** The command that goes with what is written. */
function CommandChip({ command, onNoCommand }: { command: string; onNoCommand?: () => void }) {
  const { t } = useWords();
  return (
    <span className="command-chip" data-testid="command-chip">
      <span className="clip">{visible(command)}</span>
      <IconButton
        icon={X}
        label={t('commands.remove', { command })}
        data-testid="command-remove"
        onClick={onNoCommand}
      />
    </span>
  );
}

function SendButton({ disabled }: { disabled: boolean }) {
  const { t } = useWords();
  return (
    <Button kind="primary" icon={ArrowUp} type="submit" data-testid="send" disabled={disabled}>
      {t('action.send')}
    </Button>
  );
}

/** Where the person writes. Enter sends, Shift+Enter makes a new line. */
export function Composer(props: Props) {
  const { phase, stopping, queued = null, onQueue, onDraft, onSend, onStop } = props;
  const { command = null, onNoCommand } = props;
  const { t } = useWords();
  const [text, setText] = useState(props.draft ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  const running = phase === 'running';
  // While it works the person can write ahead; it is sent when it is their turn.
  const disabled = phase === 'failed';
  const closed = running || disabled || phase === null;
  const [held, release] = useQueue(props, () => void send(true));
  useStopKey(running, onStop);

  const write = (next: string) => {
    setText(next);
    onDraft?.(next);
    // Who goes on writing sends it themselves.
    if (queued) onQueue?.(null);
    release();
  };
  const field = { area, text, onText: write };
  const mentions = useMentions({ ...field, find: props.onFiles });
  // Behind a command that was chosen, a `/` calls nothing.
  const callable = command === null ? props.callable : undefined;
  const slash = useSlash({ ...field, callable, onCall: props.onCall });
  const look = () => {
    mentions.look();
    slash.look();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each file and word is written once
  useEffect(() => {
    const { toWrite } = props;
    if (!toWrite) return;
    if ('path' in toWrite) mentions.put(toWrite.path);
    else write(text.trim() ? `${text}\n\n${toWrite.words}` : toWrite.words);
    props.onWritten?.();
  }, [props.toWrite]);

  // A command says something without any words beside it.
  const isEmpty = !text.trim() && command === null;

  useHeight(area, text);
  useFocus(area, props);

  const send = async (wasAhead = false) => {
    const words = text.trim();
    if (running && isStop(words)) {
      write('');
      return onStop();
    }
    if (!isEmpty && running) return onQueue?.('next');
    if (isEmpty || closed) return;
    // What was written ahead leads nobody away from what they read meanwhile.
    if (!wasAhead) props.onAct?.();
    // What is on its way is kept until it has been taken.
    setText('');
    const taken = await onSend(words);
    if (!taken) setText((now) => (now.trim() ? `${words}\n${now}` : words));
  };

  const keys = (event: React.KeyboardEvent) => {
    if (isComposing(event) || mentions.onKey(event) || slash.onKey(event)) return;
    if (event.key === 'Backspace' && !text && command !== null) return onNoCommand?.();
    if (event.key !== 'Enter' || event.shiftKey) return;
    // Without words, Ctrl+Enter means the decision that waits.
    if (isEmpty && (event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {command !== null && (
        <CommandChip
          command={command}
          onNoCommand={() => {
            onNoCommand?.();
            area.current?.focus();
          }}
        />
      )}
      <textarea
        ref={area}
        rows={1}
        aria-label={t('composer.label')}
        placeholder={t(placeholder(props), { name: props.partner?.name ?? '' })}
        value={text}
        disabled={disabled}
        data-focus-home
        data-testid="composer-input"
        {...mentions.field}
        {...slash.field}
        onChange={(event) => {
          write(event.target.value);
          look();
        }}
        onSelect={look}
        onDrop={mentions.dropped}
        onBlur={() => {
          mentions.leave();
          slash.leave();
        }}
        onKeyDown={keys}
      />
      {mentions.list}
      {slash.list}
      {(running || held) && !isEmpty && (
        <Ahead
          queued={queued !== null}
          held={held && !running}
          onNow={() => {
            onQueue?.('now');
            props.onAct?.();
            onStop();
          }}
        />
      )}
      {running ? (
        <StopButton stopping={stopping} onStop={onStop} />
      ) : (
        <SendButton disabled={closed || isEmpty} />
      )}
    </form>
  );
}
