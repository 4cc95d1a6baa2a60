import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { draftAt } from '../state/drafts';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Workspace } from './workspace';

vi.setConfig({ testTimeout: 30_000 });

test('words written while others are on their way are kept, also when one looks elsewhere', async () => {
  const { bridge } = recordingBridge('completed');
  let arrive: () => void = () => undefined;
  const onItsWay = new Promise<void>((done) => {
    arrive = done;
  });
  const app = makeApp({
    ...bridge,
    async submit(command) {
      if (command.type === 'session') await onItsWay;
      return bridge.submit(command);
    },
  });
  showIn(app, <Workspace />);
  await enterProject(app, 'p-notes');
  await waitFor(() => expect(screen.getByTestId('composer-input')).toBeEnabled());
  const user = userEvent.setup();
  await user.type(screen.getByTestId('composer-input'), 'First{Enter}Next');
  openConversation(app, 'c-done');
  await waitFor(() => expect(screen.getByTestId('composer-input')).toHaveValue(''));
  arrive();
  await new Promise((done) => setTimeout(done, 50));
  const place = { type: 'composer', conversationId: 'c-current' } as const;
  expect(draftAt(app, place)).toBe('Next');
});

test('words that were refused stand before those that were written meanwhile', async () => {
  const { bridge } = recordingBridge('completed');
  let refuse: () => void = () => undefined;
  const onItsWay = new Promise<void>((done) => {
    refuse = done;
  });
  const app = makeApp({
    ...bridge,
    async submit(command) {
      if (command.type !== 'session') return bridge.submit(command);
      await onItsWay;
      const failure = { code: 'RUN_BUSY', message: 'another process works on the run' } as const;
      return { ok: false, failure };
    },
  });
  showIn(app, <Workspace />);
  await enterProject(app, 'p-notes');
  await waitFor(() => expect(screen.getByTestId('composer-input')).toBeEnabled());
  const user = userEvent.setup();
  await user.type(screen.getByTestId('composer-input'), 'First{Enter}Next');
  refuse();
  await waitFor(() => expect(screen.getByTestId('composer-input')).toHaveValue('First\nNext'));
  const place = { type: 'composer', conversationId: 'c-current' } as const;
  await waitFor(() => expect(draftAt(app, place)).toBe('First\nNext'));
});

test('words that were taken are no draft any more', async () => {
  const app = makeApp(recordingBridge('completed').bridge);
  showIn(app, <Workspace />);
  await enterProject(app, 'p-notes');
  const user = userEvent.setup();
  await user.type(await screen.findByTestId('composer-input'), 'First{Enter}');
  const place = { type: 'composer', conversationId: 'c-current' } as const;
  await waitFor(() => expect(draftAt(app, place)).toBeUndefined());
});
