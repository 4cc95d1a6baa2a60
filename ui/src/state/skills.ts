// The skills there are in the place of work that is shown, as they were read last, and what the person
// does with them in the open conversation.
import type { Result } from '../bridge';
import type { Query, SessionCommand, SkillAtWork, SkillList } from '../bridge/wire';
import { go } from './actions';
import { ask, busyWith, set } from './ask';
import { projectOfServers } from './servers';
import { packageAtWork } from './standing';
import type { App, View } from './store';

/** The project that is open, also behind the settings, and the package of whoever works in it. */
function askedIn(view: View): Extract<Query, { type: 'skills' }> {
  const inConversation = view.screen === 'workspace' && view.conversationId !== null;
  return {
    type: 'skills',
    projectId: projectOfServers(view),
    packageId: (inConversation && packageAtWork(view)) || null,
  };
}

/** What tells one place of work from another. */
export const placeOfSkills = (view: View): string => {
  const { projectId, packageId } = askedIn(view);
  return `${projectId ?? ''}/${packageId ?? ''}`;
};

/** The skills where the person is; null while they are not known. */
export const skillsHere = (view: View): Result<SkillList> | null =>
  view.skills?.of === placeOfSkills(view) ? view.skills.read : null;

/** Reads them. An answer to an older question, or about another place, is not taken. */
export async function loadSkills(app: App) {
  app.asked.skills += 1;
  const { skills: asked } = app.asked;
  const view = app.store.getState();
  const of = placeOfSkills(view);
  const read = await app.bridge.query(askedIn(view));
  if (app.asked.skills !== asked || placeOfSkills(app.store.getState()) !== of) return;
  set(app, { skills: { of, read } });
}

/** The name of what is being done with a skill, for `View.busy`. */
export const changingSkill = (name: string) => `skill ${name}`;

/** True while a skill begins or ends. */
export const isChangingSkill = ({ busy }: View): boolean =>
  [...busy].some((task) => task.startsWith(changingSkill('')));

const none: readonly SkillAtWork[] = [];

/** The skills at work in the open conversation. */
export const skillsAtWork = ({ conversation }: View): readonly SkillAtWork[] =>
  conversation.status?.skills ?? none;

type SkillCommand = Extract<SessionCommand, { type: 'activateSkill' | 'endSkill' }>;

/** One after the other. True when it was done; why it was not is shown. */
async function tell(app: App, command: SkillCommand): Promise<boolean> {
  const view = app.store.getState();
  const { conversationId } = view;
  if (!conversationId || isChangingSkill(view)) return false;
  set(app, { failure: null });
  const receipt = await busyWith(app, changingSkill(command.name), () =>
    ask(app, { type: 'session', conversationId, command }),
  );
  return receipt !== null;
}

/** Lets a skill be at work in the open conversation. */
export const activateSkill = (app: App, name: string) => tell(app, { type: 'activateSkill', name });

/** Ends one that is. */
export const endSkill = (app: App, name: string) => tell(app, { type: 'endSkill', name });

/** Opens the settings at the skills. */
export function goToSkills(app: App) {
  set(app, { settingsSection: 'skills' });
  go(app, 'settings');
}
