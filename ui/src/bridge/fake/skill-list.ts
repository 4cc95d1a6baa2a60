// The skills that this page begins with, those of its packages, and folders that are none.
import type { OfferedSkill, SkillAtWork, SkillRoot, SkillView, UnusableSkill } from '../wire';

const ROOTS: Record<SkillRoot, string> = {
  package: '@pkg/skills',
  'project-crewagent': '@project/.crewagent/skills',
  'project-agents': '@project/.agents/skills',
  'project-claude': '@project/.claude/skills',
  'home-crewagent': '~/.crewagent/skills',
  'home-agents': '~/.agents/skills',
  'home-claude': '~/.claude/skills',
};

const skill = (
  root: SkillRoot,
  name: string,
  description: string,
  more: Partial<SkillView> = {},
): SkillView => ({ name, root, description, place: `${ROOTS[root]}/${name}`, ...more });

const LONG =
  'Reads PDF files, fills in their forms and puts several of them together. Use it whenever somebody speaks of a PDF file, of a form that is to be filled in, or of pages that are to be taken out of a longer document. It knows how to read tables, to keep the order of columns, and to say on which page something stands. What was scanned is read as far as it holds text.';

const changelog = skill(
  'project-agents',
  'changelog',
  'Writes what changed for the people who use a program. Use it before each release.',
);
const deploy = skill(
  'project-crewagent',
  'deploy',
  'Goes through what has to be done before a release is given out.',
  { byPersonOnly: true },
);
const pdf = skill('home-claude', 'pdf', LONG, { hasScripts: true });
const style = skill(
  'home-agents',
  'house-style',
  'How we write: short sentences, no\u202e jargon, and the reader first.',
  {
    warning: {
      said: {
        key: 'skill_calls_itself',
        values: { name: 'style', folder: 'house-style' },
      },
      advice: { key: 'name_it_alike', values: {} },
    },
  },
);
const voice = skill(
  'package',
  'story-voice',
  'How a user story is told, so that everybody in the room understands it.',
  {
    onlyFor: ['analyst', 'writer'],
    folder: 'assets/story-voice',
    place: '@pkg/assets/story-voice',
  },
);

/** The skills of the package that the scenarios show. */
export const packageSkills: OfferedSkill[] = [
  {
    name: 'estimate',
    root: 'package',
    description: 'Says how large a story is, and where to cut it.',
    hasScripts: true,
    onlyFor: ['analyst'],
  },
  { name: voice.name, root: voice.root, description: voice.description },
];

/** Folders that are no skill that can be used. */
export const unusable: UnusableSkill[] = [
  {
    place: '@project/.claude/skills/old-notes',
    problem: {
      said: { key: 'no_description', values: {} },
      advice: { key: 'write_description', values: {} },
    },
  },
  {
    place: '~/.claude/skills/changelog',
    problem: {
      said: { key: 'skill_hidden', values: { place: changelog.place } },
      advice: { key: 'look_at_skill', values: {} },
    },
  },
];

const all = [changelog, deploy, style, pdf, voice];

const many = Array.from({ length: 24 }, (_, n) =>
  skill('home-agents', `topic-${n + 1}`, `What is known of the topic ${n + 1}.`),
);

/** The skills of a scenario in a project and a package. */
export function skillsOf(
  scenario: string,
  { projectId, packageId }: { projectId: string | null; packageId: string | null },
): SkillView[] {
  if (scenario.startsWith('skills-none') || scenario === 'skills-unusable') return [];
  const isHere = ({ root }: SkillView) =>
    root === 'package' ? packageId !== null : projectId !== null || root.startsWith('home');
  return [...all, ...(scenario === 'skills-many' ? many : [])].filter(isHere);
}

/** The folders of a scenario that are none. */
export const unusableOf = (scenario: string, projectId: string | null): UnusableSkill[] =>
  scenario.startsWith('skills-none')
    ? []
    : unusable.filter(({ place }) => projectId !== null || place.startsWith('~'));

/** A skill as it is at work. */
export const atWork = ({ name, place, hasScripts }: SkillView): SkillAtWork => ({
  name,
  place,
  lacks: hasScripts
    ? [{ key: 'has_scripts', values: { first: 'scripts/fill_form.py', more: '3' } }]
    : [],
});

/** Skills at work: one with scripts, one that leaves few tools, and one that names strange ones. */
export const working: SkillAtWork[] = [
  atWork(pdf),
  { ...atWork(changelog), allowed: ['fs_read', 'fs_search'] },
  {
    ...atWork(style),
    allowed: [],
    lacks: [{ key: 'wants_other_tools', values: { names: 'Bash, WebFetch' } }],
  },
];
