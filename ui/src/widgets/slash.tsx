import { useEffect } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Name } from '../kit/name';
import { type Callable, callableLike, callOf, needsNothing, usageOf } from '../state/slash';
import { type Field, useOffered, usePut, useWritten, type Written } from './offered';

/** The first word of a text that begins with `/`, while the caret stands in it. */
function writtenAt(text: string, caret: number): Written | null {
  const [word] = /^\/\S*/.exec(text) ?? [''];
  if (caret === 0 || caret > word.length) return null;
  return { from: 0, to: word.length, matching: word.slice(1, caret) };
}

const unwritten = () => null;

/** What is called, what it has to be told, and what it is for. */
function CallableRow({ one }: { one: Callable }) {
  const { t } = useWords();
  const usage = usageOf(one);
  const about =
    one.kind === 'own'
      ? t(`composer.call.${one.called}`)
      : visible(one.prompt.title ?? one.prompt.description);
  return (
    <span className="callable">
      <span className="callable-words">
        <Name className="mono" text={`/${one.called}`} />{' '}
        {usage && <Name className="mono usage" text={usage} />}
      </span>
      {about && <span className="callable-about clip">{about}</span>}
    </span>
  );
}

interface Props extends Field {
  /** What can be called; nothing where a `/` is no call. */
  callable?: readonly Callable[];
  /** Is told that a call is being written. */
  onCall?: () => void;
}

const NOTHING: readonly Callable[] = [];

/** Offers what can be called while a call is being written in a field. */
export function useSlash({ callable, onCall, ...field }: Props) {
  const { t, count } = useWords();
  const { area, text } = field;
  const { written, close, leave, look } = useWritten(field, callable ? writtenAt : unwritten);
  const put = usePut(field);
  const isCall = written !== null;
  const fitting = written ? callableLike(callable ?? NOTHING, written.matching) : NOTHING;

  // biome-ignore lint/correctness/useExhaustiveDependencies: is told once, when one begins to write it
  useEffect(() => {
    if (isCall) onCall?.();
  }, [isCall]);

  const offered = useOffered({
    written,
    options: fitting,
    keyOf: ({ called }) => called,
    row: (one) => <CallableRow one={one} />,
    label: t('composer.calls'),
    status: count('composer.calls.count', fitting.length),
    testId: 'offered-calls',
    onTake: (one) => {
      if (!written) return;
      const rest = text.slice(written.to).trimStart();
      // What it is told stands there already.
      const call = rest ? `/${one.called} ` : callOf(one);
      put(call + rest, call.length);
      leave();
      area.current?.focus();
    },
    onClose: close,
    isWhole: (one) => text.trim() === `/${one.called}` && needsNothing(one),
  });

  return { ...offered, look, leave };
}
