import {
  Ban,
  BookOpen,
  Bot,
  Check,
  ChevronRight,
  CircleMinus,
  CircleSlash,
  CircleX,
  ClipboardCheck,
  FilePen,
  FileSearch,
  FolderInput,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  MessageCircleQuestion,
  Milestone,
  Plug,
  SearchCheck,
  Trash2,
  Undo2,
} from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { CallState, EffectClass, Item } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Diff } from '../kit/diff';
import { Name } from '../kit/name';
import { movesOrGoes } from './confirmation';
import { OpenFile } from './file-link';
import { duration, pretty } from './pretty';
import { ResultFiles } from './restored';
import { type ByTool, codeOf, isCallOf, ofTool } from './tool';

export type CallBody = Extract<Item['body'], { type: 'call' }>;

const icons: Record<EffectClass, LucideIcon> = {
  read: BookOpen,
  write_project: FilePen,
  write_state: Milestone,
  session: MessageCircleQuestion,
  external: Plug,
  delegate: Bot,
};

/** Tools whose class alone does not say what they do. */
const special: ByTool<{ icon: LucideIcon; words: Key }> = {
  'fs.glob': { icon: FileSearch, words: 'tool.glob' },
  'fs.move': { icon: FolderInput, words: 'tool.move' },
  'fs.delete': { icon: Trash2, words: 'tool.delete' },
  'workflow.rewind': { icon: Undo2, words: 'tool.rewind' },
  'agent.report': { icon: ClipboardCheck, words: 'tool.report' },
};

const outcomes: Record<CallState, LucideIcon> = {
  running: LoaderCircle,
  waiting: Hourglass,
  done: Check,
  asked: MessageCircleQuestion,
  refused: Ban,
  missing: CircleSlash,
  handled: CircleMinus,
  failed: CircleX,
  inDoubt: SearchCheck,
};

function Part({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <h3>{name}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
      <pre tabIndex={0}>{visible(pretty(value).trim())}</pre>
    </>
  );
}

/** Why a call came to nothing, in the reader's language; its result is in the words the model reads. */
function Reason({ result }: { result: unknown }) {
  const { reason } = useWords();
  const code = codeOf(result);
  const words = code === null ? null : reason(code);
  return words && <p data-testid="call-reason">{words}</p>;
}

interface Props {
  call: CallBody;
  /** Whether it was open when it was last in sight. */
  unfolded?: boolean;
  onUnfold?: (open: boolean) => void;
}

/** Whether a call is about one file that is there to be opened. */
const opens = ({ tool, state }: CallBody) =>
  state === 'done' && isCallOf(tool, 'fs.read', 'fs.write', 'fs.apply_patch');

/** A tool call in one line; opens to arguments, result and change. */
export const CallCard = memo(({ call, unfolded = false, onUnfold }: Props) => {
  const { t } = useWords();
  const [open, setOpen] = useState(unfolded);
  const id = useId();
  const tool = ofTool(special, call.tool);
  const Icon = tool?.icon ?? icons[call.class];
  const Outcome = outcomes[call.state];
  const state = t(`call.${call.state}` as Key);
  return (
    <div
      className="call"
      data-testid="call-card"
      data-state={call.state}
      data-tool={call.tool}
      data-class={call.class}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          setOpen(!open);
          onUnfold?.(!open);
        }}
      >
        <span className="icon" title={t(tool?.words ?? (`class.${call.class}` as Key))}>
          <Icon size={14} aria-hidden />
        </span>
        <span className="tool mono">{visible(call.tool)}</span>
        <Name className="path mono clip" text={call.path ?? ''} />
        <span className="state">
          <Outcome
            size={13}
            className={call.state === 'running' ? 'spin' : undefined}
            aria-hidden
          />
          {state}
        </span>
        {call.durationMs > 0 && <span className="time">{duration(call.durationMs)}</span>}
        <ChevronRight size={14} className="chevron" aria-hidden />
      </button>
      {open && (
        <div className="call-body" id={id}>
          {call.repaired && <p className="hint">{t('call.repaired')}</p>}
          <Reason result={call.result} />
          {call.path && opens(call) && <OpenFile path={call.path} />}
          {call.diff && (
            <>
              <h3>{t('call.change')}</h3>
              <Diff diff={call.diff} asIs={movesOrGoes(call.tool)} label={t('call.change')} />
            </>
          )}
          {isCallOf(call.tool, 'workflow.rewind') && call.state === 'done' && (
            <ResultFiles result={call.result} />
          )}
          <Part name={t('call.arguments')} value={call.args} />
          {call.result !== undefined && <Part name={t('call.result')} value={call.result} />}
        </div>
      )}
    </div>
  );
});
