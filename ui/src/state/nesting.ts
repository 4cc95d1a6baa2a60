// The workflows of a run that are under way at once: one is worked on, and in each of the others a step
// waits for the end of the one that it called.
import type {
  CalledWorkflow,
  Item,
  PackageView,
  RunView,
  Status,
  StepView,
  WaitingStep,
} from '../bridge/wire';
import { workflowOf } from './standing';

type StepBody = Extract<Item['body'], { type: 'step' }>;

/** The workflow that a run works on, now or at another time. */
export const workflowAt = (
  run: Pick<RunView, 'workflowId'> | null | undefined,
  called: CalledWorkflow | undefined,
): string | undefined => called?.workflowId ?? run?.workflowId;

/** Where a called workflow lies: the run's own one, the steps that wait, and itself. */
export const pathOf = ({ callers, title }: CalledWorkflow): string[] => [
  ...callers.slice(0, 1).map(({ workflow }) => workflow),
  ...callers.map((step) => step.title),
  title,
];

/** Whether the run came to a step, and did not take that back. */
export const isReached = ({ status }: Pick<StepView, 'status'>): boolean =>
  status === 'completed' || status === 'current';

/** The waiting step that a rewind to this id leads to; none where a step further in is meant. */
export const waitingAt = (
  { called }: Pick<Status, 'called'>,
  nodeId: string,
): WaitingStep | undefined =>
  called?.callers.find((step) => step.isMeant && step.nodeId === nodeId);

/** What the steps are called in the workflow that a rewind to this id leads to. */
export function titlesAt(
  status: Status | null,
  packages: readonly PackageView[] | null,
  nodeId: string,
): (id: string) => string {
  const waiting = status ? waitingAt(status, nodeId) : undefined;
  const others = workflowOf(packages, status?.run?.packageId, waiting?.workflowId)?.steps ?? [];
  const own = waiting && [{ id: waiting.nodeId, title: waiting.title }, ...others];
  const known = own ?? status?.steps ?? [];
  return (id) => known.find((step) => step.id === id)?.title ?? id;
}

/** Whether the conversation came there to this step; only steps of called workflows have a title there. */
export const isAt = (
  body: Item['body'],
  { id, title }: Pick<StepView, 'id' | 'title'>,
  isCalled: boolean,
): boolean =>
  body.type === 'step' && body.node === id && body.title === (isCalled ? title : undefined);

/** A step to which the conversation came. */
interface StepThere {
  title: string;
  /** Its place among the steps of the workflow that is worked on, from 1; absent where it is none of them. */
  number?: number;
  isCompleted: boolean;
}

/** What is known of a step to which the conversation came. */
export function stepThere(
  status: Status | null,
  packages: readonly PackageView[] | null,
  body: StepBody,
): StepThere {
  const { steps = [], called, run } = status ?? {};
  const at = steps.findIndex((step) => isAt(body, step, called !== undefined));
  const own = workflowOf(packages, run?.packageId, run?.workflowId)?.steps;
  const known = steps[at] ?? own?.find(({ id }) => id === body.node);
  return {
    title: body.title ?? known?.title ?? body.node,
    number: at < 0 ? undefined : at + 1,
    isCompleted: steps[at]?.status === 'completed',
  };
}
