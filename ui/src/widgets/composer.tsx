import { ArrowUp, Square } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Phase } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';

interface Props {
  phase: Phase | null;
  /** A widget waits for an answer. */
  waiting: boolean;
  stopping: boolean;
  /** A demo that has been played: nobody would answer. */
  demoOver?: boolean;
  /** Sends; resolves to false when it was not taken, and the words stay. */
  onSend: (text: string) => Promise<boolean>;
  onStop: () => void;
}

/** What the empty composer says, by phase. */
function placeholder(phase: Phase | null, waiting: boolean, demoOver = false): Key {
  if (demoOver) return 'composer.demo';
  if (phase === 'running') return 'composer.running';
  if (phase === 'failed') return 'composer.failed';
  if (waiting) return 'composer.widget';
  return phase === 'completed' ? 'composer.completed' : 'composer.placeholder';
}

/** True while an input method is choosing characters: its Enter is not ours. */
export function isComposing(event: React.KeyboardEvent): boolean {
  // WebKit ends the composition before it sends the key, and marks the key with 229.
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** Grows the field with its text, and gives the focus back when it opens again. */
function useTextArea(area: RefObject<HTMLTextAreaElement | null>, text: string, disabled: boolean) {
  const hadFocus = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text shown
  useLayoutEffect(() => {
    const box = area.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight, 200)}px`;
  }, [text, area]);

  // A disabled field loses the focus; the person who was writing gets it back.
  useEffect(() => {
    if (!disabled && hadFocus.current && document.activeElement === document.body) {
      area.current?.focus();
    }
  }, [disabled, area]);

  return () => {
    hadFocus.current = true;
  };
}

function StopButton({ stopping, onStop }: Pick<Props, 'stopping' | 'onStop'>) {
  const { t } = useWords();
  return (
    <Button icon={Square} busy={stopping} disabled={stopping} data-testid="stop" onClick={onStop}>
      {t('action.stop')}
    </Button>
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
export function Composer({ phase, waiting, stopping, demoOver, onSend, onStop }: Props) {
  const { t } = useWords();
  const [text, setText] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const running = phase === 'running';
  const disabled = running || phase === null || phase === 'failed';

  const keepFocus = useTextArea(area, text, disabled);

  const send = async () => {
    const words = text.trim();
    if (!words || disabled) return;
    keepFocus();
    setText('');
    if (!(await onSend(words))) setText((now) => now || words);
  };

  const keys = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
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
      <textarea
        ref={area}
        rows={1}
        aria-label={t('composer.label')}
        placeholder={t(placeholder(phase, waiting, demoOver))}
        value={text}
        disabled={disabled}
        data-testid="composer-input"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={keys}
      />
      {running ? (
        <StopButton stopping={stopping} onStop={onStop} />
      ) : (
        <SendButton disabled={disabled || !text.trim()} />
      )}
    </form>
  );
}
