import { Check, ChevronLeft, ChevronRight, Copy, LoaderCircle, ScanEye } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Phrase, RequestMessage, RequestRow, RequestView } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Switch } from '../kit/field';
import { Fold } from '../kit/fold';
import { useCopy } from '../kit/use-copy';
import { closeRequests, openRequests, showRequest } from '../state/requests';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import './model-view.css';

/** Messages that are listed at once. */
const PAGE = 200;
/** Characters of a text that are shown at once. */
const SHOWN = 20_000;

const phrase = (key: string, values: Phrase['values'] = {}): Phrase => ({ key, values });

/** What came of a request, in words. */
function useEnd(): (row: RequestRow) => string {
  const { say, failure, number } = useWords();
  return ({ end, purpose }) => {
    switch (end.type) {
      case 'replied':
        if (purpose === 'summary') return say(phrase('summed_up')) ?? '';
        return end.calls === 0
          ? (say(phrase('answered_in_words')) ?? '')
          : (say(phrase('answered_with_calls', { count: number(end.calls) })) ?? '');
      case 'not_accepted':
        return say(phrase('words_not_accepted')) ?? '';
      case 'too_long':
        return say(phrase('refused_as_too_long', { why: failure(end.failure).title })) ?? '';
      case 'failed':
        return say(phrase('came_to_nothing', { why: failure(end.failure).title })) ?? '';
    }
  };
}

function useTook(): (row: RequestRow) => string | null {
  const { t, number, about } = useWords();
  return ({ usage }) =>
    usage
      ? t('requests.took', {
          prompt: about(usage.promptTokens, usage.estimated),
          completion: number(usage.completionTokens),
        })
      : null;
}

function ListRow({ row, chosen }: { row: RequestRow; chosen: boolean }) {
  const app = useApp();
  const { time } = useWords();
  const [end, took] = [useEnd()(row), useTook()(row)];
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (chosen) button.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <li>
      <button
        ref={button}
        type="button"
        data-testid="request-row"
        data-end={row.end.type}
        aria-current={chosen || undefined}
        onClick={() => void showRequest(app, row.number)}
      >
        <span className="line">
          <strong>{row.number}</strong>
          <span className="hint">{time(row.at)}</span>
        </span>
        <span>{end}</span>
        {took && <span className="hint">{took}</span>}
      </button>
    </li>
  );
}

/** A text as it is; a long one is cut until all of it is asked for. */
function Text({ text }: { text: string }) {
  const { t, size } = useWords();
  const [whole, setWhole] = useState(text.length <= SHOWN);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
      <pre tabIndex={0}>{visible(whole ? text : text.slice(0, SHOWN))}</pre>
      {!whole && (
        <Button size="s" kind="quiet" onClick={() => setWhole(true)}>
          {t('requests.all', { size: size(text.length) })}
        </Button>
      )}
    </>
  );
}

interface MessageProps {
  it: RequestMessage;
  isNew: boolean;
  /** Whether its number of tokens is an estimate. */
  estimated: boolean;
}

function Message({ it, isNew, estimated }: MessageProps) {
  const { t, say, about } = useWords();
  const { role, content, tool_calls: calls = [], tool_call_id: answers } = it.message;
  return (
    <li data-testid="request-message" data-source={it.source}>
      <Fold
        unfolded={isNew}
        label={
          <>
            <span className="mono role">{role}</span>
            <span>{say(phrase(`source_${it.source}`)) ?? it.source}</span>
            <span className="hint">
              {t('requests.tokens', { count: about(it.tokens, estimated) })}
            </span>
            {isNew && <Badge tone="accent">{t('requests.new')}</Badge>}
          </>
        }
      >
        {answers && <p className="hint mono">{t('requests.answers', { id: answers })}</p>}
        {content !== '' && <Text text={content} />}
        {calls.map((call) => (
          <div key={call.id}>
            <p className="hint mono">{t('requests.calls', { name: `${call.name} ${call.id}` })}</p>
            <Text text={call.arguments} />
          </div>
        ))}
      </Fold>
    </li>
  );
}

function Messages({ view, onlyNew }: { view: RequestView; onlyNew: boolean }) {
  const { t, number } = useWords();
  const [most, setMost] = useState(PAGE);
  const compared = view.before !== undefined;
  const all = onlyNew ? view.messages.filter((it) => it.isNew) : view.messages;
  const earlier = Math.max(0, all.length - most);
  return (
    <ul className="messages">
      {earlier > 0 && (
        <li>
          <Button size="s" kind="quiet" onClick={() => setMost(most + PAGE)}>
            {t('requests.earlier', { count: number(Math.min(earlier, PAGE)) })}
          </Button>
        </li>
      )}
      {all.slice(earlier).map((it, at) => (
        <Message
          key={earlier + at}
          it={it}
          isNew={compared && it.isNew}
          estimated={view.estimated}
        />
      ))}
    </ul>
  );
}

function Tools({ view, compared }: { view: RequestView; compared: boolean }) {
  const { t, number, about } = useWords();
  const { tools, estimated } = view;
  const tokens = tools.reduce((sum, it) => sum + it.tokens, 0);
  if (tools.length === 0) return null;
  return (
    <section>
      <h3>
        {t('requests.tools')}
        <span className="hint">
          {number(tools.length)} · {t('requests.tokens', { count: about(tokens, estimated) })}
        </span>
      </h3>
      <ul className="messages">
        {tools.map(({ tool, isNew }) => (
          <li key={tool.name}>
            <Fold
              label={
                <>
                  <span className="mono">{visible(tool.name)}</span>
                  {compared && isNew && <Badge tone="accent">{t('requests.new')}</Badge>}
                </>
              }
            >
              <Text text={tool.description} />
              <Text text={JSON.stringify(tool.parameters, null, 2)} />
            </Fold>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether what is shown is what was sent. */
function Proof({ isAsSent, sha256 }: Pick<RequestView, 'isAsSent' | 'sha256'>) {
  const { t, say } = useWords();
  if (isAsSent === null) {
    return <Badge data-testid="request-proof">{t('requests.unproved')}</Badge>;
  }
  const title = isAsSent ? phrase('exactly_as_sent', { sha256 }) : phrase('built_otherwise');
  return (
    <span title={say(title) ?? undefined}>
      <Badge tone={isAsSent ? 'ok' : 'warn'} data-testid="request-proof">
        {isAsSent && <Check size={11} aria-hidden />}
        {t(isAsSent ? 'requests.as_sent' : 'requests.otherwise')}
      </Badge>
    </span>
  );
}

/** What is to be known of a request before it is read. */
function About({ view }: { view: RequestView }) {
  const { t, say, number } = useWords();
  const { before, messages, gone, goneTools, leftOut, isAsSent } = view;
  const said = [
    isAsSent === null && phrase('hash_not_kept'),
    isAsSent === false && phrase('built_otherwise'),
    leftOut.byShortening > 0 &&
      phrase('left_by_shortening', { count: number(leftOut.byShortening) }),
    leftOut.ofEarlierSteps > 0 &&
      phrase('left_of_earlier_steps', { count: number(leftOut.ofEarlierSteps) }),
    ...view.shortened,
    goneTools.length > 0 && phrase('tools_gone', { names: goneTools.join(', ') }),
    view.row.repaired && phrase('calls_were_text'),
    view.mustCall && phrase('must_call_a_tool'),
    view.maxTokens !== null && phrase('answer_at_most', { tokens: number(view.maxTokens) }),
  ].flatMap((it) => (it ? [say(it) ?? ''] : []));
  const fresh = messages.filter((it) => it.isNew).length;
  return (
    <ul className="about">
      {before !== undefined && (
        <li>
          {t('requests.new_and_gone', {
            number: before,
            fresh: number(fresh),
            gone: number(gone.length),
          })}
        </li>
      )}
      {said.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function Shown({ view }: { view: RequestView }) {
  const { t, say, number } = useWords();
  const [onlyNew, setOnlyNew] = useState(false);
  const [end, took] = [useEnd()(view.row), useTook()(view.row)];
  const { row, before, gone } = view;
  const inSeconds = (ms: number | undefined) => (ms === undefined ? null : number(ms / 1000));
  const [seconds, first] = [inSeconds(row.durationMs), inSeconds(row.firstTokenMs)];
  const facts = [
    end,
    took,
    seconds && t('requests.seconds', { seconds }),
    first && say(phrase('first_after', { seconds: first })),
    row.model && visible(row.model),
  ];
  return (
    <>
      <header>
        <h3>{t('requests.number', { number: row.number })}</h3>
        <Proof {...view} />
        <p className="hint">{facts.filter(Boolean).join(' · ')}</p>
      </header>
      <About view={view} />
      {before !== undefined && (
        <Switch label={t('requests.only_new')} checked={onlyNew} onChange={setOnlyNew} />
      )}
      <Messages view={view} onlyNew={onlyNew} />
      {gone.length > 0 && (
        <section>
          <h3>
            {t('requests.gone')}
            <span className="hint">{number(gone.length)}</span>
          </h3>
          <ul className="messages">
            {gone.slice(0, PAGE).map((it, at) => (
              <Message key={at} it={it} isNew={false} estimated={view.estimated} />
            ))}
          </ul>
        </section>
      )}
      <Tools view={view} compared={before !== undefined} />
    </>
  );
}

function CopyRequest({ view }: { view: RequestView }) {
  const { t } = useWords();
  const { copied, copy, forget } = useCopy();
  const request = () => {
    const messages = view.messages.map((it) => it.message);
    const tools = view.tools.map((it) => it.tool);
    return JSON.stringify({ messages, tools }, null, 2);
  };
  return (
    <Button
      kind="quiet"
      icon={copied ? Check : Copy}
      onClick={() => void copy(request())}
      onBlur={forget}
    >
      {t(copied ? 'requests.copied' : 'requests.copy')}
    </Button>
  );
}

/** Every request of the conversation, and one of them as the model saw it. */
export function ModelView() {
  const app = useApp();
  const { t, number: count } = useWords();
  const requests = useView((v) => v.requests);
  if (requests === null) return null;
  const { list, number, view } = requests;
  const rows = list?.ok ? list.value.requests : [];
  const earlier = list?.ok ? list.value.earlier : 0;
  const at = rows.findIndex((row) => row.number === number);
  const step = (by: number) => {
    const row = rows[at + by];
    if (row) void showRequest(app, row.number);
  };
  const failed = [list, view].find((it) => it?.ok === false);
  return (
    <Dialog
      title={t('requests.title')}
      width={1040}
      testId="model-view"
      onClose={() => closeRequests(app)}
      footer={
        <>
          <Button icon={ChevronLeft} disabled={at <= 0} onClick={() => step(-1)}>
            {t('requests.previous')}
          </Button>
          <Button
            icon={ChevronRight}
            disabled={at < 0 || at === rows.length - 1}
            onClick={() => step(1)}
          >
            {t('requests.next')}
          </Button>
          <span className="grow" />
          {view?.ok && <CopyRequest key={view.value.row.number} view={view.value} />}
          <Button onClick={() => closeRequests(app)}>{t('action.close')}</Button>
        </>
      }
    >
      <div className="model-view">
        {rows.length > 0 && (
          <nav aria-label={t('requests.list')}>
            {earlier > 0 && (
              <p className="hint">{t('requests.older', { count: count(earlier) })}</p>
            )}
            <ol>
              {rows.map((row) => (
                <ListRow key={row.number} row={row} chosen={row.number === number} />
              ))}
            </ol>
          </nav>
        )}
        <article>
          {list?.ok && rows.length === 0 && <p className="hint">{t('requests.empty')}</p>}
          {failed?.ok === false && <FailureBox failure={failed.failure} />}
          {view?.ok && <Shown key={view.value.row.number} view={view.value} />}
          {!failed && view === null && (list === null || rows.length > 0) && (
            <LoaderCircle className="spin" size={18} aria-label={t('requests.title')} />
          )}
        </article>
      </div>
    </Dialog>
  );
}

/** What leads there, beside the conversation. */
export function ModelViewLink() {
  const app = useApp();
  const { t } = useWords();
  return (
    <section>
      <h2>{t('requests.title')}</h2>
      <p className="hint">{t('requests.hint')}</p>
      <Button
        size="s"
        icon={ScanEye}
        data-testid="open-requests"
        onClick={() => void openRequests(app)}
      >
        {t('requests.open')}
      </Button>
    </section>
  );
}
