import { Eye, LoaderCircle } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { fileName } from '../bridge/path';
import { type Key, useWords, type Words } from '../i18n';
import { Fold } from '../kit/fold';
import { Name } from '../kit/name';
import type { CallBody } from './call-card';
import { type ByTool, ofTool, skillOf } from './tool';

/** The most names that are told of one tool. */
const MOST = 3;

const sentences: ByTool<Key> = {
  'fs.read': 'calls.read',
  'fs.list': 'calls.listed',
  'fs.search': 'calls.searched',
  'fs.glob': 'calls.looked',
  'fs.write': 'calls.state',
  'fs.apply_patch': 'calls.state',
  'todo.write': 'calls.todos',
  'todo.list': 'calls.todos',
  'skill.activate': 'calls.skill',
  'skill.read': 'calls.skillFile',
};

/** A tool that is not named here stands in no such line. */
const OTHER: Key = 'calls.state';

/** What one call was about: a name, or what it looked for and how much it found. */
function subjectOf(call: CallBody, { t, number }: Words): string {
  const { details, path, state } = call;
  const skill = skillOf(call);
  if (skill !== undefined) return skill;
  const { looksFor, found } = details ?? {};
  if (looksFor !== undefined) {
    return found === undefined
      ? looksFor
      : t('calls.found', { what: looksFor, count: number(found) });
  }
  const name = fileName(path ?? '');
  return state === 'missing' && name ? t('calls.missing', { name }) : name;
}

/** What several calls of one kind did, in words. */
function told(key: Key, calls: readonly CallBody[], words: Words): string {
  const names = [...new Set(calls.map((call) => subjectOf(call, words)))].filter(Boolean);
  const more = names.length - MOST;
  const shown = names.slice(0, MOST).join(', ') + (more > 0 ? ` +${words.number(more)}` : '');
  return words.t(key, { names: shown });
}

/** What calls that changed nothing did, in one line. */
export function tellCalls(calls: readonly CallBody[], words: Words): string {
  const kinds = new Map<Key, CallBody[]>();
  for (const call of calls) {
    const key = ofTool(sentences, call.tool) ?? OTHER;
    const known = kinds.get(key);
    if (known) known.push(call);
    else kinds.set(key, [call]);
  }
  return [...kinds].map(([key, of]) => told(key, of, words)).join(' · ');
}

interface Props {
  calls: readonly CallBody[];
  unfolded: boolean;
  onUnfold: (open: boolean) => void;
  /** The calls one by one. */
  children: ReactNode;
}

/** Calls that changed nothing: one line, and each of them on demand. */
export const Calls = memo(({ calls, unfolded, onUnfold, children }: Props) => {
  const words = useWords();
  const runs = calls.some(({ state }) => state === 'running');
  const Icon = runs ? LoaderCircle : Eye;
  const label = (
    <>
      <Icon size={13} className={runs ? 'spin' : undefined} aria-hidden />
      <Name className="clip" text={tellCalls(calls, words) + (runs ? '…' : '')} />
    </>
  );
  return (
    <div className="calls">
      <Fold label={label} testId="calls" unfolded={unfolded} onUnfold={onUnfold}>
        {children}
      </Fold>
    </div>
  );
});
