import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { acceptance } from '../bridge/fake/acceptance';
import type { Decision } from '../bridge/wire';
import type { Lang } from '../i18n';
import { press, show } from '../test/render';
import { DecisionBlock, type DecisionBody } from './decision';

/** The newest judgement of a recorded conversation. */
function bodyOf(scene: string): DecisionBody {
  const { items } = acceptance(() => [])[scene]?.() ?? { items: [] };
  const body = items.findLast((item) => item.body.type === 'decision')?.body;
  if (body?.type !== 'decision') throw new Error(`no judgement in ${scene}`);
  return body;
}

interface Options {
  isOpen?: boolean;
  busy?: 'retry' | 'accept' | null;
  lang?: Lang;
  armedAfter?: number;
}

function showBlock(
  body: DecisionBody,
  { isOpen = true, busy = null, lang, armedAfter = 0 }: Options = {},
) {
  const chosen = { onRetry: vi.fn(), onAccept: vi.fn(), onTell: vi.fn() };
  const titles: Record<string, string> = { write: 'Write the story' };
  show(
    <DecisionBlock
      body={body}
      isOpen={isOpen}
      busy={busy}
      titleOf={(node) => titles[node] ?? node}
      armedAfter={armedAfter}
      {...chosen}
    />,
    lang,
  );
  return { ...chosen, block: screen.getByTestId('decision'), user: userEvent.setup() };
}

const withDecision = (part: Partial<Decision>): DecisionBody => {
  const body = bodyOf('decision');
  return { ...body, decision: { ...body.decision, ...part } };
};

test('a judgement says in one sentence why the words do not stand, and what is missing', () => {
  const { block } = showBlock(bodyOf('decision'));
  expect(block).toHaveTextContent('[Runtime Decision]Not complete yet');
  expect(block).toHaveTextContent('The model was told and made no progress.');
  const facts = screen.getAllByTestId('missing-fact').map((fact) => fact.textContent);
  expect(facts[0]).toContain('checklist.md must exist');
  expect(facts[0]).toContain('promised by the step “Write the story”');
  expect(facts[0]).toContain('failed 3×: EACCES');
  expect(facts[1]).toMatch(/story\.md must contain:As a colleague in support## Acceptance/);
  expect(facts[2]).toContain('release-notes.md must be checked');
  expect(facts[3]).toContain('Todo sign-off must be finished');
  expect(screen.getByTestId('missing-facts')).toHaveTextContent('2 more');
});

test('a judgement is said in the language of the reader', () => {
  const { block } = showBlock(bodyOf('decision'), { lang: 'zh' });
  expect(block).toHaveTextContent('[运行时判定]尚未完成');
  expect(block).toHaveTextContent('已告知模型，但没有任何进展。');
  expect(block).toHaveTextContent('失败 3 次：EACCES');
});

test('a judgement of an older journal is said in the words that it has', () => {
  const body = withDecision({ said: undefined, user_summary: 'There is no story.' });
  const { block } = showBlock(body, { lang: 'zh' });
  expect(block).toHaveTextContent('There is no story.');
});

test('the words that were not accepted are shown on demand, and as no message', async () => {
  const { user } = showBlock(bodyOf('decision'));
  expect(screen.queryByText('written and checked')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'What the model said (not accepted)' }));
  expect(screen.getByTestId('rejected-text')).toContainElement(
    screen.getByText('written and checked'),
  );
  expect(screen.getByText('written and checked').tagName).toBe('STRONG');
  expect(screen.queryByTestId('message-assistant')).toBeNull();
});

test('the calls that would prove it are shown as a model makes them', async () => {
  const { user } = showBlock(bodyOf('decision'));
  expect(screen.queryByTestId('next-actions')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Tool calls that would prove it' }));
  expect(screen.getByTestId('next-actions')).toHaveTextContent(
    'todo_write {"action":"complete","id":"sign-off","expected_revision":3}',
  );
});

test('while the model goes on by itself there is one closed line and nothing to decide', async () => {
  const { block, user } = showBlock(bodyOf('decision-continue'));
  expect(block).toHaveTextContent('The model is told and goes on.');
  expect(screen.getAllByRole('button')).toHaveLength(1);
  expect(screen.queryByTestId('missing-facts')).toBeNull();
  await user.click(screen.getByRole('button'));
  expect(screen.getAllByTestId('missing-fact')).toHaveLength(4);
});

test('what only the person can give is said below the words that stand', () => {
  const { block } = showBlock(bodyOf('decision-blocked'));
  expect(block).toHaveTextContent('Waiting for you: the step write goes on after your answer');
  expect(screen.queryByTestId('decision-accept')).toBeNull();
});

test.each(['decision', 'decision-failed'])(
  'of %s the person says what becomes of it',
  async (scene) => {
    const { onRetry, onAccept, onTell, user } = showBlock(bodyOf(scene));
    await user.click(screen.getByTestId('decision-retry'));
    await user.click(screen.getByTestId('decision-tell'));
    press(screen.getByTestId('decision-accept'));
    expect(onRetry).toHaveBeenCalledOnce();
    expect(onTell).toHaveBeenCalledOnce();
    expect(onAccept).toHaveBeenCalledOnce();
  },
);

test('while one choice is on its way there is no second one', async () => {
  const { onRetry, onAccept, user } = showBlock(bodyOf('decision'), { busy: 'retry' });
  await user.click(screen.getByTestId('decision-retry'));
  press(screen.getByTestId('decision-accept'));
  expect(onRetry).not.toHaveBeenCalled();
  expect(onAccept).not.toHaveBeenCalled();
});

test('a click that was on its way when the judgement came accepts nothing', () => {
  const { onAccept } = showBlock(bodyOf('decision'), { armedAfter: 700 });
  const button = screen.getByTestId('decision-accept');
  fireEvent.pointerDown(button);
  fireEvent.click(button);
  expect(onAccept).not.toHaveBeenCalled();
  expect(screen.getByTestId('too-early')).toHaveTextContent('Read it first');
});

test('what the person let stand says so, and asks nothing more', () => {
  const { block } = showBlock(bodyOf('decision-overruled'));
  expect(block).toHaveTextContent('You accepted this');
  expect(block).not.toHaveTextContent('Not complete yet');
  expect(screen.queryByTestId('decision-retry')).toBeNull();
  expect(screen.queryByTestId('decision-accept')).toBeNull();
  // The words are a message by now.
  expect(screen.queryByTestId('decision-rejected')).toBeNull();
});

test('once the run has gone on a judgement asks nothing', () => {
  showBlock(bodyOf('decision'), { isOpen: false });
  expect(screen.getAllByTestId('missing-fact')).toHaveLength(4);
  expect(screen.queryByTestId('decision-retry')).toBeNull();
});

test.each(['unrecognised', 'postponed'])(
  'a judgement that only a newer program makes is shown without one of our own: %s',
  (status) => {
    const body = bodyOf('decision-unknown');
    const decision = { ...body.decision, status: status as Decision['status'] };
    const { block } = showBlock({ ...body, decision });
    expect(block).toHaveTextContent('The reviewer has not looked at the story yet.');
    expect(block).toHaveTextContent('Something this version does not recognise');
    expect(block).toHaveAttribute('data-tone', 'plain');
    expect(screen.queryByRole('button')).toBeNull();
  },
);
