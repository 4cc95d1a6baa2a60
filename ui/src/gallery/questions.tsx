import { type ReactNode, useState } from 'react';
import { approval } from '../bridge/fake/approval';
import { askedChanges } from '../bridge/fake/kinds';
import { asking, type Scene } from '../bridge/fake/pieces';
import { wholeOf } from '../bridge/fake/whole';
import { widgets } from '../bridge/fake/widgets';
import type { ChangeEffect, Item, Phase, Widget, WidgetKind } from '../bridge/wire';
import { composerKey } from '../state/drafts';
import { BrokenItem } from '../views/broken-item';
import { Dock } from '../views/dock';
import { Change, ChangeObject, Looks } from '../widgets/change';
import { ActionWidget, SelectionWidget } from '../widgets/choice';
import { Composer } from '../widgets/composer';
import { ConfirmationWidget } from '../widgets/confirmation';
import { DecisionBody } from '../widgets/decision-body';
import { FeedbackWidget } from '../widgets/feedback';
import { FormWidget } from '../widgets/form';
import { InsteadButtons, InsteadField } from '../widgets/instead';
import { PlanWidget } from '../widgets/plan';
import type { QuestionBody } from '../widgets/props';
import { Question } from '../widgets/question';
import { Receipt } from '../widgets/receipt';
import { type Entry, each, type Section } from './sections';
import { InList, Stage, sceneOf } from './stage';

type Kinds = Record<WidgetKind, QuestionBody>;

/** The last question of a scene. */
function bodyIn({ items }: Scene): QuestionBody {
  const found = items.map(({ body }) => body).findLast((body) => body.type === 'question');
  if (!found) throw new Error('There is no question.');
  return found;
}

/** A question of each kind. */
const asked: Kinds = {
  form: bodyIn(sceneOf('form')),
  selection: bodyIn(sceneOf('selection')),
  confirmation: bodyIn(sceneOf('confirmation')),
  plan_review: bodyIn(sceneOf('plan_review')),
  feedback: bodyIn(sceneOf('feedback')),
  action_selection: bodyIn(sceneOf('action_selection')),
};

/** What was answered to each. */
const answers = {
  ...Object.fromEntries(
    sceneOf('answered').items.flatMap(({ body }) =>
      body.type === 'question' ? [[body.widget.type, body.answer]] : [],
    ),
  ),
  plan_review: { decision: 'approve' },
} as Record<WidgetKind, unknown>;

/** A no to each of those that can be declined. */
const NO: Partial<Record<WidgetKind, unknown>> = {
  confirmation: { confirmed: false, instead: 'Keep the audience as it is.' },
  plan_review: { decision: 'request_changes', feedback: 'Let sales read them too.' },
};

interface AskedProps {
  body: QuestionBody;
  enabled?: boolean;
  draft?: unknown;
  /** How long it stays as it is before it can be answered, in milliseconds. */
  armedAfter?: number;
}

/** A question that is answered to nobody. */
function Asked({ body, enabled = true, draft, armedAfter }: AskedProps) {
  const [kept, keep] = useState(draft);
  return (
    <Question
      body={body}
      enabled={enabled}
      draft={kept}
      onDraft={keep}
      armedAfter={armedAfter}
      onWhole={async () => ({ ok: true, value: wholeOf(sceneOf('cut'), 'ch-2') })}
      onAnswer={async () => null}
    />
  );
}

/** How each kind looks while it waits, answered and refused. */
const questions: Entry[] = Object.entries(asked).flatMap(([kind, body]) => {
  const answered = answers[kind as WidgetKind];
  const no = NO[kind as WidgetKind];
  const answeredWith = (answer: unknown) => <Asked body={{ ...body, answer }} enabled={false} />;
  return [
    { state: `${kind} waiting`, node: <Asked body={body} /> },
    { state: `${kind} answered`, node: answeredWith(answered) },
    ...(no ? [{ state: `${kind} refused`, node: answeredWith(no) }] : []),
  ];
});

const change = (effect: ChangeEffect, more: Partial<QuestionBody> = {}): QuestionBody => {
  // Going back is asked about by the model, everything else by the runtime.
  const widget = effect === 'back' ? (widgets.confirmation as Widget) : approval;
  const grants = effect === 'made' || effect === 'changed';
  const { grant: _, ...alone } = widget;
  return {
    type: 'question',
    widget: grants ? widget : alone,
    change: askedChanges[effect],
    unbound: false,
    closed: false,
    ...more,
  };
};

const askedChange = (effect: ChangeEffect) => <Asked body={change(effect)} />;

/** What a yes would do, of every kind. */
const effects: Record<ChangeEffect, ReactNode> = {
  made: askedChange('made'),
  changed: askedChange('changed'),
  moved: askedChange('moved'),
  gone: askedChange('gone'),
  back: askedChange('back'),
};

/** Longer than anybody looks at the gallery, in milliseconds. */
const NEVER = 1e9;

const changes: Entry[] = [
  ...each(effects),
  { state: 'refused', node: <Asked body={change('changed', { answer: NO.confirmation })} /> },
  { state: 'filling', node: <Asked body={change('changed')} armedAfter={NEVER} /> },
  { state: 'running', node: <Asked body={change('changed')} enabled={false} /> },
  {
    state: 'instead',
    node: <Asked body={change('changed')} draft={{ instead: '', isOpen: true }} />,
  },
  { state: 'unbound', node: <Asked body={bodyIn(sceneOf('unbound'))} /> },
  { state: 'cut', node: <Asked body={bodyIn(sceneOf('cut'))} /> },
  { state: 'turned names', node: <Asked body={bodyIn(sceneOf('turned-names'))} /> },
];

const unknown: QuestionBody = {
  ...asked.form,
  widget: { ...asked.form.widget, type: 'drawing' as WidgetKind },
};

const receiptOf = (body: QuestionBody, more: Partial<Scene['status']> = {}) => {
  const { items, status } = asking(body.widget, body);
  const scene = { items, status: { ...status, waitingWidget: null, waitingWidgets: [], ...more } };
  const isAsked = ({ body }: Item) => body.type === 'question';
  return <InList scene={scene} of={isAsked} />;
};

/** What stays of a question in the conversation. */
const receipts: Entry[] = [
  ...Object.entries(asked).map(([kind, body]) => ({
    state: `${kind} answered`,
    node: receiptOf({ ...body, answer: answers[kind as WidgetKind] }),
  })),
  ...Object.entries(NO).map(([kind, answer]) => ({
    state: `${kind} refused`,
    node: receiptOf({ ...asked[kind as WidgetKind], answer }),
  })),
  { state: 'allowed', node: receiptOf(change('changed', { answer: { confirmed: true } })) },
  { state: 'closed', node: receiptOf({ ...asked.form, closed: true }) },
  {
    state: 'waits',
    node: <InList scene={sceneOf('form')} of={({ body }) => body.type === 'question'} />,
  },
  { state: 'open', node: receiptOf(asked.form) },
];

/** Somebody writes, so that no key of the gallery answers. */
const WRITING = { drafts: new Map([[composerKey('c-current'), 'words']]) };

const composer = (phase: Phase, more: Partial<Parameters<typeof Composer>[0]> = {}) => (
  <Composer
    phase={phase}
    waiting={false}
    stopping={false}
    onSend={async () => true}
    onStop={() => undefined}
    {...more}
  />
);

const phases: Record<Phase, ReactNode> = {
  idle: composer('idle'),
  running: composer('running'),
  'waiting-user': composer('waiting-user', { draft: 'Mostly people in sales.' }),
  completed: composer('completed'),
  failed: composer('failed'),
};

const composers: Entry[] = [
  ...each(phases),
  { state: 'waits', node: composer('waiting-user', { waiting: true }) },
  { state: 'not accepted', node: composer('waiting-user', { notAccepted: true }) },
  { state: 'stopping', node: composer('running', { stopping: true }) },
  { state: 'ahead', node: composer('running', { draft: 'And support.' }) },
  { state: 'queued', node: composer('running', { draft: 'And support.', queued: 'next' }) },
  { state: 'demo over', node: composer('completed', { demoOver: true }) },
];

/** Where the person decides and writes. */
export const decisions: readonly Section[] = [
  {
    name: 'Question',
    of: [
      Question,
      FormWidget,
      SelectionWidget,
      ConfirmationWidget,
      PlanWidget,
      FeedbackWidget,
      ActionWidget,
      DecisionBody,
    ],
    place: 'list',
    entries: [...questions, { state: 'unknown', node: <Asked body={unknown} /> }],
  },
  {
    name: 'Change',
    of: [Change, ChangeObject, Looks, InsteadField, InsteadButtons],
    place: 'list',
    entries: changes,
  },
  {
    name: 'Dock',
    of: [Dock],
    place: 'dock',
    entries: each({
      one: (
        <Stage scene={sceneOf('approval')} more={WRITING}>
          <Dock />
        </Stage>
      ),
      several: (
        <Stage scene={sceneOf('two')} more={WRITING}>
          <Dock />
        </Stage>
      ),
    }),
  },
  { name: 'Receipt', of: [Receipt], place: 'list', entries: receipts },
  { name: 'Composer', of: [Composer], place: 'dock', entries: composers },
  {
    name: 'BrokenItem',
    of: [BrokenItem],
    place: 'list',
    entries: each({ question: <BrokenItem body={asked.feedback} /> }),
  },
];
