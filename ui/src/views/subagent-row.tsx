import { useMemo } from 'react';
import type { Item } from '../bridge/wire';
import { phaseOf } from '../state/select';
import { speakerIn } from '../state/standing';
import { useApp, useView } from '../state/store';
import { isStopping, openSubagent, stopSubagent } from '../state/subagents';
import { type CallBody, CallCard } from '../widgets/call-card';
import { SubagentCard } from '../widgets/subagent';
import { askedOf, neverBegan, outcomeOf } from '../widgets/task';
import { useUnfolding } from './unfolding';

/** A call for a sub-agent; one that never began to work is a call like any other. */
export function SubagentRow({ item, call, found }: { item: Item; call: CallBody; found: boolean }) {
  const app = useApp();
  const unfolding = useUnfolding(item, found);
  const view = useView((v) =>
    v.conversation.status?.subagents?.find(({ callId }) => callId === call.callId),
  );
  const asked = useMemo(() => askedOf(call.args).agent, [call.args]);
  const agent = useView((v) => speakerIn(v, view?.agentId ?? asked ?? undefined));
  const stopping = useView((v) => view !== undefined && isStopping(v, view.conversationId));
  const rests = useView((v) => phaseOf(v.conversation) !== 'running');
  const began = useMemo(() => !neverBegan(outcomeOf(call.result)), [call.result]);
  if (!view && !began) return <CallCard call={call} {...unfolding} />;
  return (
    <SubagentCard
      call={call}
      view={view}
      agent={agent}
      stopping={stopping}
      rests={rests}
      {...unfolding}
      onStop={() => view && void stopSubagent(app, view.conversationId)}
      onShow={() => view && openSubagent(app, view, item)}
    />
  );
}
