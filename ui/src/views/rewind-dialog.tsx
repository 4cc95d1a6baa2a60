import { History, Undo2 } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { Result } from '../bridge';
import type { Failure, RewindPreview } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Field, Segments, Switch, TextArea } from '../kit/field';
import { Name } from '../kit/name';
import { titlesAt } from '../state/nesting';
import { goBack, previewRewind, type RewindChoice } from '../state/rewind';
import { useApp, useView, type View } from '../state/store';
import { SHOWN_FOR } from '../widgets/arming';
import { FailureBox } from '../widgets/failure';
import { isLost, RestoredFiles } from '../widgets/restored';

/** Characters of a reason. */
const LONGEST = 2000;

type Asked = NonNullable<View['rewind']>;

interface TheirsProps {
  path: string;
  back: boolean;
  /** Whether it would not be there any more; absent until that is known. */
  removed: boolean | undefined;
  onChoose: (back: boolean) => void;
}

/** A file that somebody else changed since: whether it goes back all the same, and what it is then. */
function Theirs({ path, back, removed, onChoose }: TheirsProps) {
  const { t } = useWords();
  return (
    <li>
      <span>
        <Name className="mono" text={path} />
        {back && removed !== undefined && (
          <span className="warn">
            {t(removed ? 'rewind.theirs.removed' : 'rewind.theirs.replaced')}
          </span>
        )}
      </span>
      <Segments
        label={t('rewind.theirs.choose', { path: visible(path) })}
        value={back ? 'back' : 'keep'}
        choices={[
          { value: 'keep', label: t('rewind.theirs.keep'), testId: 'rewind-keep' },
          { value: 'back', label: t('rewind.theirs.back'), testId: 'rewind-overwrite' },
        ]}
        onChange={(value) => onChoose(value === 'back')}
      />
    </li>
  );
}

interface FilesProps {
  preview: RewindPreview;
  choice: RewindChoice;
  onChoose: (choice: RewindChoice) => void;
}

/** Whether files go back as well; what undoes the last time leaves nothing as it is now. */
function FilesToo({ preview, choice, onChoose }: FilesProps) {
  const { t } = useWords();
  const { keepFiles, undo } = choice;
  if (undo) {
    const { files, conflicts, more = 0 } = preview;
    const none = files.length + conflicts.length + more === 0;
    return <p className="hint">{t(none ? 'rewind.undo.noFiles' : 'rewind.undo.files')}</p>;
  }
  return (
    <Switch
      label={t('rewind.files')}
      hint={t(keepFiles ? 'rewind.files.kept' : 'rewind.files.hint')}
      checked={!keepFiles}
      data-testid="rewind-files"
      onChange={(back) => onChoose({ ...choice, keepFiles: !back, overwrite: [] })}
    />
  );
}

/** What becomes of files, and what the person chooses of it. */
function Files({ preview, choice, onChoose }: FilesProps) {
  const { t, count } = useWords();
  const { keepFiles, overwrite } = choice;
  const isTheirs = (path: string) => overwrite.includes(path);
  const changed = preview.conflicts.filter(({ reason }) => reason === 'changed');
  const theirs = [...new Set([...overwrite, ...changed.map(({ path }) => path)])].sort();
  const files = preview.files
    .filter(({ path }) => !isTheirs(path))
    .map(({ path, postHash }) => ({ path, removed: postHash === undefined }));
  const removedOf = (path: string) => {
    const file = preview.files.find((file) => file.path === path);
    return file && file.postHash === undefined;
  };
  const choose = (path: string, back: boolean) => {
    const others = overwrite.filter((other) => other !== path);
    onChoose({ ...choice, overwrite: back ? [...others, path] : others });
  };
  return (
    <>
      <FilesToo preview={preview} choice={choice} onChoose={onChoose} />
      {!keepFiles && theirs.length > 0 && (
        <section className="theirs">
          <h3>{t('rewind.theirs.title')}</h3>
          <ul>
            {theirs.map((path) => (
              <Theirs
                key={path}
                path={path}
                back={isTheirs(path)}
                removed={removedOf(path)}
                onChoose={(back) => choose(path, back)}
              />
            ))}
          </ul>
        </section>
      )}
      {!keepFiles && (
        <RestoredFiles
          files={files}
          conflicts={preview.conflicts.filter(({ reason }) => reason !== 'changed')}
          done={false}
        />
      )}
      {!keepFiles && preview.more !== undefined && preview.more > 0 && (
        <p className="hint">{count('rewind.more', preview.more)}</p>
      )}
    </>
  );
}

/** What the steps are called, in the workflow to which it leads. */
function useTitles(nodeId: string): (id: string) => string {
  const status = useView((v) => v.conversation.status);
  const packages = useView((v) => v.packages);
  return titlesAt(status, packages, nodeId);
}

/** Which steps are done again, and whether the run is complete no more. */
function Meaning({ preview, undoes }: { preview: RewindPreview; undoes: boolean }) {
  const { t } = useWords();
  const titleOf = useTitles(preview.nodeId);
  const edited = useView((v) => v.conversation.status?.stateEdit != null);
  return (
    <>
      <p>{t(undoes ? 'rewind.undo.again' : 'rewind.again')}</p>
      {!undoes && (
        <ul className="again">
          {preview.steps.map((id) => (
            <li key={id}>{visible(titleOf(id))}</li>
          ))}
        </ul>
      )}
      {preview.undoesCompletion && <p>{t('rewind.incomplete')}</p>}
      {edited && <p>{t('rewind.stateEdit')}</p>}
    </>
  );
}

/** Whether files that are there now would not be, or what somebody else made of them; of those that are
 * not listed nobody knows. */
const loses = ({ files, more }: RewindPreview): boolean => (more ?? 0) > 0 || files.some(isLost);

/** How long a choice rests, in milliseconds, before it is read what it would mean. */
const RESTS = 150;

/** What was read last of what would happen. */
interface Read {
  choice: RewindChoice;
  /** How often it had been asked for anew by then. */
  times: number;
  preview: RewindPreview | null;
  failure: Failure | null;
}

const unread: Read = {
  choice: { nodeId: '', keepFiles: false, overwrite: [] },
  times: 0,
  preview: null,
  failure: null,
};

/** Reads what would happen, again with every choice; what was read before is shown until then. */
function usePreview(choice: RewindChoice) {
  const app = useApp();
  const [read, setRead] = useState<Read>(unread);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let late = false;
    const take = (result: Result<RewindPreview>) => {
      if (late) return;
      setRead(({ preview }) => ({
        choice,
        times,
        preview: result.ok ? result.value : preview,
        failure: result.ok ? null : result.failure,
      }));
    };
    const timer = setTimeout(() => void previewRewind(app, choice).then(take), RESTS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [app, choice, times]);
  const again = useCallback(() => setTimes((n) => n + 1), []);
  const isCurrent = read.choice === choice && read.times === times && read.failure === null;
  return { ...read, isCurrent, again };
}

/** Whether what is shown was in sight for long enough to be meant by a click. */
function useWasShown(shown: RewindPreview | null): boolean {
  const [seen, setSeen] = useState<RewindPreview | null>(null);
  // The second click of two was meant for what was there before.
  useEffect(() => {
    const timer = setTimeout(() => setSeen(shown), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [shown]);
  return shown !== null && seen === shown;
}

interface WhyProps {
  reason: string;
  onChange: (reason: string) => void;
}

/** Why, in the person's words. */
function Why({ reason, onChange }: WhyProps) {
  const { t } = useWords();
  return (
    <Field label={t('rewind.reason')} note={t('widget.optional')}>
      {(ids) => (
        <TextArea
          {...ids}
          rows={2}
          maxLength={LONGEST}
          value={reason}
          data-testid="rewind-reason"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface FrameProps {
  asked: Asked;
  /** What would be lost by it is marked so. */
  loses: boolean;
  can: boolean;
  busy: boolean;
  onGo: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog around what it would mean: to go back, or to undo that. */
function Frame({ asked, loses, can, busy, onGo, onClose, children }: FrameProps) {
  const { t } = useWords();
  const titleOf = useTitles(asked.nodeId);
  const { undone } = asked;
  const undoes = undone !== undefined;
  const confirm = undoes
    ? t(busy ? 'rewind.undo.busy' : 'rewind.undo.confirm')
    : t(busy ? 'rewind.busy' : 'rewind.confirm');
  return (
    <Dialog
      title={
        undoes
          ? t('rewind.undo.title', { step: visible(undone) })
          : t('rewind.title', { step: visible(titleOf(asked.nodeId)) })
      }
      width={600}
      onClose={onClose}
      testId="rewind-dialog"
      footer={
        <>
          <Button data-testid="rewind-cancel" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            kind={loses ? 'danger' : 'primary'}
            icon={undoes ? Undo2 : History}
            busy={busy}
            disabled={!can || busy}
            data-testid="rewind-confirm"
            onClick={onGo}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

/** What becomes of the conversation, and where the run goes on. */
function thenOf({ undone, words }: Asked) {
  if (undone !== undefined) return 'rewind.undo.then';
  return words ? 'rewind.words' : 'rewind.then';
}

/** Takes the run back to a step, or undoes that, after the person was shown what it means. */
export function RewindDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const { nodeId } = asked;
  const undoes = asked.undone !== undefined;
  const [choice, setChoice] = useState<RewindChoice>({
    nodeId,
    keepFiles: false,
    overwrite: [],
    ...(undoes ? { undo: true } : {}),
  });
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const { preview, again, ...read } = usePreview(choice);
  const busy = useView((v) => v.busy.has('rewind'));
  const wasShown = useWasShown(preview);
  const can = preview !== null && read.isCurrent && wasShown;
  const go = async () => {
    if (!can || busy) return;
    const refused = await goBack(app, choice, preview.seen, reason);
    setFailure(refused);
    if (refused) again();
  };
  const look = () => {
    setFailure(null);
    again();
  };
  const isLosing = preview !== null && loses(preview);
  const frame = { asked, loses: isLosing, can, busy, onGo: () => void go(), onClose };
  return (
    <Frame {...frame}>
      {!preview && !read.failure && <p className="hint">{t('file.reading')}</p>}
      {read.failure && (
        <FailureBox failure={read.failure}>
          <Button size="s" data-testid="rewind-look" onClick={look}>
            {t('rewind.look')}
          </Button>
        </FailureBox>
      )}
      {preview && (
        <div className="rewind">
          <Meaning preview={preview} undoes={undoes} />
          <Files preview={preview} choice={choice} onChoose={setChoice} />
          <Why reason={reason} onChange={setReason} />
          <p className="hint">{t(thenOf(asked))}</p>
        </div>
      )}
      {/* Where it cannot even be looked at any more, that is told above. */}
      {failure && !read.failure && <FailureBox failure={failure} />}
    </Frame>
  );
}
