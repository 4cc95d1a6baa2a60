import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Name } from '../kit/name';
import { LongText } from './long-text';
import { pretty } from './pretty';
import type { ServerAnswer, ServerPart } from './tool';
import './server.css';

function Part({ part }: { part: ServerPart }) {
  const { t, size } = useWords();
  switch (part.kind) {
    case 'text':
      return (
        <LongText text={part.text}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
          {(shown) => <pre tabIndex={0}>{shown}</pre>}
        </LongText>
      );
    case 'link':
      return (
        <p className="hint">
          {t('server.part.link')} <Name text={part.name} />{' '}
          <Name className="mono" text={part.uri} />
        </p>
      );
    case 'binary':
      return (
        <p className="hint">
          {t('server.part.binary', { kind: part.type, size: size(part.bytes) })}
        </p>
      );
    case 'other':
      return <p className="hint">{t('server.part.other')}</p>;
  }
}

/** What a server answered: its texts as texts, and in words what cannot be shown. */
export function ServerResult({ answer }: { answer: ServerAnswer }) {
  const { t, count } = useWords();
  const { parts, structured, leftOut } = answer;
  return (
    <div className="server-result" data-testid="server-result">
      {parts.map((part, at) => (
        <Part key={at} part={part} />
      ))}
      {leftOut > 0 && <p className="hint">{count('server.left', leftOut)}</p>}
      {structured !== undefined && (
        <>
          <h3>{t('server.structured')}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
          <pre tabIndex={0}>{visible(pretty(structured).trim())}</pre>
        </>
      )}
    </div>
  );
}
