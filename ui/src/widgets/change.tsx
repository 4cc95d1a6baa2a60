import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { isOfServer, type ServerTool, serverToolOf } from '../bridge/server-tool';
import type { ChangeEffect, ChangeView } from '../bridge/wire';
import { type Key, useWords, type Words } from '../i18n';
import { Diff } from '../kit/diff';
import { madeBy } from '../kit/diff-lines';
import { Segments } from '../kit/field';
import { isCovered } from '../kit/focus';
import { Name } from '../kit/name';
import { WholeDiff } from '../kit/whole-diff';
import type { Look } from '../state/store';
import { isMarkdown } from './file-kind';
import { Markdown } from './markdown';
import type { Opening } from './opening';
import type { WidgetProps } from './props';
import { RestoredFiles } from './restored';

const verbs: Record<ChangeEffect, Key> = {
  made: 'decide.create',
  changed: 'decide.change',
  gone: 'decide.delete',
  moved: 'decide.move',
  back: 'decide.rewind',
};

/** True for the call of a server's tool: no file is known to change. */
export const isServerCall = (change: ChangeView | undefined): boolean =>
  change !== undefined && isOfServer(change.tool);

/** True for one of which the server says that it may take something away. */
export const mayDestroy = ({ parts }: ChangeView): boolean =>
  parts.some(({ key }) => key === 'may_destroy');

/** What a change does to what is named beside it. */
export const verbOf = (change: ChangeView): Key =>
  isServerCall(change) ? 'server.call' : verbs[change.effect];

/** The tool that would be called: by its own name, which is not always that for models. */
function calledBy({ tool, parts }: ChangeView): ServerTool | null {
  const said = parts.find(({ key }) => key === 'calls_tool')?.values;
  if (typeof said?.tool !== 'string' || typeof said.server !== 'string') return serverToolOf(tool);
  return { tool: said.tool, server: said.server };
}

/** What a change is about: a file, the step that the run goes back to, or the tool of a server. */
export function objectOf(change: ChangeView, t: Words['t']): string {
  const { effect, backTo, path, tool } = change;
  if (isServerCall(change)) {
    const of = calledBy(change);
    return of ? `${of.tool} · ${of.server}` : tool;
  }
  if (backTo !== undefined) return t('decide.step', { step: backTo });
  return effect === 'back' ? t('decide.earlier') : path;
}

/** The same, as it stands in a heading. */
export function ChangeObject({ change }: { change: ChangeView }) {
  const { t } = useWords();
  const text = objectOf(change, t);
  return <Name className={change.effect === 'back' ? undefined : 'mono'} text={text} />;
}

/** True for what is asked about with the text or the names of files, and changes no line of them. */
const isAsIs = (change: ChangeView): boolean =>
  change.effect === 'gone' || change.effect === 'moved' || isServerCall(change);

/** The text that a change makes where there was none, when it can be read as Markdown. */
function madeText(change: ChangeView | undefined, diff: string): string | null {
  if (change?.effect !== 'made' || isServerCall(change)) return null;
  return isMarkdown(change.path) ? madeBy(diff) : null;
}

/** How the change can be looked at; only one way where there is nothing to choose. */
function looksOf(change: ChangeView | undefined, made: string | null, whole: boolean): Look[] {
  // What has to be read to its end is read in one way.
  if (whole || !change?.diff || isAsIs(change) || change.effect === 'back') return ['lines'];
  if (change.effect === 'made') return made === null ? ['lines'] : ['lines', 'preview'];
  return ['lines', 'split'];
}

/** The look that was chosen, as far as this change can be looked at like that. */
export interface Looking {
  look: Look;
  looks: Look[];
  /** The text of its preview. */
  made: string;
  choose: (look: Look) => void;
}

/** How a change is looked at; while it can be answered, Alt+D shows it in the next way. */
export function useLooking(props: WidgetProps, opening: Opening): Looking {
  const { widget, change, locked, look: chosen, onLook: choose } = props;
  const isWhole = opening.whole !== null;
  const diff = widget.cut ? '' : (change?.diff ?? '');
  const made = useMemo(() => madeText(change, diff), [change, diff]);
  const looks = useMemo(() => looksOf(change, made, isWhole), [change, made, isWhole]);
  const look = looks.includes(chosen) ? chosen : 'lines';
  const next = useRef<() => void>(() => undefined);
  next.current = () => choose(looks[(looks.indexOf(look) + 1) % looks.length] ?? 'lines');
  const listens = !locked && looks.length > 1;
  useEffect(() => {
    if (!listens) return;
    const keys = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyD') return;
      if (event.defaultPrevented || event.repeat || isCovered()) return;
      event.preventDefault();
      next.current();
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, [listens]);
  return { look, looks, made: made ?? '', choose };
}

/** The ways in which a change can be looked at. */
export function Looks({ looking: { look, looks, choose } }: { looking: Looking }) {
  const { t } = useWords();
  if (looks.length === 1) return null;
  return (
    <div className="looks" title={t('diff.looks')}>
      <Segments
        label={t('diff.looks')}
        value={look}
        choices={looks.map((it) => ({ value: it, label: t(`diff.${it}`), testId: `look-${it}` }))}
        onChange={choose}
      />
    </div>
  );
}

interface LinesProps extends Pick<WidgetProps, 'locked'> {
  change: ChangeView;
  opening: Opening;
  looking: Looking;
  scroller: RefObject<HTMLElement | null>;
}

/** What the lines are. */
export const labelOf = (change: ChangeView | undefined): Key =>
  isServerCall(change) ? 'call.arguments' : 'confirm.diff';

/** The lines that change, side by side or one below the other, or what they read as. */
function Lines({ change, locked, opening, looking, scroller }: LinesProps) {
  const { t } = useWords();
  const { look, made } = looking;
  const label = t(labelOf(change));
  const source = { asIs: isAsIs(change), split: look === 'split', label };
  if (look === 'preview') {
    return (
      <section className="diff read" aria-label={t('diff.preview')} data-testid="change-preview">
        <Markdown text={made} />
      </section>
    );
  }
  // Nothing scrolls in an answered question: there it would be as high as all its lines.
  if (opening.whole && !locked) {
    const { onEnd } = opening;
    return <WholeDiff {...source} diff={opening.whole.diff} scroller={scroller} onEnd={onEnd} />;
  }
  return change.diff && <Diff {...source} diff={change.diff} />;
}

interface ChangeProps extends LinesProps {
  refused: boolean;
}

/** What the click authorises, as the runtime computed it. */
export function Change({ refused, ...props }: ChangeProps) {
  const { t } = useWords();
  const { change, opening } = props;
  const lines = <Lines {...props} />;
  if (isServerCall(change)) {
    return (
      <section className="call-arguments" data-testid="call-arguments">
        <h3>{t('call.arguments')}</h3>
        {lines}
      </section>
    );
  }
  const isFolded = refused || (change.effect === 'back' && !opening.whole);
  const label: Key = refused ? 'confirm.diff.refused' : 'confirm.diff.technical';
  return (
    <>
      {(change.files ?? change.conflicts) && (
        <RestoredFiles
          files={(change.files ?? []).map((f) => ({ ...f, removed: !f.postHash }))}
          conflicts={change.conflicts ?? []}
          done={false}
        />
      )}
      {change.diff && isFolded ? (
        <details data-testid={refused ? 'refused-diff' : 'technical-diff'}>
          <summary className="hint">{t(label)}</summary>
          {lines}
        </details>
      ) : (
        lines
      )}
    </>
  );
}
