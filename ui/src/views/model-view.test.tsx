import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Lang } from '../i18n';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { openRequests } from '../state/requests';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { ModelView, ModelViewLink } from './model-view';

/** The link and the dialog of a scenario's conversation, opened. */
async function opened(scenario: string, lang: Lang = 'en') {
  const { bridge } = recordingBridge(scenario);
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await openConversation(app, 'c-current');
  const all = (
    <main>
      <ModelViewLink />
      <ModelView />
    </main>
  );
  showIn(app, all, lang);
  const user = userEvent.setup();
  await user.click(screen.getByTestId('open-requests'));
  return { app, user };
}

const messages = () =>
  screen.getAllByTestId('request-message').map((it) => it.getAttribute('data-source'));

test('the newest request is shown, with what is new in it open', async () => {
  await opened('tool');
  const proof = await screen.findByTestId('request-proof');
  expect(proof).toHaveTextContent('Exactly as it was sent');
  expect(screen.getAllByTestId('request-row')).toHaveLength(6);
  expect(screen.getByRole('heading', { name: 'Request 6' })).toBeVisible();
  const dialog = screen.getByTestId('model-view');
  expect(dialog).toHaveTextContent('Messages of the conversation left out to make it shorter: 14.');
  expect(dialog).toHaveTextContent('about 15420 tokens in place of 27180');
  expect(dialog).toHaveTextContent('CONVERSATION_SUMMARY');
  expect(dialog).not.toHaveTextContent('You work inside a runtime');
});

test('another request is chosen, and only what is new in it is shown', async () => {
  const { user } = await opened('tool');
  await screen.findByTestId('request-proof');
  await user.click(screen.getAllByTestId('request-row')[1] as HTMLElement);
  await screen.findByRole('heading', { name: 'Request 2' });
  expect(screen.getByTestId('request-proof')).toHaveTextContent('Not as it was sent');
  expect(messages()).toEqual([
    'base_rules',
    'tool_policy',
    'persona',
    'user_input',
    'reply',
    'result',
    'run_directive',
  ]);
  await user.click(screen.getByRole('switch', { name: 'Only what is new' }));
  expect(messages()).toEqual(['reply', 'result', 'run_directive']);
  await user.click(screen.getByRole('button', { name: 'Earlier request' }));
  await screen.findByRole('heading', { name: 'Request 1' });
  expect(screen.getByRole('button', { name: 'Earlier request' })).toBeDisabled();
  expect(screen.queryByRole('switch')).toBeNull();
});

test('one that was refused and a summary say that nothing proves them, also in Chinese', async () => {
  const { user } = await opened('tool', 'zh');
  await screen.findByTestId('request-proof');
  const rows = screen.getAllByTestId('request-row');
  expect(rows[2]).toHaveTextContent('因过长被拒绝');
  await user.click(rows[3] as HTMLElement);
  await screen.findByRole('heading', { name: '请求 4' });
  expect(screen.getByTestId('request-proof')).toHaveTextContent('无法证明');
  expect(messages()).toEqual(['summary_request']);
});

test('a request is copied whole, as JSON', async () => {
  const { user } = await opened('tool');
  await screen.findByTestId('request-proof');
  await user.click(screen.getByRole('button', { name: 'Copy as JSON' }));
  const copied = JSON.parse(await navigator.clipboard.readText());
  expect(copied.messages[0].role).toBe('system');
  expect(copied.tools.map((tool: { name: string }) => tool.name)).toContain('fs_read');
});

test('a conversation without requests says so, and the dialog closes', async () => {
  const { app, user } = await opened('tool');
  await screen.findByTestId('request-proof');
  app.bridge.query = async () => ({ ok: true, value: { requests: [], earlier: 0 } }) as never;
  await openRequests(app);
  const dialog = screen.getByTestId('model-view');
  await waitFor(() => expect(dialog).toHaveTextContent('No model was asked yet.'));
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByTestId('model-view')).toBeNull());
  expect(app.store.getState().requests).toBeNull();
});

test('why the requests cannot be read is told', async () => {
  const { app, user } = await opened('tool');
  await screen.findByTestId('request-proof');
  const failure = { code: 'STORE_READ_FAILED', message: 'The disk answered no.' } as const;
  app.bridge.query = async () => ({ ok: false, failure });
  await user.click(screen.getAllByTestId('request-row')[0] as HTMLElement);
  expect(await screen.findByTestId('failure')).toHaveAttribute('data-code', 'STORE_READ_FAILED');
});
