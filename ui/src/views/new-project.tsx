import { FolderOpen } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Field, Input } from '../kit/field';
import { openProject } from '../state/actions';
import { useApp, useView } from '../state/store';

/** A folder and a name, joined the way the folder itself is written. */
export function joinPath(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
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
  const busy = useView((v) => v.busy.has('openProject'));

  const trimmed = name.trim();
  const bad = /[/\\:*?"<>|]/.test(trimmed) || trimmed === '.' || trimmed === '..';
  const nameError = !trimmed ? t('new.name.required') : bad ? t('new.name.invalid') : undefined;
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
        <Field label={t('new.name')} error={tried ? nameError : undefined}>
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
        <Field label={t('new.place')} error={tried ? placeError : undefined}>
          {(ids) => (
            <div className="picked">
              <Input {...ids} readOnly value={folder ?? t('new.place.none')} />
              <Button
                icon={FolderOpen}
                data-testid="choose-folder"
                onClick={async () => setFolder((await app.bridge.pickFolder()) ?? folder)}
              >
                {t('action.choose')}
              </Button>
            </div>
          )}
        </Field>
      </form>
    </Dialog>
  );
}
