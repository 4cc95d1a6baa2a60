import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleSlash,
  CircleX,
  type LucideIcon,
} from 'lucide-react';
import { useEffect } from 'react';
import type { Todo, TodoStatus } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Name } from '../kit/name';
import { follow, want } from '../state/snapshot';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';

const icons: Record<TodoStatus, LucideIcon> = {
  pending: CircleDashed,
  in_progress: CircleDot,
  blocked: CirclePause,
  completed: CircleCheck,
  failed: CircleX,
  canceled: CircleSlash,
};

/** What one waits for, or why it came to nothing. */
function Why({ todo }: { todo: Todo }) {
  const { t } = useWords();
  const { status, blockedReason, failureReason, dependencies = [] } = todo;
  if (status === 'blocked' && blockedReason) {
    return <span className="hint why">{t(`todos.waits.${blockedReason}` as Key)}</span>;
  }
  if (failureReason) return <span className="hint why">{visible(failureReason)}</span>;
  if (status !== 'pending' || dependencies.length === 0) return null;
  return <span className="hint">{t('todos.after', { ids: dependencies.join(', ') })}</span>;
}

function TodoRow({ todo }: { todo: Todo }) {
  const { t } = useWords();
  const { id, content, status, required, revision } = todo;
  const Icon = icons[status];
  return (
    <li data-testid="todo" data-status={status} data-required={required}>
      <Icon size={14} aria-hidden />
      <span className="words">
        <span className="content">{visible(content)}</span>
        <span className="hint">
          <span className="status">{t(`todos.status.${status}`)}</span>
          {required && <span>{t('todos.required')}</span>}
          <Name className="mono" text={id} />
          <span>{t('todos.revision', { revision })}</span>
        </span>
        <Why todo={todo} />
      </span>
    </li>
  );
}

/** The todos as they were read last. */
function List() {
  const app = useApp();
  const { t } = useWords();
  const todos = useView((v) => v.todos);
  const conversationId = useView((v) => v.conversationId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew for another conversation
  useEffect(() => follow(app, 'todos'), [app, conversationId]);
  if (todos?.ok === false) {
    return (
      <>
        <FailureBox failure={todos.failure} />
        <Button size="s" data-testid="todos-again" onClick={() => want(app, 'todos')}>
          {t('changes.again')}
        </Button>
      </>
    );
  }
  return (
    <ul className="artifacts todos">
      {todos?.value.items.map((todo) => (
        <TodoRow key={todo.id} todo={todo} />
      ))}
    </ul>
  );
}

/** What the model has set itself to do; there is no such section while there is nothing. */
export function Todos() {
  const { t, number } = useWords();
  const summary = useView((v) => v.conversation.status?.todos);
  if (!summary?.total) return null;
  const { total, required, completed, failed } = summary;
  return (
    <section data-testid="todos">
      <h2>
        {t('todos.title')}
        <span className="hint">
          {failed > 0 && (
            <span className="bad">{t('todos.failed', { count: number(failed) })} · </span>
          )}
          {required > 0 ? t('todos.count', { completed, required }) : number(total)}
        </span>
      </h2>
      <List />
    </section>
  );
}
