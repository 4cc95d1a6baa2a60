// What the recorded agents can be asked to do: few things, and very many.
import type { MenuLine } from '../wire';

const numbered = (rows: readonly Omit<MenuLine, 'number'>[]): MenuLine[] =>
  rows.map((row, at) => ({ number: at + 1, ...row }));

export const miaMenu = numbered([
  { trigger: 'create-story', description: 'Write a user story with me, step by step' },
  { trigger: 'create-checklist', description: 'Make a checklist for a story that is there' },
  { trigger: 'split', description: 'Cut a large story into smaller ones' },
  { description: 'Go through the sprint, story by story, and say what stands in the way' },
]);

const THINGS = [
  'build',
  'test',
  'review',
  'explain',
  'refactor',
  'document',
  'measure',
  'release',
  'name-things',
  'find-dead-code',
  'update-dependencies',
  'write-the-changelog',
];

export const theoMenu = numbered(
  THINGS.flatMap((trigger) => [
    { trigger, description: `Do this now: ${trigger}` },
    { trigger: `${trigger}-plan`, description: `Only say how it would be done: ${trigger}` },
  ]),
);
