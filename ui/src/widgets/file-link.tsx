// Paths in what is said and done lead to their files.
import { FileText } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';

interface OpenableFiles {
  /** Alias paths of the files that the run changed. */
  changed: ReadonlySet<string>;
  open: (path: string) => void;
}

/** Which files words may lead to, and what a click does. */
export const FilesContext = createContext<OpenableFiles>({
  changed: new Set(),
  open: () => undefined,
});

/** A word in code: one that names a file that the run changed opens it. */
export function InlineCode({ children }: { children?: ReactNode }) {
  const { changed, open } = useContext(FilesContext);
  const { t } = useWords();
  const text = typeof children === 'string' ? children : '';
  const path = text.startsWith('@') ? text : `@project/${text.replace(/^\.\//, '')}`;
  if (!changed.has(path)) return <code>{children}</code>;
  return (
    <button
      type="button"
      className="link file-link"
      data-testid="file-link"
      title={t('file.open', { path: visible(path) })}
      onClick={() => open(path)}
    >
      <code>{visible(text)}</code>
    </button>
  );
}

/** Opens the file that a call was about. */
export function OpenFile({ path }: { path: string }) {
  const { open } = useContext(FilesContext);
  const { t } = useWords();
  return (
    <Button
      size="s"
      kind="quiet"
      icon={FileText}
      data-testid="open-file"
      onClick={() => open(path)}
    >
      {t('file.open', { path: visible(path) })}
    </Button>
  );
}
