import { Trash2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, ProjectSize, StoreSizes } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { deleteProjectData } from '../state/conversations';
import { useApp } from '../state/store';
import { FailureBox } from '../widgets/failure';

interface DialogProps {
  project: ProjectSize;
  onClose: () => void;
  onGone: () => void;
}

function DeleteDialog({ project, onClose, onGone }: DialogProps) {
  const app = useApp();
  const { t, count } = useWords();
  const cancel = useRef<HTMLButtonElement>(null);
  const name = project.name || project.projectId;
  const go = async () => {
    onClose();
    if (await deleteProjectData(app, project.projectId)) onGone();
  };
  return (
    <Dialog
      title={t('data.delete.title', { name })}
      onClose={onClose}
      initialFocus={cancel}
      testId="delete-data-dialog"
      footer={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            kind="danger"
            icon={Trash2}
            data-testid="delete-data-confirm"
            onClick={() => void go()}
          >
            {t('data.delete')}
          </Button>
        </>
      }
    >
      <p>{count('data.delete.goes', project.conversations)}</p>
      <p>{t('data.delete.stays')}</p>
    </Dialog>
  );
}

function ProjectRow({ project, onDelete }: { project: ProjectSize; onDelete: () => void }) {
  const { t, count, size, sentences } = useWords();
  const name = project.name || project.projectId;
  return (
    <li className="data-row" data-testid="data-project">
      <span className="words">
        <strong className="clip">{visible(name)}</strong>
        <span className="hint">
          {count('data.conversations', project.conversations)} ·{' '}
          {sentences(
            size(project.rowBytes + project.fileBytes),
            project.checkpointBytes > 0 &&
              t('data.checkpoints', { size: size(project.checkpointBytes) }),
          )}
        </span>
      </span>
      {project.conversations > 0 && (
        <Button
          size="s"
          icon={Trash2}
          aria-label={t('data.delete.of', { name })}
          data-testid="delete-data"
          onClick={onDelete}
        >
          {t('data.delete')}
        </Button>
      )}
    </li>
  );
}

/** What the program keeps on this machine, by project. */
export function DataSection() {
  const { bridge } = useApp();
  const { t, size } = useWords();
  const [sizes, setSizes] = useState<StoreSizes | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [deleting, setDeleting] = useState<ProjectSize | null>(null);
  const load = useCallback(async () => {
    const result = await bridge.query({ type: 'sizes' });
    if (result.ok) setSizes(result.value);
    else setFailure(result.failure);
  }, [bridge]);
  useEffect(() => void load(), [load]);
  if (failure) return <FailureBox failure={failure} />;
  if (!sizes) return <p className="hint">{t('data.counting')}</p>;
  return (
    <>
      <p className="hint">
        {t('data.whole', {
          database: size(sizes.databaseBytes),
          packages: size(sizes.packageBytes),
          logs: size(sizes.logBytes),
        })}
      </p>
      <ul>
        {sizes.projects.map((project) => (
          <ProjectRow
            key={project.projectId}
            project={project}
            onDelete={() => setDeleting(project)}
          />
        ))}
      </ul>
      {deleting && (
        <DeleteDialog
          project={deleting}
          onClose={() => setDeleting(null)}
          onGone={() => void load()}
        />
      )}
    </>
  );
}
