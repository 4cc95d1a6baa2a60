import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Lang } from '../i18n';
import { say } from '../state/actions';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { useView } from '../state/store';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { ContextMeter } from './context-meter';
import { ItemRow } from './message-row';

function Both() {
  const items = useView((v) => v.conversation.items);
  return (
    <main>
      <ContextMeter />
      {items.map((item) => (
        <ItemRow key={item.id} item={item} headed={false} />
      ))}
    </main>
  );
}

/** The meter and the conversation of a scenario. */
async function conversation(scenario: string, lang: Lang = 'en') {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await openConversation(app, 'c-current');
  showIn(app, <Both />, lang);
  const said = () => commands.flatMap((it) => (it.type === 'session' ? [it.command] : []));
  return { app, said, user: userEvent.setup() };
}

test('nothing is shown while nobody knows how much the model reads', async () => {
  await conversation('running');
  expect(screen.queryByTestId('context-meter')).toBeNull();
});

test('the meter says how full the model is, and what was shortened is told', async () => {
  await conversation('context-long');
  const meter = await screen.findByTestId('context-meter');
  expect(meter).toHaveAccessibleName("The model's context: ≈ 21,940 of 32,768 tokens, ≈ 67%");
  expect(screen.getByTestId('notice-compacted')).toHaveTextContent(
    'about 15420 tokens in place of 27180',
  );
});

test('a conversation is shortened from the meter, also in Chinese', async () => {
  const { said, user } = await conversation('context-long', 'zh');
  await user.click(await screen.findByTestId('context-meter'));
  await user.click(await screen.findByText('为模型缩短较早的消息'));
  await waitFor(() => expect(said()).toEqual([{ type: 'compact', hard: false }]));
});

test('while the conversation is being shortened nothing else can be asked for', async () => {
  const { user } = await conversation('context-compressing');
  const meter = await screen.findByTestId('context-meter');
  expect(meter).toHaveAccessibleName('Older messages are being shortened for the model');
  await user.click(meter);
  expect(screen.queryByTestId('context-shorten')).toBeNull();
  expect(await screen.findByTestId('context-settings')).toBeVisible();
});

test('one that is too long is shortened, or dropped for the model, and goes on', async () => {
  const { said, user } = await conversation('context-too-long');
  expect(await screen.findByTestId('model-settings')).toBeVisible();
  await user.click(screen.getByTestId('start-afresh'));
  await waitFor(() => expect(said().map((it) => it.type)).toEqual(['startAfresh', 'resume']));
});

test('/compact in the place for words shortens the conversation and is no word', async () => {
  const { app, said } = await conversation('context-long');
  expect(await say(app, ' /compact ')).toBe(true);
  expect(said()).toEqual([{ type: 'compact', hard: false }]);
});

test('a number that was counted is not marked as an estimate', async () => {
  await conversation('context-counted');
  const meter = await screen.findByTestId('context-meter');
  expect(meter).toHaveAccessibleName("The model's context: 21,940 of 32,768 tokens, 67%");
  expect(meter).toHaveTextContent('67%');
  expect(meter).not.toHaveTextContent('≈');
});
