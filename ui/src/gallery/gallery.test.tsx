import { render, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type {
  CallState,
  ChangeEffect,
  ContextStatus,
  DecisionStatus,
  EffectKind,
  HookStatus,
  NodeType,
  NoticeKind,
  Phase,
  Reason,
  ServerState,
  ServerTrust,
  StepStatus,
  TaskEnd,
  TodoStatus,
  ToolHint,
  WidgetKind,
} from '../bridge/wire';
import { WordsProvider } from '../i18n';
import { catalogues, type Lang } from '../i18n/catalogue';
import { groups } from './all';
import { Cases } from './gallery';
import type { Section } from './sections';

const sections = Object.values(groups).flat();

/** Every kind of something. The types refuse a list in which one is missing. */
const keys = <K extends string>(every: Record<K, true>): K[] => Object.keys(every) as K[];

const kinds: Record<string, readonly string[]> = {
  Notice: keys<NoticeKind>({
    started: true,
    task_started: true,
    completed: true,
    model_error: true,
    demo_over: true,
    model_switched: true,
    stopped: true,
    interrupted: true,
    limit: true,
    state_adopted: true,
    state_rejected: true,
    store_error: true,
    imported: true,
    unchanged: true,
    ended: true,
    foreign_change: true,
    put_back: true,
    not_put_back: true,
    went_back: true,
    not_went_back: true,
    compacted: true,
    order_kept: true,
    agent_chosen: true,
    chat_chosen: true,
    run_chosen: true,
    skill_began: true,
    skill_ended: true,
  }),
  PhaseBadge: keys<Phase>({
    idle: true,
    running: true,
    'waiting-user': true,
    completed: true,
    failed: true,
  }),
  PhaseBadgeReason: keys<Reason>({
    answered: true,
    widget: true,
    completed: true,
    ended_early: true,
    stopped: true,
    interrupted: true,
    failed: true,
    limit: true,
    not_accepted: true,
    went_back: true,
  }),
  Question: keys<WidgetKind>({
    form: true,
    selection: true,
    confirmation: true,
    plan_review: true,
    feedback: true,
    action_selection: true,
  }).flatMap((kind) => [`${kind} waiting`, `${kind} answered`]),
  Change: keys<ChangeEffect>({ made: true, changed: true, moved: true, gone: true, back: true }),
  Decision: keys<DecisionStatus>({
    accepted: true,
    continue: true,
    blocked: true,
    incomplete: true,
    failed: true,
    unrecognised: true,
  }),
  CallCard: keys<CallState>({
    running: true,
    waiting: true,
    done: true,
    asked: true,
    refused: true,
    missing: true,
    handled: true,
    failed: true,
    inDoubt: true,
  }),
  FileChip: keys<EffectKind>({ created: true, changed: true, deleted: true, moved: true }),
  HookResult: keys<HookStatus>({
    passed: true,
    blocked: true,
    warned: true,
    unanswered: true,
    unrecognised: true,
  }),
  Subagent: keys<TaskEnd>({
    completed: true,
    stopped: true,
    timed_out: true,
    max_steps: true,
    no_report: true,
    failed: true,
    unrecognised: true,
  }),
  ServerState: keys<ServerState>({ idle: true, starting: true, running: true, failed: true }),
  ServerTrust: keys<ServerTrust>({ none: true, changed: true, trusted: true }),
  ServerTools: keys<ToolHint>({ unsaid: true, reads: true, adds: true, destroys: true }),
  ContextMeter: keys<ContextStatus>({
    normal: true,
    warning: true,
    critical: true,
    compressing: true,
  }),
  StepMark: keys<NodeType>({
    step: true,
    decision: true,
    merge: true,
    end: true,
    subworkflow: true,
  }),
};

/** Draws a component in its states, and tells the cases by their names. */
function drawn(section: Section, lang: Lang = 'en') {
  const { container } = render(
    <WordsProvider lang={lang}>
      <Cases {...section} />
    </WordsProvider>,
    { onCaughtError: () => undefined },
  );
  const cases = [...container.querySelectorAll<HTMLElement>('[data-entry]')];
  return new Map(cases.map((one) => [one.dataset.entry, one]));
}

const sectionOf = (name: string) => {
  const found = sections.find((section) => section.name === name);
  if (!found) throw new Error(`There is no section ${name}.`);
  return found;
};

test('every kind of everything that the program can send has its place', () => {
  for (const [name, states] of Object.entries(kinds)) {
    const known = new Set(sectionOf(name).entries.map(({ state }) => state));
    expect(
      states.filter((state) => !known.has(state)),
      name,
    ).toEqual([]);
  }
});

test('a step of each type is shown as each way it can stand', () => {
  const statuses = keys<StepStatus>({
    completed: true,
    current: true,
    pending: true,
    skipped: true,
  });
  for (const [entry, one] of drawn(sectionOf('StepMark'))) {
    for (const status of statuses) {
      expect(one.querySelector(`.step[data-status=${status}]`), entry).not.toBeNull();
    }
  }
});

test('todos are shown in every status', async () => {
  drawn(sectionOf('Todos'));
  const statuses = keys<TodoStatus>({
    pending: true,
    in_progress: true,
    blocked: true,
    completed: true,
    failed: true,
    canceled: true,
  });
  for (const status of statuses) {
    await waitFor(() =>
      expect(document.querySelector(`[data-status=${status}]`), status).not.toBeNull(),
    );
  }
});

describe.each(Object.keys(catalogues) as Lang[])('in %s', (lang) => {
  test.each(sections)('no case of $name is empty or broken', (section) => {
    for (const [entry = '', one] of drawn(section, lang)) {
      const [, place] = one.children;
      // A place within a place is empty where nothing is drawn in it.
      const inner = place?.querySelector('.tab-panel, .panel-body') ?? place;
      expect(inner?.innerHTML, entry).not.toBe('');
      const isToBe = /^Broken(Item)? /.test(entry);
      expect(one.querySelector('[data-testid=broken]') !== null, entry).toBe(isToBe);
    }
  });
});

test('no two cases have the same name, and no two sections', () => {
  const names = sections.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, entries } of sections) {
    const states = entries.map(({ state }) => state);
    expect(
      states.filter((state, at) => states.indexOf(state) !== at),
      name,
    ).toEqual([]);
  }
});

const modules = import.meta.glob<Record<string, unknown>>(
  ['../kit/*.{ts,tsx}', '../widgets/*.tsx', '!../**/*.test.*'],
  { eager: true },
);

/** Components have names that begin with a capital, and are no text, number or list of names. */
const isComponent = (name: string, value: unknown) =>
  /^[A-Z][a-z]/.test(name) &&
  (typeof value === 'function' || (typeof value === 'object' && value !== null && 'type' in value));

test('every component of the kit and the widgets is in the gallery', () => {
  const known = new Set(sections.flatMap(({ of }) => of));
  const components = Object.entries(modules).flatMap(([path, module]) =>
    Object.entries(module).flatMap(([name, value]) =>
      isComponent(name, value) ? [{ name: `${path} ${name}`, value }] : [],
    ),
  );
  expect(components.length).toBeGreaterThan(40);
  expect(components.filter(({ value }) => !known.has(value)).map(({ name }) => name)).toEqual([]);
});
