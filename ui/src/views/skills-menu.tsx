import {
  Drama,
  FolderX,
  GraduationCap,
  LoaderCircle,
  ScrollText,
  TriangleAlert,
  UserRound,
} from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { SkillList, SkillView } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { focusHome } from '../kit/focus';
import { Name } from '../kit/name';
import { Popover } from '../kit/popover';
import { useStateOf } from '../kit/use-state-of';
import { phaseOf } from '../state/select';
import {
  activateSkill,
  changingSkill,
  endSkill,
  goToSkills,
  isChangingSkill,
  loadSkills,
  placeOfSkills,
  skillsAtWork,
  skillsHere,
} from '../state/skills';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { holds, wordsOf } from './finder';
import './skills.css';

/** More of them are searched. */
const SEARCHED = 8;

/** What is to be known before it is at work, in words. */
function Notes({ skill }: { skill: SkillView }) {
  const { t } = useWords();
  return (
    <>
      {skill.hasScripts && (
        <span className="note" data-warns data-testid="skill-scripts">
          <ScrollText size={13} aria-hidden />
          {t('skills.scripts')}
        </span>
      )}
      {skill.byPersonOnly && (
        <span className="note">
          <UserRound size={13} aria-hidden />
          {t('skills.byPerson')}
        </span>
      )}
      {skill.onlyFor && (
        <span className="note">
          <Drama size={13} aria-hidden />
          {t('skills.onlyFor', { agents: skill.onlyFor.join(', ') })}
        </span>
      )}
      {skill.warning && (
        <span className="note" data-warns>
          <TriangleAlert size={13} aria-hidden />
          {t('skills.warned')}
        </span>
      )}
    </>
  );
}

interface RowProps {
  skill: SkillView;
  /** It is at work. */
  works: boolean;
  /** Nothing can be changed now. */
  closed: boolean;
  onTake: () => void;
  onEnd: () => void;
}

/** What a skill is called, where it lies, what it is for, and what is to be known before. */
function Words({ skill, works, id }: { skill: SkillView; works: boolean; id: string }) {
  const { t } = useWords();
  const { name, place, description } = skill;
  const busy = useView((v) => v.busy.has(changingSkill(name)));
  const Icon = busy ? LoaderCircle : GraduationCap;
  return (
    <>
      <Icon size={15} className={busy ? 'spin' : undefined} aria-hidden />
      <span className="words" id={id}>
        <span className="line">
          <Name className="mono clip" text={name} />
          {works && <Badge tone="accent">{t('skills.works')}</Badge>}
          <span className="place mono clip" title={visible(place)}>
            {visible(place)}
          </span>
        </span>
        <span className="about clip" title={visible(description)}>
          {visible(description)}
        </span>
        <Notes skill={skill} />
      </span>
    </>
  );
}

/** One skill: a press activates it; one at work is ended. */
function Row({ skill, works, closed, onTake, onEnd }: RowProps) {
  const { t } = useWords();
  const aboutId = useId();
  const row = useRef<HTMLLIElement>(null);
  const isEnded = useRef(false);
  const { name } = skill;
  // The button that ended it is gone then: the one that activates it has the focus.
  useEffect(() => {
    if (!works && isEnded.current) row.current?.querySelector('button')?.focus();
    isEnded.current = false;
  }, [works]);
  const end = () => {
    if (closed) return;
    isEnded.current = true;
    onEnd();
  };
  const words = <Words skill={skill} works={works} id={aboutId} />;
  return (
    <li ref={row} data-testid="skill-row" data-name={name} data-works={works || undefined}>
      {works ? (
        <div className="skill-take">
          {words}
          <Button
            size="s"
            aria-disabled={closed || undefined}
            aria-label={t('skills.end.of', { name })}
            data-testid="skill-end"
            onClick={end}
          >
            {t('skills.end')}
          </Button>
        </div>
      ) : (
        <button
          type="button"
          className="skill-take"
          aria-label={t('skills.activate', { name })}
          aria-describedby={aboutId}
          aria-disabled={closed || undefined}
          data-testid="skill-activate"
          onClick={() => !closed && onTake()}
        >
          {words}
        </button>
      )}
    </li>
  );
}

/** Those that can be activated, and those at work. */
function Rows({ list, onClose }: { list: SkillList; onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const [text, setText] = useState('');
  const atWork = useView(skillsAtWork);
  const changing = useView(isChangingSkill);
  const running = useView((v) => phaseOf(v.conversation) === 'running');
  const { skills } = list;
  const sought = wordsOf(text);
  const shown = skills.filter(({ name, description }) => holds(`${name} ${description}`, sought));
  const isLong = skills.length > SEARCHED;
  const take = async (name: string) => {
    const here = app.store.getState().conversationId;
    const done = await activateSkill(app, name);
    onClose();
    if (app.store.getState().conversationId !== here) return;
    // Whoever activated it goes on writing. Why it was not activated stands above where they write.
    if (done) setTimeout(() => focusHome()?.focus());
  };
  const end = async (name: string) => {
    if (!(await endSkill(app, name))) onClose();
  };
  return (
    <>
      {isLong && (
        <input
          className="input"
          type="search"
          aria-label={t('skills.search')}
          placeholder={t('skills.search')}
          value={text}
          spellCheck={false}
          data-testid="skills-search"
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {shown.length === 0 && <p className="hint">{t('skills.notFound')}</p>}
      <ul>
        {shown.map((skill) => (
          <Row
            key={skill.place}
            skill={skill}
            works={atWork.some(({ name }) => name === skill.name)}
            closed={running || changing}
            onTake={() => void take(skill.name)}
            onEnd={() => void end(skill.name)}
          />
        ))}
      </ul>
    </>
  );
}

/** The skills of the conversation, where to put them, and the way to those that cannot be used. */
export function Contents({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const { t, count } = useWords();
  const place = useView(placeOfSkills);
  const known = useView(skillsHere);
  const running = useView((v) => phaseOf(v.conversation) === 'running');
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another place there are others
  useEffect(() => void loadSkills(app), [app, place]);
  if (!known) return <p className="hint">{t('skills.reading')}</p>;
  if (!known.ok) return <FailureBox failure={known.failure} />;
  const { skills, unusable } = known.value;
  return (
    <>
      {running && skills.length > 0 && (
        <p className="hint" data-testid="skills-later">
          {t('skills.later')}
        </p>
      )}
      {skills.length === 0 ? (
        <p className="hint" data-testid="skills-none">
          {t('skills.empty.hint')}
        </p>
      ) : (
        <Rows list={known.value} onClose={onClose} />
      )}
      {unusable.length > 0 && (
        <button
          type="button"
          className="skills-unusable"
          data-testid="skills-unusable"
          onClick={() => goToSkills(app)}
        >
          <FolderX size={14} aria-hidden />
          {count('skills.unusable.look', unusable.length)}
        </button>
      )}
    </>
  );
}

/** The skills there are for the open conversation; nothing while they are switched off. */
export function SkillsMenu() {
  const { t, count } = useWords();
  const conversationId = useView((v) => v.conversationId);
  const [anchor, setAnchor] = useStateOf<HTMLElement | null>(conversationId, null);
  const isOn = useView((v) => v.settings?.settings.tools.skillsEnabled ?? false);
  const working = useView((v) => skillsAtWork(v).length);
  const busy = useView(isChangingSkill);
  if (!isOn) return null;
  const label = working > 0 ? count('skills.atWork', working) : t('settings.skills');
  const Icon = busy ? LoaderCircle : GraduationCap;
  return (
    <>
      <button
        type="button"
        className="icon-btn skills-button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        title={label}
        data-works={working > 0 || undefined}
        data-testid="skills-button"
        onClick={({ currentTarget }) => setAnchor(anchor ? null : currentTarget)}
      >
        <Icon size={16} className={busy ? 'spin' : undefined} aria-hidden />
      </button>
      {anchor && (
        <Popover
          label={t('settings.skills')}
          testId="skills-popover"
          anchor={anchor}
          side="bottom"
          align="end"
          onClose={() => setAnchor(null)}
        >
          <div className="skills-menu">
            <h2>{t('settings.skills')}</h2>
            <Contents onClose={() => setAnchor(null)} />
          </div>
        </Popover>
      )}
    </>
  );
}
