import { expect, test } from 'vitest';
import { inCurrent } from '../../test/render';
import type { Command, Frame, SessionCommand, Status } from '../wire';
import { fakeBridge } from './index';

type Rewind = Extract<SessionCommand, { type: 'rewind' }>;
type Target = Pick<Rewind, 'nodeId' | 'undo' | 'overwrite' | 'keepFiles'>;

/** The program of a scene, whose run can be taken back. */
async function opened(scenario = 'graph') {
  const bridge = fakeBridge(scenario);
  let status: Status | undefined;
  const follow = (frames: readonly Frame[]) => {
    for (const frame of frames) {
      if (frame.type === 'snapshot' || frame.type === 'status') status = frame.status;
    }
  };
  bridge.watch('c-current', follow, () => undefined);
  await new Promise((done) => setTimeout(done));
  const preview = (target: Target) =>
    bridge.query({ type: 'rewindPreview', conversationId: 'c-current', ...target });
  const submit = async (command: Command) => {
    const result = await bridge.submit(command);
    return result.ok ? 'ok' : result.failure.code;
  };
  const go = async (target: Target) => {
    const shown = await preview(target);
    if (!shown.ok) return shown.failure.code;
    const { seen } = shown.value;
    return submit(inCurrent({ type: 'rewind', ...target, reason: null, seen }));
  };
  return { preview, submit, go, now: () => status as Status };
}

test.each([
  ['graph', 'size', 'check'],
  ['completed', 'gather', 'end'],
  ['nested', 'chapters', 'ask'],
])('in %s going back is undone, and that in its turn', async (scenario, to, stood) => {
  const { go, now } = await opened(scenario);
  const { steps, called, run } = now();
  expect(await go({ nodeId: to })).toBe('ok');
  expect(now().undo).toMatchObject({ nodeId: stood });
  const back = now();
  expect(await go({ nodeId: stood, undo: true })).toBe('ok');
  expect(now()).toMatchObject({ steps, run: { phase: run?.phase, reason: 'went_back' } });
  expect(now().called).toEqual(called);
  expect(now().undo).toMatchObject({ nodeId: to });
  expect(await go({ nodeId: to, undo: true })).toBe('ok');
  expect(now()).toEqual(back);
});

test('nothing is undone before it was done, elsewhere, or once the run did something', async () => {
  const { go, submit, now } = await opened();
  const undo = { nodeId: 'check', undo: true };
  expect(await go(undo)).toBe('E_INVALID_TRANSITION');
  for (const moves of [{ type: 'resume' }, { type: 'say', text: 'Go on.' }] as const) {
    expect(await go({ nodeId: 'gather' })).toBe('ok');
    expect(await go({ ...undo, nodeId: 'gather' })).toBe('E_INVALID_TRANSITION');
    expect(now().undo).toBeDefined();
    expect(await submit(inCurrent(moves))).toBe('ok');
    expect(now().undo).toBeUndefined();
    expect(await submit(inCurrent({ type: 'stop' }))).toBe('ok');
    expect(await go(undo)).toBe('E_INVALID_TRANSITION');
  }
});

test('what undoing does to files is what was shown', async () => {
  const { go, preview, submit, now } = await opened();
  await go({ nodeId: 'size' });
  const theirs = '@project/docs/audience.md';
  const paths = async (overwrite: string[]) => {
    const shown = await preview({ nodeId: 'check', undo: true, overwrite });
    if (!shown.ok) throw new Error(shown.failure.message);
    const { files, conflicts, steps, seen } = shown.value;
    expect(steps).toEqual([]);
    return { files: files.map(({ path }) => path), conflicts: conflicts.length, seen };
  };
  const kept = await paths([]);
  expect(kept).toMatchObject({ conflicts: 1 });
  expect(kept.files).not.toContain(theirs);
  const all = await paths([theirs]);
  expect(all).toMatchObject({ conflicts: 0 });
  expect(all.files).toContain(theirs);
  const other = { type: 'rewind', nodeId: 'check', undo: true, reason: null } as const;
  expect(await submit(inCurrent({ ...other, seen: all.seen }))).toBe('E_PRECONDITION_FAILED');
  expect(now().undo).toBeDefined();
});
