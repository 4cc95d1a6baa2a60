import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Lang } from '../i18n';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { StepsTooLong } from './steps-too-long';

async function conversation(scenario: string, lang: Lang = 'en') {
  const app = makeApp(recordingBridge(scenario).bridge);
  await enterProject(app, 'p-notes');
  await openConversation(app, 'c-current');
  showIn(app, <StepsTooLong />, lang);
  return app;
}

test('steps that the model cannot read whole are told by their titles, with a way out', async () => {
  const app = await conversation('context-steps-too-long');
  const told = await screen.findByTestId('steps-too-long');
  expect(told).toHaveTextContent('The model reads 8,192 tokens at a time.');
  expect(told).toHaveTextContent('≈ 6,240 tokens, and there is room for 3,710');
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Model settings' }));
  expect(app.store.getState().settingsField).toBe('context-tokens');
});

test('they are told in Chinese too', async () => {
  await conversation('context-steps-too-long', 'zh');
  expect(await screen.findByTestId('steps-too-long')).toHaveTextContent('8,192 个词元');
});

test('nothing is said where every step fits', async () => {
  await conversation('context-long');
  expect(screen.queryByTestId('steps-too-long')).toBeNull();
});
