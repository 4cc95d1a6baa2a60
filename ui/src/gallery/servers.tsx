import type { ReactNode } from 'react';
import { files, fileTools, LOG, notStarted } from '../bridge/fake/server-list';
import { filePrompts, fileResources } from '../bridge/fake/server-offers';
import {
  askedAdding,
  askedCall,
  serverApproval,
  serverCalls,
  serverQuestion,
} from '../bridge/fake/server-scenes';
import {
  calendar,
  signedInCalendar,
  signInFailed,
  signInPage,
} from '../bridge/fake/server-sign-in';
import type {
  ChangeView,
  ServerState,
  ServerTrust,
  ServerView,
  SignInPage,
  ToolHint,
} from '../bridge/wire';
import { AskedServer, ServerCard } from '../views/server-card';
import { Prompts, Resources } from '../views/server-offers';
import { Tools } from '../views/server-parts';
import { SignedIn, SignIn, SignInDialog } from '../views/server-sign-in';
import { ServersNotice } from '../views/servers-notice';
import { CallCard } from '../widgets/call-card';
import type { QuestionBody } from '../widgets/props';
import { Question } from '../widgets/question';
import { Receipt } from '../widgets/receipt';
import { ServerResult } from '../widgets/server-result';
import { each, type Section } from './sections';
import { Opens, Stage, sceneOf } from './stage';

/** A window in whose project there are these servers. */
const among = (servers: ServerView[], node: ReactNode, busy: string[] = []) => (
  <Stage
    scene={sceneOf('completed')}
    more={{ servers: { ok: true, value: servers }, busy: new Set(busy) }}
  >
    {node}
  </Stage>
);

const cardOf = (server: ServerView, busy: string[] = []) => {
  const one = <ServerCard server={server} isFresh={false} onEdit={() => undefined} />;
  return among([server], <ul className="servers">{one}</ul>, busy);
};

const card = (part: Partial<ServerView>, busy: string[] = []) =>
  cardOf({ ...files, ...part }, busy);

const { tools: _tools, sha256: _hash, listedAt: _at, log: _log, ...unlisted } = files;

const address: Partial<ServerView> = {
  name: 'issues',
  launch: { kind: 'url', url: 'https://mcp.example.org/issues', headers: ['Authorization'] },
};

const states: Record<ServerState, ReactNode> = {
  idle: card({ state: 'idle' }),
  starting: card({ state: 'starting' }),
  running: card({ state: 'running' }),
  failed: card({ name: 'weather', state: 'failed', problem: notStarted, log: LOG, enabled: false }),
};

const trusts: Record<ServerTrust, ReactNode> = {
  none: card({ trust: 'none' }),
  changed: card({ trust: 'changed' }),
  trusted: card({ trust: 'trusted' }),
};

const toolOf = (hint: ToolHint) => <Tools tools={fileTools.filter((tool) => tool.hint === hint)} />;

const hints: Record<ToolHint, ReactNode> = {
  reads: toolOf('reads'),
  adds: toolOf('adds'),
  destroys: toolOf('destroys'),
  unsaid: toolOf('unsaid'),
};

const asked = (server: ServerView) =>
  among([server], <ul className="servers">{<AskedServer server={server} />}</ul>);

const signIn = (isOpened: boolean, page: SignInPage | null = signInPage) =>
  among(
    [calendar],
    <Opens>
      {(close) => <SignInDialog name="calendar" page={page} isOpened={isOpened} onClose={close} />}
    </Opens>,
  );

const opened = (one: keyof typeof serverCalls) => {
  const { body } = serverCalls[one];
  return body.type === 'call' ? <CallCard call={body} unfolded /> : null;
};
const closed = (one: keyof typeof serverCalls) => {
  const { body } = serverCalls[one];
  return body.type === 'call' ? <CallCard call={body} /> : null;
};

const approvalOf = (change: ChangeView): QuestionBody => ({
  type: 'question',
  widget: serverApproval,
  change,
  unbound: false,
  closed: false,
});

const questionOf: QuestionBody = {
  type: 'question',
  widget: serverQuestion,
  unbound: false,
  closed: false,
};

const ask = (body: QuestionBody, server?: string) => (
  <Question
    body={body}
    enabled={body.answer === undefined}
    server={server}
    onAnswer={async () => null}
  />
);

const NO = { confirmed: false };
const ANSWER = { most: 12, order: 'newest', hidden: false };

/** Servers that offer tools: what they are, what is asked about them, and what their calls look like. */
export const servers: readonly Section[] = [
  {
    name: 'ServerState',
    of: [ServerCard],
    place: 'list',
    entries: [
      ...each(states),
      { state: 'testing', node: card({ state: 'starting' }, ['test server files']) },
      {
        state: 'not listed',
        node: card({ state: 'idle', tools: undefined, sha256: undefined, log: undefined }),
      },
      { state: 'address', node: card({ ...address, state: 'idle' }) },
    ],
  },
  { name: 'ServerTrust', of: [ServerCard], place: 'list', entries: each(trusts) },
  { name: 'ServerTools', of: [Tools], place: 'list', entries: each(hints) },
  {
    name: 'ServerOffers',
    of: [Prompts, Resources],
    place: 'list',
    entries: each({
      prompts: <Prompts prompts={filePrompts} />,
      resources: <Resources resources={fileResources} />,
    }),
  },
  {
    name: 'AskedServer',
    of: [AskedServer],
    place: 'list',
    entries: each({
      listed: asked({ ...files, trust: 'changed' }),
      'not listed': asked({ ...unlisted, state: 'idle' }),
    }),
  },
  {
    name: 'ServerSignIn',
    of: [SignIn, SignedIn, SignInDialog],
    place: 'list',
    entries: each({
      needed: cardOf(calendar),
      'needed where it is asked about': asked(calendar),
      'signing in': cardOf(calendar, ['sign in calendar']),
      'dialog that asks': signIn(false, null),
      dialog: signIn(false),
      'dialog while it waits': signIn(true),
      'signed in': cardOf(signedInCalendar),
      'signed in no more': cardOf({ ...calendar, signedIn: true }),
      failed: cardOf({ ...calendar, problem: signInFailed }),
    }),
  },
  {
    name: 'ServersNotice',
    of: [ServersNotice],
    place: 'dock',
    entries: each({
      one: among([{ ...files, trust: 'none' }], <ServersNotice />),
      several: among(
        [
          { ...files, trust: 'none' },
          { ...files, ...address, trust: 'changed' },
        ],
        <ServersNotice />,
      ),
    }),
  },
  {
    name: 'ServerCall',
    of: [CallCard, ServerResult],
    place: 'list',
    entries: each({
      running: closed('running'),
      done: closed('text'),
      failed: closed('failed'),
      'text open': opened('text'),
      'parts open': opened('parts'),
      'failed open': opened('failed'),
      'without a tool': opened('hashed'),
    }),
  },
  {
    name: 'ServerQuestion',
    of: [Question, Receipt],
    place: 'list',
    entries: each({
      destroys: ask(approvalOf(askedCall())),
      adds: ask(approvalOf(askedAdding)),
      refused: ask({ ...approvalOf(askedCall()), answer: NO }),
      'no arguments': ask(approvalOf(askedCall({}))),
      asks: ask(questionOf, 'files'),
      'asks unnamed': ask(questionOf),
      answered: ask({ ...questionOf, answer: ANSWER }),
      'asks receipt': <Receipt body={{ ...questionOf, answer: ANSWER }} waits={false} />,
      'call receipt': <Receipt body={{ ...approvalOf(askedCall()), answer: NO }} waits={false} />,
    }),
  },
];
