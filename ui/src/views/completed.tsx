import { Check, CircleCheckBig, Download, MessageSquareText, RotateCw } from 'lucide-react';
import { fileName } from '../bridge/path';
import type { FileEffect, Item } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { focusHome } from '../kit/focus';
import { newRun } from '../state/actions';
import { exportConversation } from '../state/conversations';
import { summaryOf } from '../state/select';
import { useApp, useView } from '../state/store';
import { FileChip } from '../widgets/file-chip';
import { useSnapshot } from './use-snapshot';

/** Files that are shown at once. */
const SHOWN = 6;

const none: readonly FileEffect[] = [];

/** It was looked at since the run's last change, and nobody changed it since. */
const isChecked = ({ verified, foreign }: FileEffect) => verified === true && !foreign;

const namesOf = ({ path }: FileEffect) => fileName(path);

/** What the run changed, as far as it is known. */
function useChanges(): readonly FileEffect[] {
  useSnapshot();
  return useView((v) => (v.snapshot?.ok ? v.snapshot.value.changes : none));
}

/** How many steps were done, and which files are different. */
function useSums(changes: readonly FileEffect[]): string {
  const { count } = useWords();
  const steps = useView((v) => v.conversation.status?.steps ?? []);
  const done = steps.filter(({ status }) => status === 'completed').length;
  const files = changes.length > 0 ? [count('step.files', changes.length)] : [];
  return [count('completed.steps', done), ...files].join(' · ');
}

/** What can be done with a run that is complete. */
function Ways() {
  const app = useApp();
  const { t, lang } = useWords();
  const packageId = useView((v) => v.conversation.status?.run?.packageId);
  const summary = useView((v) => summaryOf(v, v.conversationId));
  return (
    <p className="completed-ways">
      <Button
        size="s"
        icon={MessageSquareText}
        data-testid="completed-ask"
        onClick={() => focusHome()?.focus()}
      >
        {t('completed.ask')}
      </Button>
      {packageId && (
        <Button
          size="s"
          icon={RotateCw}
          data-testid="completed-again"
          onClick={() => newRun(app, packageId)}
        >
          {t('completed.again')}
        </Button>
      )}
      {summary && (
        <Button
          size="s"
          icon={Download}
          data-testid="completed-export"
          onClick={() =>
            void exportConversation(app, summary.conversationId, summary.title, 'md', lang)
          }
        >
          {t('completed.export')}
        </Button>
      )}
    </p>
  );
}

/** The run is complete: what it did, what is proven of it, and how it can go on. */
export function Completed({ item }: { item: Item }) {
  const { t, count } = useWords();
  const changes = useChanges();
  const sums = useSums(changes);
  // Of an earlier completion only the line stays: what is known is known of the run as it is now.
  const isLast = useView(
    (v) =>
      v.conversation.items.findLast(
        ({ body }) => body.type === 'notice' && body.kind === 'completed',
      )?.id === item.id && v.conversation.status?.run?.phase === 'completed',
  );
  const checked = changes.filter(isChecked).length;
  return (
    <section className="completed" data-testid="notice-completed">
      <p className="line" data-testid="completed-label">
        <CircleCheckBig size={16} aria-hidden />
        <strong>{t('notice.completed')}</strong>
        {isLast && <span className="hint">{sums}</span>}
      </p>
      {isLast && changes.length > 0 && (
        <>
          <div className="completed-files">
            {changes.slice(0, SHOWN).map((effect) => (
              <FileChip
                key={effect.path}
                path={effect.path}
                effect={effect.kind}
                lines={effect.lines}
                isNamesake={changes.some((it) => it !== effect && namesOf(it) === namesOf(effect))}
                note={isChecked(effect) && <Check size={13} aria-label={t('changes.verified')} />}
              />
            ))}
          </div>
          <p className="hint">
            {changes.length > SHOWN && `${count('completed.more', changes.length - SHOWN)} `}
            {checked > 0 && count('completed.checked', checked)}
          </p>
        </>
      )}
      {isLast && <Ways />}
    </section>
  );
}
