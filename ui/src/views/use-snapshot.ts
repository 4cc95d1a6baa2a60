import { useEffect } from 'react';
import { follow } from '../state/snapshot';
import { useApp, useView } from '../state/store';

/** Reads what is known of the run beside its conversation, while it is shown. */
export function useSnapshot() {
  const app = useApp();
  const conversationId = useView((v) => v.conversationId);
  const isRun = useView((v) => v.conversation.status?.run != null);
  useEffect(() => {
    return conversationId && isRun ? follow(app, 'snapshot') : undefined;
  }, [app, conversationId, isRun]);
}
