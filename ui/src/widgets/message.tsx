import { Bot, Check, ChevronRight, Copy, PencilLine } from 'lucide-react';
import { memo } from 'react';
import type { AgentSummary, Item } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { useCopy } from '../kit/use-copy';
import { GivenFiles } from './given';
import { LongText } from './long-text';
import { InParts, Markdown } from './markdown';

export type MessageBody = Extract<Item['body'], { type: 'message' }>;

/** Takes the words of a message along, as they were written. */
function CopyWords({ text }: { text: string }) {
  const { t } = useWords();
  const { copied, copy, forget } = useCopy();
  return (
    <span className="copy" data-copied={copied || undefined}>
      <IconButton
        icon={copied ? Check : Copy}
        label={t(copied ? 'action.copied' : 'message.copy')}
        data-testid="copy-message"
        onClick={() => void copy(text)}
        onBlur={forget}
      />
    </span>
  );
}

/** A person's words. `sending` until the runtime has recorded them. */
export function UserMessage({
  text,
  files,
  at,
  sending,
  onAgain,
}: {
  text: string;
  files?: MessageBody['files'];
  at?: string;
  sending?: boolean;
  /** Changes the words, and goes back to where they were said; absent where that cannot be. */
  onAgain?: () => void;
}) {
  const { t, time } = useWords();
  return (
    <article className="said by-user" data-testid="message-user" aria-label={t('message.you')}>
      <LongText text={text}>
        {(shown) => (
          <p className="bubble" data-sending={sending ? 'true' : undefined}>
            {shown}
          </p>
        )}
      </LongText>
      <GivenFiles files={files} />
      <span className="when">
        {onAgain && (
          <span className="copy">
            <IconButton
              icon={PencilLine}
              label={t('message.again')}
              data-testid="message-again"
              onClick={onAgain}
            />
          </span>
        )}
        {!sending && <CopyWords text={text} />}
        {sending ? t('message.sending') : at && time(at)}
      </span>
    </article>
  );
}

interface Props {
  body: MessageBody;
  at: string;
  agent?: AgentSummary;
  /** False when the same speaker's words stand right above. */
  headed: boolean;
}

/** The model's words, growing while they are written. */
export const AssistantMessage = memo(({ body, at, agent, headed }: Props) => {
  const { t, time } = useWords();
  const name = visible(agent?.name ?? body.agent ?? t('message.assistant'));
  return (
    <article
      className="said by-assistant"
      data-testid="message-assistant"
      data-streaming={body.streaming}
      aria-label={name}
    >
      {headed && (
        <header>
          <span className="avatar" aria-hidden>
            {agent?.icon ? visible(agent.icon) : <Bot size={14} />}
          </span>
          <h2>{name}</h2>
          {agent?.title && <span className="role">{visible(agent.title)}</span>}
          <span className="when">{time(at)}</span>
        </header>
      )}
      {body.thinking && (
        <details className="thinking">
          <summary>
            <ChevronRight size={13} aria-hidden />
            {t(body.streaming && !body.text ? 'message.thinking.live' : 'message.thinking')}
          </summary>
          <LongText text={body.thinking} grows={body.streaming}>
            {(shown) => <p>{shown}</p>}
          </LongText>
        </details>
      )}
      {(body.text || !body.thinking) && (
        <InParts value>
          <Markdown text={body.text} streaming={body.streaming} />
        </InParts>
      )}
      {body.cut && <p className="cut">{t('message.cut')}</p>}
      {body.text && !body.streaming && <CopyWords text={body.text} />}
    </article>
  );
});
