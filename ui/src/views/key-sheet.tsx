import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { keyText } from '../kit/keys';
import { useApp } from '../state/store';
import { keysOf, SHORTCUTS, shortcut } from './shortcuts';

/** Keys that belong to a part of the window, as they are printed; what they do is in the catalogue. */
const inPlaces = (): readonly { keys: string; words: Key }[] => [
  { keys: 'Enter', words: 'keys.send' },
  { keys: 'Shift+Enter', words: 'keys.line' },
  { keys: '@', words: 'keys.mention' },
  { keys: '/', words: 'keys.call' },
  { keys: 'Esc', words: 'keys.esc' },
  { keys: keyText({ key: 'Enter', ctrl: true }), words: 'keys.yes' },
  { keys: 'Alt+1 … 9', words: 'keys.choose' },
  { keys: 'Alt+D', words: 'keys.look' },
  { keys: keyText({ key: 'f', ctrl: true }), words: 'keys.find' },
];

/** The keys that go through the parts of the window. */
const PARTS = { keys: 'F6, Shift+F6', words: 'keys.parts' } as const;

function KeyRow({ keys, words }: { keys: string; words: Key }) {
  const { t } = useWords();
  return (
    <>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{t(words)}</dd>
    </>
  );
}

/** The keys that do something, and what. */
export function KeySheet() {
  const { store } = useApp();
  const { t } = useWords();
  const close = () => store.setState({ overlay: null });
  return (
    <Dialog
      title={t('keys.title')}
      onClose={close}
      testId="key-sheet"
      footer={
        <Button kind="primary" onClick={close}>
          {t('action.close')}
        </Button>
      }
    >
      <section>
        <h3>{t('keys.everywhere')}</h3>
        <dl className="key-list">
          {SHORTCUTS.filter((id) => shortcut(id).keys).map((id) => (
            <KeyRow key={id} keys={keyText(keysOf(id))} words={`shortcut.${id}`} />
          ))}
          <KeyRow {...PARTS} />
        </dl>
      </section>
      <section>
        <h3>{t('keys.here')}</h3>
        <dl className="key-list">
          {inPlaces().map(({ keys, words }) => (
            <KeyRow key={words} keys={keys} words={words} />
          ))}
        </dl>
      </section>
    </Dialog>
  );
}
