import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Result } from '../bridge';
import { scenes } from '../bridge/fake/scenes';
import { nameOf, wholeOf } from '../bridge/fake/whole';
import type { Failure, WholeChange } from '../bridge/wire';
import type { Lang } from '../i18n';
import { press, show } from '../test/render';
import { Question } from './question';

// The diff draws what is in sight, and jsdom has no sight: give it some.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(20);
  return () => vi.restoreAllMocks();
});

/** The question of a scene of the fake bridge, whose program opens its change. */
function ask(scenario: string, { enabled = true, lang = 'en' as Lang, answer = null } = {}) {
  const scene = scenes[scenario]?.() ?? { items: [] };
  const found = scene.items.map((item) => item.body).find((body) => body.type === 'question');
  if (found?.type !== 'question' || !found.change) throw new Error('no question');
  const body = answer === null ? found : { ...found, answer };
  const { change } = found;
  const onAnswer = vi.fn(async (_value: unknown): Promise<Failure | null> => null);
  const onWhole = vi.fn(async (changeId: string): Promise<Result<WholeChange>> => {
    try {
      return { ok: true, value: wholeOf(scene as never, changeId) };
    } catch (failure) {
      return { ok: false, failure: failure as Failure };
    }
  });
  show(
    <Question
      body={body}
      enabled={enabled}
      keys
      armedAfter={0}
      onWhole={onWhole}
      onAnswer={(value) => onAnswer(value)}
    />,
    lang,
  );
  fireEvent.pointerMove(document.body, { clientX: 1, clientY: 1 });
  return { onAnswer, onWhole, change, user: userEvent.setup() };
}

async function open() {
  press(screen.getByTestId('show-all'));
  return screen.findByTestId('whole-diff');
}

function scrollTo(top: number) {
  const body = document.querySelector('.decision-body') as HTMLElement;
  act(() => {
    body.scrollTop = top;
    fireEvent.scroll(body);
  });
}

const yes = () => screen.getByTestId('widget-submit');

/** A line of a difference, whatever of it is marked. */
const line = (text: string) => (_: string, element: Element | null) =>
  element?.className === 'text' && element.textContent === text;

test('a change that was opened is allowed as shown once it was scrolled to its end', async () => {
  const { onAnswer, onWhole, change, user } = ask('cut');
  expect(screen.queryByTestId('widget-submit')).toBeNull();
  await open();
  expect(onWhole).toHaveBeenCalledExactlyOnceWith(change.id);
  expect(screen.getByText(line('an old line 7'))).toBeInTheDocument();
  expect(screen.getByTestId('not-all-shown')).toHaveTextContent('Scroll to its end');
  expect(yes()).toBeDisabled();
  press(yes());
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onAnswer).not.toHaveBeenCalled();
  scrollTo(1e9);
  expect(await screen.findByText(line('a new line 2499'))).toBeInTheDocument();
  await waitFor(() =>
    expect(screen.getByTestId('not-all-shown')).toHaveTextContent(
      'You have seen the whole change.',
    ),
  );
  expect(screen.queryByTestId('approval-folder')).toBeNull();
  expect(screen.queryByTestId('widget-unseen')).toBeNull();
  await waitFor(() => expect(yes()).toBeEnabled());
  press(yes());
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true, whole: nameOf(change) });
});

test('once it was read to its end the keys allow it too', async () => {
  const { onAnswer, change, user } = ask('cut');
  await open();
  scrollTo(1e9);
  await waitFor(() => expect(yes()).toBeEnabled());
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true, whole: nameOf(change) });
});

test('of two hundred thousand lines only those in sight are in the document', async () => {
  ask('cut-huge');
  const whole = await open();
  for (const top of [0, 1_000_000, 1e9]) {
    scrollTo(top);
    expect(whole.querySelectorAll('.diff-row').length).toBeLessThan(100);
  }
  expect(screen.getByText(line('a new line 199999'))).toBeInTheDocument();
});

test.each([
  ['cut-changed', 'E_PRECONDITION_FAILED'],
  ['cut-too-long', 'E_READ_LIMIT'],
])('%s is not opened, says why, and can be allowed unseen', async (scenario, code) => {
  const { onAnswer } = ask(scenario);
  press(screen.getByTestId('show-all'));
  expect(await screen.findByTestId('failure')).toHaveAttribute('data-code', code);
  expect(screen.queryByTestId('widget-submit')).toBeNull();
  press(screen.getByTestId('widget-unseen'));
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ confirmed: true, unseen: true });
});

test('of what is no text there is nothing to open', () => {
  ask('cut-no-text');
  expect(screen.getByTestId('not-all-shown')).toHaveTextContent('it is no text, or too large');
  expect(screen.queryByTestId('show-all')).toBeNull();
  expect(screen.getByTestId('widget-unseen')).toBeEnabled();
});

test('what was answered or cannot be answered now is not opened', () => {
  ask('cut', { enabled: false });
  expect(screen.queryByTestId('show-all')).toBeNull();
});

test.each([
  ['en', 'Allowed once, after all of it was opened'],
  ['zh', '已允许一次，已打开全部改动'],
] as const)('what was opened and allowed says so afterwards: %s', (lang, words) => {
  ask('cut', { lang, answer: { confirmed: true, whole: 'whole-ch-2' } as never });
  expect(screen.getByText(words)).toBeVisible();
});
