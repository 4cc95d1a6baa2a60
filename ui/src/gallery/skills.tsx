import type { ReactNode } from 'react';
import { packageSkills, skillsOf, unusable, working } from '../bridge/fake/skill-list';
import { skillCalls } from '../bridge/fake/skill-scenes';
import type { SkillAtWork, SkillList } from '../bridge/wire';
import { SkillMarks, SkillsSection } from '../views/skills';
import { SkillsAtWork } from '../views/skills-at-work';
import { Contents, SkillsMenu } from '../views/skills-menu';
import { CallCard } from '../widgets/call-card';
import { each, type Section } from './sections';
import { Stage, sceneOf } from './stage';

const list = (part: Partial<SkillList> = {}): SkillList => ({
  enabled: true,
  skills: skillsOf('skills', { projectId: 'p-notes', packageId: 'story' }),
  unusable,
  ...part,
});

/** A window in which there are these skills. */
const among = (skills: SkillList, node: ReactNode, scene = 'skills') => (
  <Stage scene={sceneOf(scene)} more={{ skills: { of: '', read: { ok: true, value: skills } } }}>
    {node}
  </Stage>
);

const menu = (skills: SkillList, scene?: string) =>
  among(
    skills,
    <div className="skills-menu">
      <Contents onClose={() => undefined} />
    </div>,
    scene,
  );

const chips = (skills: SkillAtWork[], scene = 'skills-at-work') => {
  const of = sceneOf(scene);
  return (
    <Stage scene={{ ...of, status: { ...of.status, skills } }}>
      <SkillsAtWork />
    </Stage>
  );
};

const card = (one: keyof typeof skillCalls, unfolded = false) => {
  const { body } = skillCalls[one];
  return body.type === 'call' ? <CallCard call={body} unfolded={unfolded} /> : null;
};

/** Skills: which there are, and those at work. */
export const skills: readonly Section[] = [
  {
    name: 'SkillsMenu',
    of: [SkillsMenu],
    entries: each({
      rest: among(list(), <SkillsMenu />),
      'at work': among(list(), <SkillsMenu />, 'skills-at-work'),
    }),
  },
  {
    name: 'Skills',
    of: [Contents],
    place: 'list',
    entries: each({
      rest: menu(list({ unusable: [] })),
      unusable: menu(list()),
      'at work': menu(list(), 'skills-at-work'),
      working: menu(list(), 'skills-working'),
      none: menu(list({ skills: [], unusable: [] })),
    }),
  },
  {
    name: 'SkillsAtWork',
    of: [SkillsAtWork],
    place: 'dock',
    entries: each({
      one: chips(working.slice(1, 2)),
      several: chips(working),
      working: chips(working, 'skills-working'),
    }),
  },
  {
    name: 'SkillsSection',
    of: [SkillsSection],
    place: 'list',
    entries: each({
      listed: among(list(), <SkillsSection />),
      none: among(list({ skills: [], unusable: [] }), <SkillsSection />),
    }),
  },
  {
    name: 'SkillMarks',
    of: [SkillMarks],
    entries: packageSkills.slice(0, 1).map((skill) => ({
      state: 'all',
      node: <SkillMarks skill={{ ...skill, byPersonOnly: true }} />,
    })),
  },
  {
    name: 'SkillCall',
    of: [CallCard],
    place: 'list',
    entries: each({
      activated: card('activated'),
      read: card('read'),
      running: card('window'),
      refused: card('unknown'),
      'activated open': card('activated', true),
    }),
  },
];
