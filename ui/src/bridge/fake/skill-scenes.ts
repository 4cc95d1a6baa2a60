// Conversations in which skills are at work: their calls, and what is told of them.
import type { Item } from '../wire';
import { call, notice, type Scene, says, status } from './pieces';
import { working } from './skill-list';

/** Calls that are about skills, in each way that they can look. */
export const skillCalls: Record<'activated' | 'read' | 'window' | 'unknown', Item> = {
  activated: call('skill.activate', undefined, {
    callId: 'skill-activated',
    args: { name: 'pdf' },
    durationMs: 4,
    result: {
      ok: true,
      skill: 'pdf',
      text: 'It stands in the system messages of the next request.',
      files: ['references/forms.md', 'scripts/fill_form.py'],
    },
  }),
  read: call('skill.read', undefined, {
    callId: 'skill-read',
    args: { skill: 'pdf', path: 'references/forms.md' },
    details: { looksFor: 'references/forms.md' },
    durationMs: 3,
    result: { ok: true, skill: 'pdf', path: 'references/forms.md', content: '# Forms' },
  }),
  window: call('skill.read', undefined, {
    callId: 'skill-window',
    state: 'running',
    args: { skill: 'pdf', path: 'references/tables.md', startLine: 40, endLine: 80 },
    details: { looksFor: 'references/tables.md' },
    durationMs: 0,
    result: undefined,
  }),
  unknown: call('skill.activate', undefined, {
    callId: 'skill-unknown',
    state: 'handled',
    args: { name: 'spreadsheets' },
    durationMs: 1,
    result: {
      ok: false,
      error: { code: 'SKILL_NOT_FOUND', message: 'There is no skill `spreadsheets`.' },
    },
  }),
};

/** The scenes, by name. */
export function skillScenes(before: () => Item[]): Record<string, () => Scene> {
  const rests = (): Scene => ({
    items: before(),
    status: status('waiting-user', 2, {}, 'answered'),
  });
  const atWork = (): Item[] => [
    ...before(),
    skillCalls.unknown,
    skillCalls.activated,
    notice('skill_began', {
      parts: [
        { key: 'skill_begins', values: { name: 'pdf', place: '~/.claude/skills/pdf' } },
        { key: 'has_scripts', values: { first: 'scripts/fill_form.py', more: '3' } },
      ],
    }),
    skillCalls.read,
    says('The form has twelve fields. I fill them in, one after the other.'),
  ];
  return {
    skills: rests,
    'skills-many': rests,
    'skills-none': rests,
    'skills-refused': rests,
    'skills-unread': rests,
    'skills-unusable': rests,
    'skills-at-work': () => ({
      items: atWork(),
      status: status('waiting-user', 2, { skills: working }, 'answered'),
    }),
    'skills-working': () => ({
      items: [...atWork(), skillCalls.window],
      status: status('running', 2, { skills: working.slice(0, 1) }),
    }),
  };
}
