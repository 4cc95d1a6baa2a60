// Skills in recorded conversations: which there are, and how they begin to work and end.
import type { Failure, Frame, Phrase, Query, Settings, SkillList } from '../wire';
import { item, type Scene } from './pieces';
import { mustRest, refuse } from './refusals';
import { atWork, skillsOf, unusableOf } from './skill-list';

type Asked = Pick<Extract<Query, { type: 'skills' }>, 'projectId' | 'packageId'>;

/** The skills there are in a project and a package. */
export function skillList(scenario: string, asked: Asked, settings: Settings): SkillList {
  if (scenario === 'skills-unread') refuse('STORE_READ_FAILED', 'The disk answered no.');
  return {
    enabled: settings.tools.skillsEnabled,
    skills: skillsOf(scenario, asked),
    unusable: unusableOf(scenario, asked.projectId),
  };
}

const told = (kind: 'skill_began' | 'skill_ended', part: Phrase): Frame => ({
  type: 'upsert',
  item: item({ type: 'notice', kind, parts: [part], canResume: false }),
});

const tooMany: Failure = {
  code: 'NOT_NOW',
  message: '5 skills are at work, and no more can be',
  said: { key: 'too_many_skills', values: { most: '5' } },
  action: 'End one of them first.',
  advice: { key: 'end_a_skill', values: {} },
};

/** The person lets a skill be at work. */
function began(scenario: string, { status }: Scene, name: string): Frame[] {
  const packageId = status.run?.packageId ?? null;
  const found = skillsOf(scenario, { projectId: 'p-notes', packageId }).find(
    (one) => one.name === name,
  );
  if (!found) return refuse('SKILL_NOT_FOUND', `there is no skill \`${name}\``);
  if (scenario === 'skills-refused') throw tooMany;
  const others = (status.skills ?? []).filter((one) => one.name !== name);
  const { place } = found;
  return [
    told('skill_began', { key: 'skill_begins_by_you', values: { name, place } }),
    { type: 'status', status: { ...status, skills: [...others, atWork(found)] } },
  ];
}

/** The person ends a skill. */
function endedByPerson({ status }: Scene, name: string): Frame[] {
  const left = (status.skills ?? []).filter((one) => one.name !== name);
  if (left.length === status.skills?.length || !status.skills) {
    return refuse('SKILL_NOT_FOUND', `the skill \`${name}\` is not at work`);
  }
  return [
    told('skill_ended', { key: 'skill_ends_by_you', values: { name } }),
    { type: 'status', status: { ...status, skills: left } },
  ];
}

/** Skills end with whom they were activated for. */
export const endedWithSpeaker = ({ status }: Scene): Frame[] =>
  (status.skills ?? []).map(({ name }) =>
    told('skill_ended', { key: 'skill_ends_with_speaker', values: { name } }),
  );

/** What a person wants of the skills of a conversation. */
export function ofSkills(
  scenario: string,
  scene: Scene,
  { type, name }: { type: 'activateSkill' | 'endSkill'; name: string },
): Frame[] {
  mustRest(scene);
  return type === 'endSkill' ? endedByPerson(scene, name) : began(scenario, scene, name);
}
