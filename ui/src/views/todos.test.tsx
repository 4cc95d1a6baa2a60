import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Bridge } from '../bridge';
import type { Query } from '../bridge/wire';
import type { Lang } from '../i18n';
import { openConversation } from '../state/opening';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Inspector } from './inspector';

/** An open conversation's inspector, and what was asked for it. */
async function opened(scenario: string, lang: Lang = 'en', wrap = (bridge: Bridge) => bridge) {
  const bridge = wrap(recordingBridge(scenario).bridge);
  const asked: Query['type'][] = [];
  const app = makeApp({
    ...bridge,
    query: (query) => {
      asked.push(query.type);
      return bridge.query(query);
    },
  });
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  showIn(app, <Inspector />, lang);
  return { asked, user: userEvent.setup() };
}

test('todos are listed with how far they are, what they wait for, and whether the run needs them', async () => {
  await opened('decision');
  const rows = (await screen.findAllByTestId('todo')).map((row) => row.textContent);
  expect(screen.getByTestId('todos')).toHaveTextContent('1 of 4 required');
  expect(rows).toHaveLength(7);
  expect(rows[2]).toBe('Write the checklistin progressrequiredchecklistversion 2');
  expect(rows[3]).toContain('waits for your answer');
  expect(rows[4]).toContain('after checklist, sign-off');
  expect(rows[5]).toMatch(/failedtranslate.*There is no glossary in the project\./);
  expect(rows[5]).not.toContain('required');
});

test('todos are said in the language of the reader', async () => {
  await opened('decision', 'zh');
  const [row] = await screen.findAllByTestId('todo');
  expect(row).toHaveTextContent('完成');
  expect(screen.getByTestId('todos')).toHaveTextContent('必做 1/4');
});

test('without todos there is no such list, and nobody is asked for them', async () => {
  const { asked } = await opened('completed');
  await screen.findAllByTestId('change');
  expect(screen.queryByTestId('todos')).toBeNull();
  expect(asked).not.toContain('todos');
});

test('todos that could not be read say why, and can be asked for again', async () => {
  let broken = true;
  const wrap = (bridge: Bridge): Bridge => ({
    ...bridge,
    query: async (query) => {
      const answer = await bridge.query(query);
      const failure = { code: 'STORE_READ_FAILED', message: 'The disk.' } as const;
      return broken && query.type === 'todos' ? { ok: false, failure } : answer;
    },
  });
  const { user } = await opened('decision', 'en', wrap);
  expect(await screen.findByTestId('failure')).toHaveTextContent('STORE_READ_FAILED');
  broken = false;
  await user.click(screen.getByTestId('todos-again'));
  expect(await screen.findAllByTestId('todo')).toHaveLength(7);
});
