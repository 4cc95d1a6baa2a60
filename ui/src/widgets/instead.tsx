import { useState } from 'react';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { Field, TextArea } from '../kit/field';
import type { WidgetProps } from './props';

/** A no with the person's words: what they want in place of what they do not allow. */
export interface Instead {
  /** It is being written. */
  isOpen: boolean;
  /** They left it: whoever did so by key goes on at its button. */
  wasLeft: boolean;
  words: string;
  error: Key | null;
  open: () => void;
  write: (words: string) => void;
  /** What is written stays. */
  leave: () => void;
  send: () => void;
}

/** What is kept of it. */
interface Draft {
  instead: string;
  isOpen: boolean;
}

/** The words are kept like what is filled into a form. */
export function useInstead({ draft, onDraft, onSubmit }: WidgetProps): Instead {
  const { instead: words = '', isOpen = false } = (draft ?? {}) as Partial<Draft>;
  const [error, setError] = useState<Key | null>(null);
  const [wasLeft, setWasLeft] = useState(false);
  const keep = (kept: Draft) => {
    onDraft(kept.isOpen || kept.instead ? kept : null);
    setError(null);
  };
  return {
    isOpen,
    wasLeft,
    words,
    error,
    open: () => keep({ instead: words, isOpen: true }),
    write: (instead) => keep({ instead, isOpen: true }),
    leave: () => {
      keep({ instead: words, isOpen: false });
      setWasLeft(true);
    },
    send: () => {
      const instead = words.trim();
      if (instead) onSubmit({ confirmed: false, instead });
      else setError('widget.required');
    },
  };
}

/** Where it is written. Esc leaves it, Ctrl+Enter sends it. */
export function InsteadField({ instead }: { instead: Instead }) {
  const { t } = useWords();
  const { words, error, write, leave, send } = instead;
  return (
    <Field label={t('instead.label')} error={error ? t(error) : undefined}>
      {(ids) => (
        <TextArea
          {...ids}
          autoFocus
          rows={2}
          value={words}
          data-testid="instead-words"
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Escape') leave();
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
            else return;
            event.preventDefault();
          }}
        />
      )}
    </Field>
  );
}

/** What can be done with it, in place of what else can be answered. */
export function InsteadButtons({ instead, busy }: { instead: Instead; busy: boolean }) {
  const { t } = useWords();
  return (
    <>
      <span className="hint">{t('instead.keys')}</span>
      <Button disabled={busy} data-testid="instead-cancel" onClick={instead.leave}>
        {t('instead.cancel')}
      </Button>
      <Button
        kind="primary"
        busy={busy}
        disabled={busy}
        data-testid="instead-send"
        onClick={instead.send}
      >
        {t('instead.send')}
      </Button>
    </>
  );
}
