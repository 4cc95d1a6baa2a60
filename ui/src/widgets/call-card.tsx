import {
  Ban,
  BookMarked,
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
  GraduationCap,
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
import { isOfServer, serverToolOf } from '../bridge/server-tool';
import type { CallState, EffectClass, EffectKind, Item } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Diff } from '../kit/diff';
import { Name } from '../kit/name';
import { FileChip } from './file-chip';
import { OpenFile } from './file-link';
import { pretty } from './pretty';
import { ResultFiles } from './restored';
import { ServerResult } from './server-result';
import { type ByTool, codeOf, isCallOf, ofTool, serverAnswerOf, skillOf } from './tool';

export type CallBody = Extract<Item['body'], { type: 'call' }>;

const icons: Record<EffectClass, LucideIcon> = {
  read: BookOpen,
  write_project: FilePen,
  write_state: Milestone,
  session: MessageCircleQuestion,
  external: Plug,
  delegate: Bot,
};

/** What a tool does, in a word. */
const verbs: ByTool<Key> = {
  'fs.read': 'call.verb.read',
  'fs.list': 'call.verb.list',
  'fs.search': 'call.verb.search',
  'fs.glob': 'call.verb.glob',
  'fs.write': 'call.verb.write',
  'fs.apply_patch': 'call.verb.change',
  'fs.move': 'call.verb.move',
  'fs.delete': 'call.verb.delete',
  'workflow.rewind': 'call.verb.rewind',
  'agent.report': 'call.verb.report',
  'todo.write': 'call.verb.todos',
  'todo.list': 'call.verb.todos',
  'skill.activate': 'call.verb.skill',
  'skill.read': 'call.verb.skillFile',
};

/** Tools whose class alone does not say what they do. */
const special: ByTool<{ icon: LucideIcon; words: Key }> = {
  'fs.glob': { icon: FileSearch, words: 'tool.glob' },
  'fs.move': { icon: FolderInput, words: 'tool.move' },
  'fs.delete': { icon: Trash2, words: 'tool.delete' },
  'workflow.rewind': { icon: Undo2, words: 'tool.rewind' },
  'agent.report': { icon: ClipboardCheck, words: 'tool.report' },
  'skill.activate': { icon: GraduationCap, words: 'tool.skill' },
  'skill.read': { icon: BookMarked, words: 'tool.skillFile' },
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

/** What a call did to a file; null when it did nothing, or something else. */
function effectOf({ class: effect, state, tool, path, details }: CallBody): EffectKind | null {
  if (effect !== 'write_project' || state !== 'done' || path === undefined) return null;
  if (details?.noop) return null;
  if (isCallOf(tool, 'fs.delete')) return 'deleted';
  if (isCallOf(tool, 'fs.move')) return 'moved';
  return details?.created ? 'created' : 'changed';
}

/** What was called, and what it is about: a file, what is looked for, or the server of the tool. */
function useCalled(call: CallBody) {
  const { t } = useWords();
  const of = serverToolOf(call.tool);
  if (of) {
    return { name: visible(of.tool), about: `· ${of.server} · ${t('server.outside')}`, verb: null };
  }
  const { looksFor, to } = call.details ?? {};
  const about = skillOf(call) ?? looksFor ?? (to ? `${call.path} → ${to}` : (call.path ?? ''));
  const verb = ofTool(verbs, call.tool);
  return { name: verb ? t(verb) : visible(call.tool), about, verb };
}

/** Which tool was called, about what, and what came of it. */
function CallLine({ call }: { call: CallBody }) {
  const { t } = useWords();
  const tool = ofTool(special, call.tool);
  const { name, about, verb } = useCalled(call);
  const Icon = tool?.icon ?? icons[call.class];
  const Outcome = outcomes[call.state];
  return (
    <>
      <span className="icon" title={t(tool?.words ?? (`class.${call.class}` as Key))}>
        <Icon size={14} aria-hidden />
      </span>
      <span className={verb ? 'tool' : 'tool mono'}>{name}</span>
      <Name className="path mono clip" text={about} />
      <span className="state">
        <Outcome size={13} className={call.state === 'running' ? 'spin' : undefined} aria-hidden />
        {t(`call.${call.state}` as Key)}
      </span>
    </>
  );
}

/** What came of it; of what a server answered, its texts as they are. */
function Result({ call: { tool, result } }: { call: CallBody }) {
  const { t } = useWords();
  const answer = isOfServer(tool) ? serverAnswerOf(result) : null;
  if (!answer) return result !== undefined && <Part name={t('call.result')} value={result} />;
  return (
    <>
      <h3>{t('call.result')}</h3>
      <ServerResult answer={answer} />
    </>
  );
}

/** All of a call: its arguments, its result, and what it changed. */
function CallDetails({ call, id }: { call: CallBody; id: string }) {
  const { t, duration } = useWords();
  return (
    <div className="call-body" id={id}>
      <p className="hint mono">
        {visible(call.tool)}
        {call.durationMs > 0 && ` · ${duration(call.durationMs)}`}
      </p>
      {call.repaired && <p className="hint">{t('call.repaired')}</p>}
      <Reason result={call.result} />
      {call.path && opens(call) && <OpenFile path={call.path} />}
      {call.diff && (
        <>
          <h3>{t('call.change')}</h3>
          <Diff
            diff={call.diff}
            asIs={isCallOf(call.tool, 'fs.move', 'fs.delete')}
            label={t('call.change')}
          />
        </>
      )}
      {isCallOf(call.tool, 'workflow.rewind') && call.state === 'done' && (
        <ResultFiles result={call.result} />
      )}
      <Part name={t('call.arguments')} value={call.args} />
      <Result call={call} />
    </div>
  );
}

/** A tool call in one line, or as the file that it changed; opens to arguments, result and change. */
export const CallCard = memo(({ call, unfolded = false, onUnfold }: Props) => {
  const { t } = useWords();
  const [open, setOpen] = useState(unfolded);
  const id = useId();
  const effect = effectOf(call);
  const unfold = {
    type: 'button' as const,
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    onClick: () => {
      setOpen(!open);
      onUnfold?.(!open);
    },
  };
  const chevron = <ChevronRight size={14} className="chevron" aria-hidden />;
  return (
    <div
      className="call"
      data-testid="call-card"
      data-state={call.state}
      data-tool={call.tool}
      data-class={call.class}
      data-chip={effect !== null && !open ? '' : undefined}
    >
      {effect ? (
        <FileChip
          path={call.details?.to ?? call.path ?? ''}
          effect={effect}
          lines={call.details?.lines}
          more={
            <button {...unfold} className="chip-more" aria-label={t('call.details')}>
              {chevron}
            </button>
          }
        />
      ) : (
        <button {...unfold}>
          <CallLine call={call} />
          {chevron}
        </button>
      )}
      {open && <CallDetails call={call} id={id} />}
    </div>
  );
});
