import { expect, test } from 'vitest';
import { packages } from '../bridge/fake/data';
import { says, status } from '../bridge/fake/pieces';
import type { ConversationSummary, Mode, Phase, Reason, Status } from '../bridge/wire';
import { needsPerson } from './active';
import { nothing, reduce } from './reduce';
import { canGoBack } from './rewind';
import {
  activityOf,
  canEnd,
  demoEnd,
  isAtWork,
  isLatestResumable,
  isOpenDecision,
  phaseOf,
  stoppedByModel,
} from './select';
import {
  isSamePartner,
  menuOf,
  packageAtWork,
  partnerOf,
  reasonOf,
  speakerIn,
  speakingNow,
  standingIn,
  standingOf,
} from './standing';

const story = packages[0]?.packageId ?? '';
const MIA: Mode = { mode: 'agent', packageId: story, agentId: 'sm' };
const ADA: Mode = { mode: 'agent', packageId: packages[1]?.packageId ?? '', agentId: 'guide' };
const CHAT: Mode = { mode: 'chat' };

const talk = (partner: Mode, phase: Phase, reason: Reason | null = null) => ({
  with: partner,
  phase,
  reason,
});

const conversation = (now: Status, items = [says('Hello')]) =>
  reduce(nothing, [{ type: 'snapshot', items, earlier: null, status: now }]);

const run = status('waiting-user', 2, {}, 'widget');
const runless: Status = { ...run, run: null, steps: [] };

test('what goes on is the talk’s while there is one, and the run’s otherwise', () => {
  expect(standingOf(run)).toMatchObject({ phase: 'waiting-user', reason: 'widget' });
  const beside = { ...run, talk: talk(CHAT, 'running') };
  expect(standingOf(beside)).toMatchObject({ phase: 'running', reason: null });
  expect(standingOf({ ...runless, talk: talk(MIA, 'idle') })).toMatchObject({ phase: 'idle' });
  expect(standingOf(runless)).toBeNull();
  expect(standingOf(null)).toBeNull();
});

test('whoever asks how the conversation stands hears of the talk', () => {
  const works = conversation({ ...run, talk: talk(CHAT, 'running') });
  expect(phaseOf(works)).toBe('running');
  expect(reasonOf(works)).toBeNull();
  expect(isAtWork({ conversation: works, task: null })).toBe(true);
  expect(canEnd(works)).toBe(false);
  const rests = conversation({ ...run, talk: talk(CHAT, 'waiting-user', 'answered') });
  expect(activityOf(rests)).toBeNull();
  // The run can still be ended, so that another one can join the conversation.
  expect(canEnd(rests)).toBe(true);
  const [step] = run.steps;
  expect(canGoBack({ conversation: rests, task: null }, step)).toBe(false);
  expect(canGoBack({ conversation: conversation(run), task: null }, step)).toBe(true);
});

test('a failure and a judgement belong to whoever is talked with', () => {
  const failing = talk(MIA, 'waiting-user', 'failed');
  const failed = {
    ...says('x'),
    body: { type: 'notice', kind: 'model_error', canResume: true } as const,
  };
  const stands = conversation({ ...runless, talk: failing }, [failed]);
  expect(stoppedByModel(stands)).toBe(true);
  expect(isLatestResumable(stands, failed.id)).toBe(true);
  const unaccepted = status('waiting-user', 2, {}, 'not_accepted');
  const decided = {
    ...says('x'),
    body: {
      type: 'decision',
      decision: { status: 'incomplete', stop_reason: 'pending_todo', user_summary: '' },
      overruled: false,
    } as const,
  };
  expect(isOpenDecision(conversation(unaccepted, [decided]), decided.id)).toBe(true);
  const elsewhere = { ...unaccepted, talk: talk(CHAT, 'idle') };
  expect(isOpenDecision(conversation(elsewhere, [decided]), decided.id)).toBe(false);
});

test('a demo is at no end while somebody else is talked with', () => {
  const over = status('completed', 5, {}, 'completed');
  const demo = { ...over, run: over.run && { ...over.run, demo: true } };
  expect(demoEnd(conversation(demo))).toBe('complete');
  expect(demoEnd(conversation({ ...demo, talk: talk(CHAT, 'idle') }))).toBeNull();
});

test('who speaks, and of which package', () => {
  const of = (now: Status) => ({ conversation: conversation(now), task: null, packages });
  expect(speakingNow(of(run))).toBe('sm');
  expect(speakingNow(of({ ...run, talk: talk(ADA, 'running') }))).toBe('guide');
  expect(speakingNow(of({ ...run, talk: talk(CHAT, 'running') }))).toBeUndefined();
  expect(packageAtWork(of({ ...run, talk: talk(ADA, 'running') }))).toBe(packages[1]?.packageId);
  expect(packageAtWork(of({ ...run, talk: talk(CHAT, 'running') }))).toBe(story);
  // Of the run, and of an agent that was talked with before.
  expect(speakerIn(of({ ...run, talk: talk(ADA, 'idle') }), 'sm')?.name).toBe('Mia');
  expect(speakerIn(of({ ...runless, talk: talk(CHAT, 'idle') }), 'guide')?.name).toBe('Ada');
  expect(speakerIn(of(run), 'nobody')).toBeUndefined();
});

test('only an agent that is talked with has commands', () => {
  const of = (now: Status) => menuOf({ conversation: conversation(now), packages }).length;
  expect(of({ ...run, talk: talk(MIA, 'idle') })).toBe(4);
  expect(of(run)).toBe(0);
  expect(of({ ...run, talk: talk(CHAT, 'idle') })).toBe(0);
  expect(menuOf({ conversation: conversation(run), packages: null })).toHaveLength(0);
});

test('the same partner is the same, however it is said', () => {
  expect(partnerOf(conversation(run))).toEqual({ mode: 'run' });
  expect(isSamePartner(MIA, { ...MIA })).toBe(true);
  expect(isSamePartner(MIA, { ...MIA, agentId: 'dev' })).toBe(false);
  expect(isSamePartner(MIA, CHAT)).toBe(false);
  expect(isSamePartner(CHAT, { mode: 'chat' })).toBe(true);
});

test('in a list a talk stands for its run, which waits meanwhile', () => {
  const summary: Pick<ConversationSummary, 'talk' | 'runs'> = {
    runs: [
      {
        runId: 'r',
        packageId: story,
        workflowId: 'w',
        phase: 'waiting-user',
        reason: null,
        since: '',
      },
    ],
  };
  expect(standingIn(summary)?.phase).toBe('waiting-user');
  expect(standingIn({ ...summary, talk: talk(CHAT, 'running') })?.phase).toBe('running');
  expect(standingIn({ runs: [] })).toBeUndefined();
  const listed = (part: Partial<ConversationSummary>) =>
    needsPerson({ ...summary, ...part } as ConversationSummary);
  expect(listed({})).toBe(true);
  expect(listed({ talk: talk(CHAT, 'running') })).toBe(false);
  expect(listed({ runs: [], talk: talk(CHAT, 'waiting-user') })).toBe(true);
});
