import { FilePenLine } from 'lucide-react';
import { useWords } from '../i18n';
import { Sentence } from '../kit/sentence';
import { useView } from '../state/store';

/** A person's edit of the state document that waits for the next turn. */
export function StateEditLine() {
  const { t, failure: words, sentences } = useWords();
  const edit = useView((v) => v.conversation.status?.stateEdit);
  if (!edit) return null;
  const { refused } = edit;
  const said = refused ? words(refused) : null;
  return (
    <div
      className="state-edit"
      role="status"
      data-testid="state-edit"
      data-refused={refused ? 'true' : 'false'}
    >
      <FilePenLine size={14} aria-hidden />
      <div>
        <p>{t(refused ? 'stateEdit.refused' : 'stateEdit.taken')}</p>
        {said && (
          <p className="hint">
            <Sentence text={sentences(said.title, said.message)} />
          </p>
        )}
      </div>
    </div>
  );
}
