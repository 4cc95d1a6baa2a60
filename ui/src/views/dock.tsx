import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { DraftPlace } from '../bridge/wire';
import { useWords } from '../i18n';
import { Boundary } from '../kit/boundary';
import { IconButton } from '../kit/button';
import { answer } from '../state/actions';
import { composerKey, draftAt, keepDraft } from '../state/drafts';
import {
  askingServer,
  dockedQuestion,
  openQuestions,
  phaseOf,
  type QuestionItem,
} from '../state/select';
import { useApp, useView } from '../state/store';
import { Question } from '../widgets/question';
import { BrokenItem } from './broken-item';

function Docked({ item }: { item: QuestionItem }) {
  const app = useApp();
  const enabled = useView((v) => phaseOf(v.conversation) !== 'running');
  const conversationId = useView((v) => v.conversationId) ?? '';
  const server = useView((v) => askingServer(v.conversation));
  const writing = useView((v) => v.drafts.has(composerKey(v.conversationId)));
  const place: DraftPlace = { type: 'widget', conversationId, messageId: item.id };
  return (
    <Question
      body={item.body}
      enabled={enabled}
      server={server}
      keys={!writing}
      draft={draftAt(app, place)}
      onDraft={(draft) => keepDraft(app, place, draft)}
      look={app.store.getState().look}
      onLook={(look) => look !== 'preview' && app.store.setState({ look })}
      onWhole={(changeId) => app.bridge.query({ type: 'wholeChange', conversationId, changeId })}
      onAnswer={(value, shownMs) => answer(app, item.id, value, shownMs)}
    />
  );
}

interface SeveralProps {
  questions: readonly QuestionItem[];
  at: number;
}

/** Which of several questions is shown, and the way to the others. */
function Several({ questions, at }: SeveralProps) {
  const { store } = useApp();
  const { t, number } = useWords();
  // At an end the button stays, so that who pressed it keeps the focus.
  const show = (next: number) => {
    const question = questions[next];
    if (question) store.setState({ taken: question.id });
  };
  return (
    <nav className="dock-several" aria-label={t('dock.several')}>
      <IconButton
        icon={ChevronLeft}
        label={t('dock.previous')}
        data-testid="dock-previous"
        aria-disabled={at === 0}
        onClick={() => show(at - 1)}
      />
      <span data-testid="dock-count">
        {t('dock.count', { at: number(at + 1), all: number(questions.length) })}
      </span>
      <IconButton
        icon={ChevronRight}
        label={t('dock.next')}
        data-testid="dock-next"
        aria-disabled={at === questions.length - 1}
        onClick={() => show(at + 1)}
      />
    </nav>
  );
}

/**
 * Where questions are answered: one place above the one where one writes, which no scrolling takes
 * away. What was asked and answered stays in the conversation as a line.
 */
export function Dock() {
  const { store } = useApp();
  const conversation = useView((v) => v.conversation);
  const taken = useView((v) => v.taken);
  const { t } = useWords();
  const questions = useMemo(() => openQuestions(conversation, taken), [conversation, taken]);
  const item = dockedQuestion(conversation, taken);
  const isWaitedFor = conversation.status?.waitingWidgets.length !== 0;
  const isRunning = phaseOf(conversation) === 'running';
  // What was taken up does not come back by itself after the run has gone on.
  useEffect(() => {
    if (isRunning) store.setState({ taken: null });
  }, [store, isRunning]);
  if (!item) return null;
  return (
    <section className="dock" aria-label={t('dock.label')} data-testid="dock">
      {questions.length > 1 && <Several questions={questions} at={questions.indexOf(item)} />}
      {!isWaitedFor && (
        <div className="dock-several">
          <IconButton
            icon={X}
            label={t('dock.later')}
            data-testid="dock-later"
            onClick={() => store.setState({ taken: null })}
          />
        </div>
      )}
      <Boundary key={item.id} of={item} instead={() => <BrokenItem body={item.body} />}>
        <Docked item={item} />
      </Boundary>
    </section>
  );
}
