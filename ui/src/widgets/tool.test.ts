import { expect, test } from 'vitest';
import { codeOf, isCallOf, ofTool, restoredOf, skillOf } from './tool';

test('a result is read as the program writes it', () => {
  const conflicts = [{ path: '@project/b', reason: 'changed' }];
  const result = { ok: true, restored: [{ path: '@project/a', removed: true }], conflicts };
  expect(restoredOf(result)).toEqual({ restored: result.restored, conflicts });
  expect(codeOf({ ok: false, error: { code: 'E_IO', message: '' } })).toBe('E_IO');
});

test.each([
  undefined,
  null,
  'E_IO',
  [],
  { restored: 'all', conflicts: [null, 1, { path: 2 }], error: 'E_IO' },
  { restored: [{}], error: { code: 5 } },
])('of a result in another shape nothing is shown: %j', (result) => {
  expect(restoredOf(result)).toEqual({ restored: [], conflicts: [] });
  expect(codeOf(result)).toBeNull();
});

test('a tool is known by its name, and one of another program is not', () => {
  expect(isCallOf('fs.move', 'fs.delete', 'fs.move')).toBe(true);
  expect(isCallOf('fs.write', 'fs.delete', 'fs.move')).toBe(false);
  expect(ofTool({ 'fs.glob': 1 }, 'fs.glob')).toBe(1);
  expect(ofTool({ 'fs.glob': 1 }, 'mcp.glob')).toBeUndefined();
  expect(ofTool({}, 'toString')).toBeUndefined();
});

test('the skill of a call is told with its file, and whatever else stands there is left out', () => {
  const args = { skill: 'pdf', path: 'references/forms.md', startLine: 3 };
  expect(skillOf({ tool: 'skill.read', args })).toBe('pdf · references/forms.md');
  expect(skillOf({ tool: 'skill.activate', args: { name: 'pdf' } })).toBe('pdf');
  expect(skillOf({ tool: 'skill.activate', args: { name: 7 } })).toBeUndefined();
  expect(skillOf({ tool: 'skill.activate', args: null })).toBeUndefined();
  expect(skillOf({ tool: 'fs.read', args })).toBeUndefined();
});
