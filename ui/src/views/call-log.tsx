import { useState } from 'react';
import { useWords } from '../i18n';
import { Boundary } from '../kit/boundary';
import { Button } from '../kit/button';
import { type CallItem, callsOf } from '../state/select';
import { useView } from '../state/store';
import { CallCard } from '../widgets/call-card';
import { BrokenItem } from './broken-item';
import { useUnfolding } from './unfolding';

/** Calls that are listed at once. */
const PAGE = 50;

function CallRow({ item }: { item: CallItem }) {
  const unfolding = useUnfolding(item);
  return (
    <li>
      <Boundary of={item} instead={() => <BrokenItem body={item.body} />}>
        <CallCard call={item.body} {...unfolding} />
      </Boundary>
    </li>
  );
}

/** Every call of a tool, as far as the conversation has been read; the newest first. */
export function CallLog() {
  const { t, number } = useWords();
  const conversation = useView((v) => v.conversation);
  const [most, setMost] = useState(PAGE);
  const calls = callsOf(conversation);
  const left = calls.length - most;
  return (
    <section data-testid="call-log">
      <h2>
        {t('calls.title')}
        {calls.length > 0 && <span className="hint">{number(calls.length)}</span>}
      </h2>
      {calls.length === 0 && <p className="hint">{t('calls.empty')}</p>}
      <ul className="call-log">
        {calls
          .slice(-most)
          .reverse()
          .map((item) => (
            <CallRow key={item.id} item={item} />
          ))}
      </ul>
      {left > 0 && (
        <Button size="s" kind="quiet" data-testid="more-calls" onClick={() => setMost(most + PAGE)}>
          {t('calls.more', { count: number(Math.min(left, PAGE)) })}
        </Button>
      )}
      {left <= 0 && conversation.earlier !== null && <p className="hint">{t('calls.earlier')}</p>}
    </section>
  );
}
