import type { Channel } from '@tauri-apps/api/core';
import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { afterEach, expect, test, vi } from 'vitest';
import { dialogTitles } from '../i18n/dialog-titles';
import { inCurrent } from '../test/render';
import { asFailure, type Bridge, unpack } from './bridge';
import { fakeBridge } from './fake';
import { tauriBridge as bridgeWith } from './tauri';
import type { Frame, Query } from './wire';

const tauriBridge = bridgeWith(dialogTitles);

afterEach(clearMocks);

const queries: Query[] = [
  { type: 'projects' },
  { type: 'packages' },
  { type: 'inspectPackage', path: '/downloads/a.bmad' },
  { type: 'package', packageId: 'x' },
  { type: 'runs', projectId: 'p-notes' },
  { type: 'snapshot', conversationId: 'c-current' },
  { type: 'todos', conversationId: 'c-current' },
  { type: 'settings' },
  { type: 'testModel' },
  { type: 'doctor' },
];

test.each(queries)('the fake answers $type with the right kind of answer', async (query) => {
  expect(await fakeBridge('completed').query(query)).toMatchObject({ ok: true });
});

test.each([
  [{ model: { apiKey: 'sk-1' } }, 'SETTING_IS_KEY'],
  [{ model: { headers: { Authorization: 'sk-1' } } }, 'SETTING_IS_KEY'],
  [{ engine: { maxTurn: 1 } }, 'SETTING_INVALID'],
])('the fake refuses the setting %j, as the host does', async (patch, code) => {
  const result = await fakeBridge('completed').submit({ type: 'configure', patch });
  expect(result).toMatchObject({ ok: false, failure: { code } });
});

test('an answer of another kind is a failure, not a value', () => {
  const result = unpack({ type: 'projects' }, { type: 'doctor', value: [] });
  expect(result).toMatchObject({ ok: false, failure: { code: 'E_INTERNAL' } });
});

test('a failure passes as it is, and anything else that is thrown becomes one', () => {
  const failure = { code: 'ENOENT', message: 'gone' };
  expect(asFailure(failure)).toBe(failure);
  expect(asFailure(new Error('boom'))).toEqual({ code: 'E_INTERNAL', message: 'boom' });
  expect(asFailure('text')).toEqual({ code: 'E_INTERNAL', message: 'text' });
});

test('a watched conversation begins with everything, and nothing comes after it is let go', async () => {
  const seen: Frame[] = [];
  const bridge: Bridge = fakeBridge('completed');
  const stop = await new Promise<() => void>((resolve) => {
    const off = bridge.watch(
      'c-current',
      (frames) => {
        seen.push(...frames);
        resolve(off);
      },
      () => undefined,
    );
  });
  expect(seen[0]?.type).toBe('snapshot');
  stop();
  await bridge.submit(inCurrent({ type: 'say', text: 'hello' }));
  expect(seen).toHaveLength(1);
});

test('the window’s bridge sends the three commands with the names the other side expects', async () => {
  const calls: [string, unknown][] = [];
  mockIPC((command, args) => {
    calls.push([command, args]);
    return command === 'query' ? { type: 'projects', value: [] } : {};
  });
  await tauriBridge.submit(inCurrent({ type: 'resume' }));
  expect(await tauriBridge.query({ type: 'projects' })).toEqual({ ok: true, value: [] });
  tauriBridge.watch(
    'c',
    () => undefined,
    () => undefined,
  )();
  expect(calls[0]).toEqual(['submit', { command: inCurrent({ type: 'resume' }) }]);
  expect(calls[1]).toEqual(['query', { query: { type: 'projects' } }]);
  expect(calls[2]?.[0]).toBe('watch');
  const target = { type: 'conversation', conversationId: 'c' };
  expect(calls[2]?.[1]).toMatchObject({ target, channel: expect.anything() });
});

test('leaving what was followed is told to the other side, on the same channel and only once', async () => {
  const calls: { target: { type: string }; channel: Channel }[] = [];
  mockIPC((_, args) => void calls.push(args as never));
  const nothing = () => undefined;
  const leave = tauriBridge.watch('c', nothing, nothing);
  const other = tauriBridge.notice({ type: 'app' }, nothing, nothing);
  leave();
  leave();
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  expect(calls.map((call) => call.target.type)).toEqual(['conversation', 'app', 'nothing']);
  expect(calls[2]?.channel.id).toBe(calls[0]?.channel.id);
  other();
  await vi.waitFor(() => expect(calls).toHaveLength(4));
  expect(calls[3]?.channel.id).toBe(calls[1]?.channel.id);
});

test('a refused command comes back as a failure, not as a rejected promise', async () => {
  mockIPC(() => {
    throw { code: 'NOT_NOW', message: 'The run is working.' };
  });
  const result = await tauriBridge.submit(inCurrent({ type: 'resume' }));
  expect(result).toEqual({
    ok: false,
    failure: { code: 'NOT_NOW', message: 'The run is working.' },
  });
});

test('the system’s dialogs have titles, and say what they take, in the language of the page', async () => {
  const asked: unknown[] = [];
  mockIPC((command, args) => {
    asked.push([command, (args as { options: unknown }).options]);
    return null;
  });
  document.documentElement.lang = 'zh-CN';
  await tauriBridge.pickPackage();
  document.documentElement.lang = 'en';
  await tauriBridge.pickPackage();
  await tauriBridge.pickFolder();
  await tauriBridge.pickSave('a.md', 'md');
  const of = (title: string, name?: string) =>
    expect.objectContaining({
      title,
      ...(name && { filters: [expect.objectContaining({ name })] }),
    });
  expect(asked).toEqual([
    ['plugin:dialog|open', of('选择流程包', 'CrewAgent 流程包')],
    ['plugin:dialog|open', of('Choose a package', 'CrewAgent package')],
    ['plugin:dialog|open', of('Choose a folder')],
    ['plugin:dialog|save', of('Save as', 'MD')],
  ]);
});
