import { Check, ChevronRight, Hourglass, Minus } from 'lucide-react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';

/** Completed, left before that, waiting for another workflow, or the one that the run is at. */
export type Standing = 'done' | 'left' | 'calls' | 'now';

interface Props {
  title: string;
  standing: Standing;
  /** Its place among the steps; absent where it is not one of them any more. */
  number?: number;
  /** Who worked at it. */
  agent?: string;
  /** How long it took, in milliseconds; absent while it is not done. */
  took?: number;
  /** How many files were changed. */
  files: number;
  /** How many texts the runtime did not accept. */
  refused: number;
  /** How often the runtime did not let a step be left out or completed too early. */
  kept: number;
  /** How many things went wrong, or were not as somebody may think. */
  troubles: number;
  /** What was asked and decided, in one line. */
  summary: string;
  open: boolean;
  /** Opens or folds what belongs to it; absent while it is not done. */
  onOpen?: () => void;
}

/** Shorter than this nobody wants to know how long it took. */
const SHORT = 1000;

/** What is told of a step behind its title. */
function useAbout({ agent, took, files, refused, kept, troubles }: Props): string {
  const { count, duration } = useWords();
  return [
    agent && visible(agent),
    took !== undefined && took >= SHORT && duration(took),
    files > 0 && count('step.files', files),
    refused > 0 && count('step.refused', refused),
    kept > 0 && count('step.kept', kept),
    troubles > 0 && count('step.troubles', troubles),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Where a step begins. Of one that is done, all that belongs to it is folded away below. */
export function Step(props: Props) {
  const { title, standing, number, summary, open, onOpen } = props;
  const { t } = useWords();
  const about = useAbout(props);
  const line = (
    <>
      <span className="mark" aria-hidden>
        {standing === 'done' ? (
          <Check size={13} />
        ) : standing === 'left' ? (
          <Minus size={13} />
        ) : standing === 'calls' ? (
          <Hourglass size={12} />
        ) : (
          number
        )}
      </span>
      <span className="visually-hidden">{t(`step.${standing}`)}</span>
      <strong className="clip">{visible(title)}</strong>
      {about && <span className="about">{about}</span>}
      <span className="rule" aria-hidden />
    </>
  );
  if (!onOpen) {
    return (
      <div className="section" data-testid="step" data-standing={standing}>
        <h2 className="section-line">{line}</h2>
      </div>
    );
  }
  return (
    <div className="section" data-testid="step" data-standing={standing}>
      <h2>
        <button type="button" className="section-line" aria-expanded={open} onClick={onOpen}>
          {line}
          <ChevronRight size={13} className="chevron" aria-hidden />
        </button>
      </h2>
      {!open && summary && <p className="summary clip">{visible(summary)}</p>}
    </div>
  );
}
