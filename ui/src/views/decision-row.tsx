import type { Item } from '../bridge/wire';
import { focusHome } from '../kit/focus';
import { acceptAnyway, resume } from '../state/actions';
import { isOpenDecision } from '../state/select';
import { useApp, useView } from '../state/store';
import { DecisionBlock, type DecisionBody, type DecisionPart } from '../widgets/decision';

/** A judgement; while the run rests because of it, with the ways on. */
export function DecisionRow({ item, body }: { item: Item; body: DecisionBody }) {
  const app = useApp();
  const conversationId = useView((v) => v.conversationId);
  const isOpen = useView((v) => isOpenDecision(v.conversation, item.id));
  const busy = useView((v) =>
    v.busy.has('resume') ? 'retry' : v.busy.has('acceptAnyway') ? 'accept' : null,
  );
  const steps = useView((v) => v.conversation.status?.steps);
  const key = (part: DecisionPart) => `${conversationId}/${item.id}/${part}`;
  return (
    <DecisionBlock
      body={body}
      isOpen={isOpen}
      busy={busy}
      titleOf={(node) => steps?.find((step) => step.id === node)?.title ?? node}
      unfolded={(part) => app.unfolded.has(key(part))}
      onUnfold={(part, open) =>
        void (open ? app.unfolded.add(key(part)) : app.unfolded.delete(key(part)))
      }
      onRetry={() => void resume(app)}
      onAccept={() => void acceptAnyway(app, item.id)}
      onTell={() => focusHome()?.focus({ preventScroll: true })}
    />
  );
}
