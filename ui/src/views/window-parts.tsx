// The parts of the window that F6 goes through, as it does in other programs.
import { useEffect } from 'react';
import { useWords } from '../i18n';
import { isBlocked } from '../kit/focus';

/** What has the focus of each part, the first that is there; in the order in which F6 goes. */
const PARTS: readonly { part: string; at: readonly string[] }[] = [
  { part: '.sidebar', at: ['.row[aria-current="true"]'] },
  { part: '.settings-nav', at: ['[aria-current="true"]'] },
  { part: '.settings-page', at: [] },
  { part: '.list', at: [] },
  { part: '.run-form', at: [] },
  { part: '.file-viewer', at: [] },
  { part: '.dock', at: ['.decision-body'] },
  { part: '.composer', at: ['textarea'] },
  { part: '.inspector', at: ['[role="tab"][aria-selected="true"]'] },
  { part: '.log-drawer', at: ['input'] },
];

const FOCUSABLE =
  ':is(button, input, textarea, select, a[href], [tabindex="0"]):not(:disabled, [role="separator"])';

const isThere = (element: HTMLElement) =>
  element.closest('[inert]') === null && (element.checkVisibility?.() ?? true);

/** What of a part takes the focus: the part itself, what is named for it, or what comes first in it. */
function entryOf(box: HTMLElement, at: readonly string[]): HTMLElement | undefined {
  if (box.matches(FOCUSABLE)) return box;
  const named = at.flatMap((one) => [...box.querySelectorAll<HTMLElement>(`${one}${FOCUSABLE}`)]);
  return [...named, ...box.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isThere);
}

/** The parts that are there; where a question waits, one does not go past it to the composer. */
function partsNow() {
  const hasDock = document.querySelector('.dock') !== null;
  return PARTS.filter(({ part }) => part !== '.composer' || !hasDock).flatMap(({ part, at }) => {
    const box = document.querySelector<HTMLElement>(part);
    const entry = box && isThere(box) ? entryOf(box, at) : undefined;
    return box && entry ? [{ box, entry }] : [];
  });
}

function goOn(way: 1 | -1) {
  const parts = partsNow();
  const here = parts.findIndex(({ box }) => box.contains(document.activeElement));
  const from = here < 0 && way < 0 ? 0 : here;
  parts[(from + way + parts.length) % parts.length]?.entry.focus();
}

/** F6 goes to the next part of the window, Shift+F6 to the one before. */
export function usePartKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.defaultPrevented || isBlocked()) return;
      event.preventDefault();
      goOn(event.shiftKey ? -1 : 1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** The first thing the keyboard comes to: past the sidebar, to the conversation. Seen while it is there. */
export function SkipLink() {
  const { t } = useWords();
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place of this page, as its address says
    <a
      className="skip-link"
      href="#conversation"
      data-testid="skip-link"
      onClick={(event) => {
        // The address stays as it is.
        event.preventDefault();
        const main = document.getElementById('conversation');
        (main && entryOf(main, ['.list']))?.focus();
      }}
    >
      {t('skip.conversation')}
    </a>
  );
}
