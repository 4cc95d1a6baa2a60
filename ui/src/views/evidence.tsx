import { useEffect } from 'react';
import { useWords } from '../i18n';
import { follow } from '../state/snapshot';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { Decided } from './evidence-decided';
import { Facts } from './evidence-facts';
import { Judged } from './evidence-judged';
import { OpenList } from './evidence-open';
import { Part } from './evidence-rows';
import './evidence.css';

/** What is open: it is listed with the progress, too. */
export function OpenObligations() {
  const { t, number } = useWords();
  const obligations = useView((v) => (v.snapshot?.ok ? v.snapshot.value.obligations : null));
  if (!obligations?.length) return null;
  return (
    <section>
      <h2>
        {t('evidence.open')}
        <span className="hint">{number(obligations.length)}</span>
      </h2>
      <OpenList obligations={obligations} />
    </section>
  );
}

/** Reads what was judged and answered, while it is shown. */
function useEvidence() {
  const app = useApp();
  const conversationId = useView((v) => v.conversationId);
  const isRun = useView((v) => v.conversation.status?.run != null);
  useEffect(() => {
    return conversationId && isRun ? follow(app, 'evidence') : undefined;
  }, [app, conversationId, isRun]);
  return useView((v) => v.evidence);
}

/**
 * What is open, what was judged, what the person decided, and what results of tools prove. What could
 * not be read says so.
 */
export function Evidence() {
  const { t } = useWords();
  const snapshot = useView((v) => v.snapshot);
  const evidence = useEvidence();
  if (snapshot?.ok === false) return null;
  const { facts = [], obligations = [], earlierFacts = 0 } = snapshot?.value ?? {};
  const told = evidence?.ok ? evidence.value : null;
  const isEmpty =
    facts.length + obligations.length === 0 &&
    (told === null || told.judgements.length + told.answers.length === 0);
  return (
    <div className="evidence" data-testid="evidence">
      {evidence?.ok === false && <FailureBox failure={evidence.failure} />}
      {isEmpty && (
        <section>
          <h2>{t('evidence.title')}</h2>
          <p className="hint">{t('evidence.empty')}</p>
        </section>
      )}
      {obligations.length > 0 && (
        <Part name="open" count={obligations.length}>
          <OpenList obligations={obligations} />
        </Part>
      )}
      {told && <Judged {...told} />}
      {told && <Decided {...told} />}
      {facts.length > 0 && <Facts facts={facts} earlier={earlierFacts} />}
    </div>
  );
}
