import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openConversation } from '../state/opening';
import { inCurrent, makeApp, recordingBridge, showIn } from '../test/render';
import { GrantsMenu } from './grants';
import { Inspector } from './inspector';

async function opened(scenario: string) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  return { app, commands, user: userEvent.setup() };
}

test('an allowed folder is listed with its tool, and can be taken back', async () => {
  const { app, commands, user } = await opened('approval');
  showIn(app, <Inspector />);
  expect(screen.getByTestId('grants')).toHaveTextContent('@project/docs');
  expect(screen.getByTestId('grants')).toHaveTextContent('fs.apply_patch');
  await user.click(screen.getByTestId('revoke-approval'));
  expect(commands).toEqual([inCurrent({ type: 'revokeApproval', changeId: 'ch-0' })]);
  await waitFor(() => expect(screen.queryByTestId('grants')).toBeNull());
});

test('where there is no room for the list, an allowed folder is taken back in the header', async () => {
  const { app, commands, user } = await opened('approval');
  showIn(
    app,
    <main>
      <GrantsMenu />
    </main>,
    'zh',
  );
  await user.click(screen.getByRole('button', { name: '已允许 1 个文件夹' }));
  await user.click(await screen.findByText('撤销：fs.apply_patch，@project/docs'));
  expect(commands).toEqual([inCurrent({ type: 'revokeApproval', changeId: 'ch-0' })]);
  await waitFor(() => expect(screen.queryByTestId('grants-menu')).toBeNull());
});

test('without allowed folders there is no such list', async () => {
  const { app } = await opened('completed');
  showIn(app, <Inspector />);
  showIn(app, <GrantsMenu />);
  expect(screen.queryByTestId('grants')).toBeNull();
  expect(screen.queryByTestId('grants-menu')).toBeNull();
});

test('what the run changed is listed by what became of each file', async () => {
  const { app } = await opened('completed');
  showIn(app, <Inspector />);
  await waitFor(() => expect(screen.getAllByTestId('change')).toHaveLength(5));
  const rows = screen.getAllByTestId('change').map((row) => row.textContent);
  expect(rows[0]).toContain('changed since by someone else');
  expect(rows[0]).toContain('4 lines added, 2 removed');
  expect(rows[3]).toContain('from @project/notes.md');
  expect(rows[4]).toMatch(/draft\.md.*deleted/);
});

test('a list that could not be read says why, and not that nothing was changed', async () => {
  const { app, user } = await opened('unread-changes');
  showIn(app, <Inspector />);
  expect(await screen.findByTestId('failure')).toHaveTextContent('STORE_');
  expect(screen.queryByText('What the run changes in your project appears here.')).toBeNull();
  app.bridge = recordingBridge('completed').bridge;
  await user.click(screen.getByTestId('changes-again'));
  await waitFor(() => expect(screen.getAllByTestId('change')).toHaveLength(5));
});
