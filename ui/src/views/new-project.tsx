import { FolderOpen } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Field, Input } from '../kit/field';
import { openProject } from '../state/projects';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';

/** A folder and a name, joined the way the folder itself is written. */
export function joinPath(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/** What is wrong with a folder name, on any of the systems the folder may travel to. */
function nameProblem(name: string): Key | undefined {
  if (!name) return 'new.name.required';
  const bad = /[/\\:*?"<>|]/.test(name) || name === '.' || name === '..';
  return bad ? 'new.name.invalid' : undefined;
}

interface PlaceProps {
  folder: string | null;
  error?: string;
  onPick: (folder: string) => void;
}

function Place({ folder, error, onPick }: PlaceProps) {
  const { bridge } = useApp();
  const { t } = useWords();
  const pick = async () => {
    const chosen = await bridge.pickFolder();
    if (chosen) onPick(chosen);
  };
  return (
    <Field label={t('new.place')} error={error} canFail>
      {(ids) => (
        <div className="picked">
          <Input {...ids} readOnly value={folder ?? t('new.place.none')} />
          <Button icon={FolderOpen} data-testid="choose-folder" onClick={() => void pick()}>
            {t('action.choose')}
          </Button>
        </div>
      )}
    </Field>
  );
}

/** Names and places a new project. */
export function NewProject({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const formId = useId();
  const first = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [folder, setFolder] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  // The bar of the window lies behind this dialog.
  const failure = useView((v) => v.failure);
  const busy = useView((v) => v.busy.has('openProject'));

  const trimmed = name.trim();
  const problem = nameProblem(trimmed);
  const nameError = problem && t(problem);
  const placeError = folder ? undefined : t('new.place.required');

  const create = async (event: React.FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (nameError || !folder) return;
    if (await openProject(app, joinPath(folder, trimmed), true)) onClose();
  };

  return (
    <Dialog
      title={t('new.title')}
      onClose={onClose}
      initialFocus={first}
      testId="new-project-dialog"
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            form={formId}
            busy={busy}
            disabled={busy}
            data-testid="create-project"
          >
            {t('new.create')}
          </Button>
        </>
      }
    >
      <form id={formId} className="fields" onSubmit={create}>
        <Field label={t('new.name')} error={tried ? nameError : undefined} canFail>
          {(ids) => (
            <input
              {...ids}
              ref={first}
              className="input"
              value={name}
              data-testid="project-name"
              onChange={(e) => setName(e.target.value)}
            />
          )}
        </Field>
        <Place folder={folder} error={tried ? placeError : undefined} onPick={setFolder} />
        {failure && <FailureBox failure={failure} />}
      </form>
    </Dialog>
  );
}
