// What the arguments of `agent.spawn` ask for, and what its result says. A model wrote the one, and
// another program may have written the other: what does not fit is left out.
import type { FailedResult, Failure, TaskEnd, TaskType, Verdict } from '../bridge/wire';
import { members } from './tool';

/** What a sub-agent was asked to do. */
export interface TaskAsked {
  prompt: string;
  /** What its report is to say. */
  expected: string | null;
  agent: string | null;
  kind: TaskType | null;
  /** Where it may go at most; empty means wherever the other agent may. */
  paths: string[];
}

/** What came of it. */
export interface TaskOutcome {
  end: TaskEnd | null;
  steps: number | null;
  summary: string | null;
  findings: string[];
  patches: string[];
  verdict: Verdict | null;
  changed: string[];
  /** Why there is no report. */
  failure: Failure | null;
}

/** The arguments, by both names that each may have. */
interface Args {
  task_type: string;
  taskType: string;
  prompt: string;
  expected_output: string;
  expectedOutput: string;
  agentId: string;
  agent_id: string;
  allowed_paths: string[];
  allowedPaths: string[];
}

interface Report {
  summary: string;
  findings: string[];
  patches: string[];
  status: Verdict;
}

/** What both a report and the details of a failure say. */
interface Ended {
  end: TaskEnd;
  steps: number;
  changed: string[];
}

const kinds: Record<TaskType, true> = { review: true, edit: true, verify: true };
const verdicts: Record<Verdict, true> = { passed: true, failed: true };
const ends: Record<TaskEnd, true> = {
  completed: true,
  stopped: true,
  timed_out: true,
  max_steps: true,
  no_report: true,
  failed: true,
  unrecognised: true,
};

const oneOf = <T extends string>(known: Record<T, true>, value: unknown): T | null =>
  typeof value === 'string' && Object.hasOwn(known, value) ? (value as T) : null;

/** How a sub-agent ended, when it is an end that this window knows. */
export const endOf = (value: unknown): TaskEnd | null => oneOf(ends, value);

const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(text).filter((entry) => entry !== null) : [];

/** What a call asks for. */
export function askedOf(args: unknown): TaskAsked {
  const read = members<Args>(args);
  return {
    prompt: text(read.prompt) ?? '',
    expected: text(read.expected_output ?? read.expectedOutput),
    agent: text(read.agentId ?? read.agent_id),
    kind: oneOf(kinds, read.task_type ?? read.taskType),
    paths: texts(read.allowed_paths ?? read.allowedPaths),
  };
}

/** What the title of the code says as well. */
const LEAD = /^the sub-agent ended without a report \(\w+\): /;

/** The failure of a call that came to nothing. */
function failureOf(result: unknown): Failure | null {
  const { code, message, details } = members<Failure>(members<FailedResult>(result).error);
  if (typeof code !== 'string') return null;
  return {
    code: code as Failure['code'],
    message: (text(message) ?? '').replace(LEAD, ''),
    details,
  };
}

/** What came of a call. */
export function outcomeOf(result: unknown): TaskOutcome {
  const failure = failureOf(result);
  const { end, steps, changed } = members<Ended>(failure ? failure.details : result);
  const report = members<Report>(members<{ report: Report }>(result).report);
  return {
    end: endOf(end),
    steps: typeof steps === 'number' ? steps : null,
    summary: text(report.summary),
    findings: texts(report.findings),
    patches: texts(report.patches),
    verdict: oneOf(verdicts, report.status),
    changed: texts(changed),
    failure,
  };
}

/** Whether no sub-agent ever worked on it: the call itself was refused, or was not run. */
export const neverBegan = ({ failure }: TaskOutcome): boolean =>
  failure !== null && failure.code !== 'E_SUBAGENT_FAILED';
