import { FolderX, GraduationCap, RotateCw, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import type { OfferedSkill, SkillList, SkillProblem, SkillView } from '../bridge/wire';
import { useWords } from '../i18n';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { Name } from '../kit/name';
import { Sentence } from '../kit/sentence';
import { busyWith } from '../state/ask';
import { loadSkills, placeOfSkills, skillsHere } from '../state/skills';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { Description } from './server-parts';
import './skills.css';

/** What one should know of a skill before it is at work. */
export function SkillMarks({ skill }: { skill: OfferedSkill }) {
  const { t } = useWords();
  return (
    <>
      {skill.hasScripts && <Badge tone="warn">{t('skills.scripts.mark')}</Badge>}
      {skill.byPersonOnly && <Badge>{t('skills.byPerson')}</Badge>}
      {skill.onlyFor && <Badge>{t('skills.onlyFor', { agents: skill.onlyFor.join(', ') })}</Badge>}
    </>
  );
}

/** What is wrong, and what to do about it. */
function Problem({ problem }: { problem: SkillProblem }) {
  const { t, say } = useWords();
  const advice = say(problem.advice);
  return (
    <>
      <p>
        <Sentence text={say(problem.said) ?? t('skills.unsaid')} />
      </p>
      {advice && (
        <p className="hint">
          <Sentence text={advice} />
        </p>
      )}
    </>
  );
}

function Skill({ skill }: { skill: SkillView }) {
  const { name, description, place, warning } = skill;
  return (
    <li data-testid="skill" data-name={name}>
      <div className="skill-head">
        <h4>
          <Name className="mono" text={name} />
        </h4>
        <SkillMarks skill={skill} />
      </div>
      <Description text={description} />
      <p className="hint">
        <Name className="mono" text={place} />
      </p>
      {warning && (
        <div className="skill-problem" data-testid="skill-warning">
          <TriangleAlert size={14} aria-hidden />
          <div>
            <Problem problem={warning} />
          </div>
        </div>
      )}
    </li>
  );
}

interface PartProps {
  title: string;
  skills: readonly SkillView[];
}

/** Those of one place; nothing where there are none. */
function Part({ title, skills }: PartProps) {
  if (skills.length === 0) return null;
  return (
    <section className="skill-part">
      <h3>{title}</h3>
      <ul className="skill-list">
        {skills.map((skill) => (
          <Skill key={skill.place} skill={skill} />
        ))}
      </ul>
    </section>
  );
}

/** Folders that are no skill that can be used, with what to do. */
function Unusable({ folders }: { folders: SkillList['unusable'] }) {
  const { count } = useWords();
  if (folders.length === 0) return null;
  return (
    <section className="skill-part" data-testid="unusable-skills">
      <h3>{count('skills.unusable', folders.length)}</h3>
      <ul className="skill-list">
        {folders.map(({ place, problem }) => (
          <li key={place} className="skill-problem" data-testid="unusable-skill">
            <FolderX size={14} aria-hidden />
            <div>
              <Name className="mono" text={place} />
              <Problem problem={problem} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The skills of the open project and of the home folder, or that there are none. */
function Lists({ list }: { list: SkillList }) {
  const { t } = useWords();
  const project = useView((v) => v.projects?.find((it) => it.projectId === v.projectId)?.name);
  const { skills, unusable } = list;
  const isAtHome = ({ root }: SkillView) => root.startsWith('home-');
  return (
    <>
      {skills.length === 0 && (
        <Empty icon={GraduationCap} title={t('skills.empty')} hint={t('skills.empty.hint')} />
      )}
      <Part
        title={t('skills.ofProject', { project: project ?? '' })}
        skills={skills.filter((skill) => !isAtHome(skill))}
      />
      <Part title={t('skills.ofHome')} skills={skills.filter(isAtHome)} />
      <Unusable folders={unusable} />
    </>
  );
}

/** Reads them now, where the person goes, and when they come back from where they put one. */
function useRead(): () => Promise<void> {
  const app = useApp();
  const place = useView(placeOfSkills);
  const read = useCallback(() => busyWith(app, 'skills', () => loadSkills(app)), [app]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another place there are others
  useEffect(() => {
    const again = () => void loadSkills(app);
    again();
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [app, place]);
  return read;
}

/** The skills there are: what they are for, where they lie, and what is wrong with some. */
export function SkillsSection() {
  const { t } = useWords();
  const read = useRead();
  const known = useView(skillsHere);
  const reading = useView((v) => v.busy.has('skills'));
  const isOff = useView((v) => v.settings?.settings.tools.skillsEnabled === false);
  return (
    <div className="fields" data-testid="skills">
      <p className="hint">{t('skills.hint')}</p>
      {isOff && <p className="caution">{t('skills.off')}</p>}
      {!known && <p className="hint">{t('skills.reading')}</p>}
      {known && !known.ok && <FailureBox failure={known.failure} />}
      {known?.ok && <Lists list={known.value} />}
      <div>
        <Button
          icon={RotateCw}
          busy={reading}
          aria-disabled={reading || undefined}
          data-testid="skills-again"
          onClick={() => !reading && void read()}
        >
          {t('skills.again')}
        </Button>
      </div>
    </div>
  );
}
