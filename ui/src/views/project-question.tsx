import { Copy, FolderInput } from 'lucide-react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { openCopied, openProject, pickAndRebind, rebindProject } from '../state/projects';
import { type ProjectQuestion as Question, useApp, useView } from '../state/store';

/** Another folder has the same project id: a copy, or the project itself? */
function Copied({ question, onClose }: { question: Question; onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const { path, details } = question;
  const known = useView((v) => v.projects?.find((p) => p.projectId === details.projectId));
  return (
    <Dialog
      title={t('project.copied.title')}
      onClose={onClose}
      testId="project-copied"
      footer={<Button onClick={onClose}>{t('action.cancel')}</Button>}
    >
      <p>
        {t(details.there ? 'project.copied.text' : 'project.copied.away', { name: details.name })}
      </p>
      <dl className="places">
        <dt>{t('project.copied.here')}</dt>
        <dd className="mono">{path}</dd>
        {known && (
          <>
            <dt>{t('project.copied.there')}</dt>
            <dd className="mono">{visible(known.location)}</dd>
          </>
        )}
      </dl>
      <div className="ways">
        <Button
          icon={Copy}
          data-testid="project-is-copy"
          onClick={() => void openCopied(app, path, 'copy')}
        >
          <span className="words">
            <strong>{t('project.copied.copy')}</strong>
            <span>{t('project.copied.copy.hint')}</span>
          </span>
        </Button>
        <Button
          icon={FolderInput}
          data-testid="project-is-moved"
          onClick={() => void openCopied(app, path, 'moved')}
        >
          <span className="words">
            <strong>{t('project.copied.moved')}</strong>
            <span>{t('project.copied.moved.hint')}</span>
          </span>
        </Button>
      </div>
    </Dialog>
  );
}

/** The folder shown for a missing project is not that project. */
function Mismatch({ question, onClose }: { question: Question; onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const { path, details } = question;
  const { projectId, name, foundName: other = '' } = details;
  const isOther = details.found === 'other';
  return (
    <Dialog
      title={t('project.mismatch.title', { name })}
      onClose={onClose}
      testId="project-mismatch"
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            data-testid="project-use-it"
            onClick={() =>
              void (isOther ? openProject(app, path) : rebindProject(app, projectId, path, true))
            }
          >
            {isOther
              ? t('project.mismatch.open', { other })
              : t('project.mismatch.adopt', { name })}
          </Button>
          <Button
            kind="primary"
            data-testid="project-choose-again"
            onClick={() => void pickAndRebind(app, projectId)}
          >
            {t('project.mismatch.again')}
          </Button>
        </>
      }
    >
      <p>
        {isOther ? t('project.mismatch.other', { other }) : t('project.mismatch.none', { name })}
      </p>
      <p className="mono url">{path}</p>
    </Dialog>
  );
}

/** What the person has to say before a folder is opened. */
export function ProjectQuestion() {
  const app = useApp();
  const question = useView((v) => v.projectQuestion);
  if (!question) return null;
  const close = () => app.store.setState({ projectQuestion: null });
  const Asked = question.kind === 'copied' ? Copied : Mismatch;
  return <Asked question={question} onClose={close} />;
}
