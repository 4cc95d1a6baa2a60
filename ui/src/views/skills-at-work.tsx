import { GraduationCap, LoaderCircle, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import type { SkillAtWork } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { focusHome } from '../kit/focus';
import { Name } from '../kit/name';
import { Popover } from '../kit/popover';
import { Sentence } from '../kit/sentence';
import { phaseOf } from '../state/select';
import { changingSkill, endSkill, isChangingSkill, skillsAtWork } from '../state/skills';
import { useApp, useView } from '../state/store';
import './skills.css';

/** What a skill at work leaves the model, and what of it does not work, in sentences. */
function useTold({ allowed, lacks }: SkillAtWork): string[] {
  const { t, say } = useWords();
  const left =
    allowed &&
    (allowed.length > 0
      ? t('skills.allowed', { names: allowed.join(', ') })
      : t('skills.allowed.none'));
  return [...(left ? [left] : []), ...lacks.map((lack) => say(lack) ?? t('skills.lack'))];
}

interface ToldProps {
  skill: SkillAtWork;
  told: readonly string[];
  anchor: HTMLElement;
  onClose: () => void;
}

/** Where it lies, and what is to be known of it. */
function Told({ skill: { name, place }, told, anchor, onClose }: ToldProps) {
  const { t } = useWords();
  return (
    <Popover label={visible(name)} testId="skill-told" anchor={anchor} side="top" onClose={onClose}>
      <div className="skill-told">
        <h2>
          <Name className="mono" text={name} />
        </h2>
        <p className="hint">
          <Name className="mono" text={place} />
        </p>
        {told.map((sentence) => (
          <p key={sentence}>
            <Sentence text={sentence} />
          </p>
        ))}
        {told.length === 0 && <p>{t('skills.whole')}</p>}
      </div>
    </Popover>
  );
}

interface ChipProps {
  skill: SkillAtWork;
  /** Why it cannot be ended now. */
  why: string | undefined;
  /** In the conversation of a sub-agent nobody ends anything. */
  ends: boolean;
}

/** One of them: a press tells more of it, and ✕ ends it. */
function Chip({ skill, why, ends }: ChipProps) {
  const app = useApp();
  const { t, sentences } = useWords();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const told = useTold(skill);
  const changing = useView(isChangingSkill);
  const busy = useView((v) => v.busy.has(changingSkill(skill.name)));
  const { name, place, lacks } = skill;
  const Icon = lacks.length > 0 ? TriangleAlert : GraduationCap;
  const closed = why !== undefined || changing;
  const end = async () => {
    if (closed) return;
    // The button that has the focus goes with it.
    if (await endSkill(app, name)) focusHome()?.focus();
  };
  const label = t('skills.end.of', { name });
  return (
    <li className="skill-chip" data-testid="skill-chip" data-name={name}>
      <button
        type="button"
        className="skill-more"
        aria-label={t('skills.more', { name })}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        title={[visible(place), sentences(...told)].filter(Boolean).join('\n')}
        data-testid="skill-more"
        onClick={({ currentTarget }) => setAnchor(anchor ? null : currentTarget)}
      >
        <Icon size={13} data-lacks={lacks.length > 0 || undefined} aria-hidden />
        <span className="clip">{visible(name)}</span>
      </button>
      {ends && (
        <IconButton
          icon={busy ? LoaderCircle : X}
          label={label}
          aria-disabled={closed || undefined}
          title={why ?? label}
          data-testid="skill-chip-end"
          onClick={() => void end()}
        />
      )}
      {anchor && <Told skill={skill} told={told} anchor={anchor} onClose={() => setAnchor(null)} />}
    </li>
  );
}

/** The skills at work, above where one writes. */
export function SkillsAtWork() {
  const { t } = useWords();
  const skills = useView(skillsAtWork);
  const ofTask = useView((v) => v.task !== null);
  const running = useView((v) => phaseOf(v.conversation) === 'running');
  if (skills.length === 0) return null;
  return (
    <ul className="skill-chips" aria-label={t('skills.chips')} data-testid="skill-chips">
      {skills.map((skill) => (
        <Chip
          key={skill.name}
          skill={skill}
          ends={!ofTask}
          why={running ? t('skills.later') : undefined}
        />
      ))}
    </ul>
  );
}
