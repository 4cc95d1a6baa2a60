import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Eraser, ScrollText, X } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { LogLevel, LogRow } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button, IconButton } from '../kit/button';
import { Empty } from '../kit/empty';
import { Input } from '../kit/field';
import { Select } from '../kit/select';
import { Splitter } from '../kit/splitter';
import { emptyLog, filterLog, type LogLine, levels } from '../state/log';
import { LOG_HEIGHT, useApp, useView } from '../state/store';
import { useStickToEnd } from './stick-to-end';

/** Time of day with milliseconds, the same in every language. */
const clock = (iso: string) => {
  const at = new Date(iso);
  const two = (n: number) => String(n).padStart(2, '0');
  const ms = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
};

/** Each field on a line of its own. */
const fieldLines = (fields: LogRow['fields']) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');

interface RowProps {
  line: LogLine;
  open: boolean;
  onToggle: () => void;
}

function LogRowView({ line: { row }, open, onToggle }: RowProps) {
  const { t } = useWords();
  const hasFields = Object.keys(row.fields).length > 0;
  const cells = (
    <>
      <time dateTime={row.at} title={row.at}>
        {clock(row.at)}
      </time>
      <span className="level">{t(`log.level.${row.level}`)}</span>
      <span className="source clip">{visible(row.source)}</span>
      <span className="message">{visible(row.message)}</span>
    </>
  );
  return (
    <div className="log-row" data-level={row.level} data-kind={row.kind} data-testid="log-row">
      {hasFields ? (
        <button type="button" className="line" aria-expanded={open} onClick={onToggle}>
          {cells}
        </button>
      ) : (
        <div className="line">{cells}</div>
      )}
      {open && <pre className="fields">{visible(fieldLines(row.fields))}</pre>}
    </div>
  );
}

function Lines({ lines, filtered }: { lines: readonly LogLine[]; filtered: boolean }) {
  const { t } = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 24,
    getItemKey: useCallback((at: number) => lines[at]?.key ?? at, [lines]),
    overscan: 12,
  });
  const total = virtual.getTotalSize();
  const size = `${lines.at(-1)?.key}/${total}/${virtual.scrollRect?.height ?? 0}`;
  const { atEnd, onScroll, toEnd } = useStickToEnd(scroller, size);
  const toggle = (key: number) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <div className="log-frame">
      <div
        className="log-lines"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
        tabIndex={0}
        onScroll={onScroll}
        role="log"
        aria-live="off"
        aria-label={t('log.title')}
      >
        {lines.length === 0 && (
          <Empty
            icon={ScrollText}
            title={t(filtered ? 'log.none' : 'log.empty')}
            hint={t(filtered ? 'log.none.hint' : 'log.empty.hint')}
          />
        )}
        <div className="list-sizer" style={{ height: total }}>
          {virtual.getVirtualItems().map((at) => {
            const line = lines[at.index];
            if (!line) return null;
            return (
              <div
                key={at.key}
                ref={virtual.measureElement}
                data-index={at.index}
                className="log-place"
                style={{ transform: `translateY(${at.start}px)` }}
              >
                <LogRowView
                  line={line}
                  open={open.has(line.key)}
                  onToggle={() => toggle(line.key)}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!atEnd && lines.length > 0 && (
        <div className="jumps">
          <Button size="s" icon={ArrowDown} data-testid="log-latest" onClick={toEnd}>
            {t('log.latest')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The program's log and the run's tool calls, the newest at the bottom. */
export function LogDrawer() {
  const { store } = useApp();
  const { t, number } = useWords();
  const log = useView((v) => v.log);
  const height = useView((v) => v.logHeight);
  const [level, setLevel] = useState<LogLevel>('info');
  const [text, setText] = useState('');
  const lines = useMemo(() => filterLog(log, level, text), [log, level, text]);
  const clear = () => store.setState({ log: { ...emptyLog, next: log.next } });
  return (
    <aside
      className="log-drawer"
      aria-label={t('log.title')}
      data-testid="log-drawer"
      style={{ height }}
    >
      <Splitter
        orientation="horizontal"
        label={t('log.height')}
        size={height}
        {...LOG_HEIGHT}
        onSize={(logHeight) => store.setState({ logHeight })}
      />
      <header>
        <h2>{t('log.title')}</h2>
        <span className="hint" data-testid="log-count">
          {t('log.count', { shown: number(lines.length), all: number(log.lines.length) })}
        </span>
        {log.dropped > 0 && (
          <span className="dropped" role="status" data-testid="log-dropped">
            {t('log.dropped', { count: number(log.dropped) })}
          </span>
        )}
        <span className="grow" />
        <Input
          type="search"
          aria-label={t('log.filter')}
          placeholder={t('log.filter')}
          value={text}
          data-testid="log-filter"
          onChange={(event) => setText(event.target.value)}
        />
        <Select
          aria-label={t('log.level')}
          value={level}
          data-testid="log-level"
          choices={levels.map((each) => ({ value: each, label: t(`log.from.${each}`) }))}
          onChange={setLevel}
        />
        <IconButton icon={Eraser} label={t('log.clear')} data-testid="log-clear" onClick={clear} />
        <IconButton
          icon={X}
          label={t('log.close')}
          data-testid="log-close"
          onClick={() => store.setState({ logOpen: false })}
        />
      </header>
      <Lines lines={lines} filtered={log.lines.length > 0} />
    </aside>
  );
}
