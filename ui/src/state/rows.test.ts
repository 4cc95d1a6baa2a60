import { expect, test } from 'vitest';
import { call, item, notice, says, step, user } from '../bridge/fake/pieces';
import { type Row, rowsOf } from './rows';

const none: ReadonlySet<string> = new Set();

const told = (row: Row): string => {
  if (row.kind === 'calls') return `calls ${row.items.length}`;
  if (row.kind === 'step') return `${row.open ? 'open' : 'folded'} ${row.item.body.node}`;
  return row.item.body.type + (row.headed ? ' headed' : '');
};

test('calls that changed nothing stand in one row, until something else happens', () => {
  const { rows } = rowsOf(
    [
      call('fs.read', '@project/a.md'),
      call('fs.search', '@project'),
      call('fs.read', '@project/none.md', { state: 'missing' }),
      call('fs.write', '@project/b.md'),
      call('fs.read', '@project/b.md', { state: 'running' }),
      call('fs.read', '@project/c.md', { state: 'failed' }),
      call('fs.apply_patch', '@state/workflow.md', { class: 'write_state' }),
      call('workflow.rewind', '@state/workflow.md', { class: 'write_state' }),
    ],
    none,
  );
  expect(rows.map(told)).toEqual(['calls 3', 'call', 'calls 1', 'call', 'calls 1', 'call']);
});

test('a row of calls has an end', () => {
  const items = Array.from({ length: 120 }, (_, n) => call('fs.read', `@project/${n}.md`));
  expect(rowsOf(items, none).rows.map(told)).toEqual(['calls 50', 'calls 50', 'calls 20']);
});

test('what belongs to a step that is done is folded away, and summed up', () => {
  const [first, second] = [step('gather'), step('write')];
  const widget = { widgetId: 'w', type: 'feedback' as const, message: 'Who?' };
  const items = [
    user('Before the first step.'),
    first,
    user('What I want.'),
    says('Understood.', { agent: 'sm' }),
    item({ type: 'question', widget, unbound: false, closed: false, answer: { a: 'Sales' } }),
    item({ type: 'question', widget, unbound: false, closed: true }),
    call('fs.write', '@project/a.md'),
    call('fs.write', '@project/a.md'),
    call('fs.write', '@project/b.md', { state: 'refused' }),
    second,
    says('I write it now.'),
  ];
  const { rows } = rowsOf(items, none);
  expect(rows.map(told)).toEqual(['message', 'folded gather', 'open write', 'message headed']);
  expect(rows[1]).toMatchObject({
    done: { until: second.at, agent: 'sm', words: 'What I want.', files: 1 },
  });
  const done = rows[1]?.kind === 'step' ? rows[1].done : null;
  expect(done?.answered).toHaveLength(1);
  expect(rowsOf(items, new Set([first.id])).rows).toHaveLength(items.length);
});

test('an item is found in its row, or in the step that has to be opened first', () => {
  const looks = [call('fs.read', '@project/a.md'), call('fs.read', '@project/b.md')];
  const words = says('Folded away.');
  const first = step('gather');
  const items = [first, words, step('write'), ...looks];
  const { placeOf } = rowsOf(items, none);
  expect(placeOf(looks[1]?.id ?? '')).toEqual({ at: 2, within: null });
  expect(placeOf(words.id)).toEqual({ at: 0, within: first.id });
  expect(placeOf('elsewhere')).toBeUndefined();
});

test('the same speaker is named again behind a question, and where a step begins', () => {
  const widget = { widgetId: 'w', type: 'feedback' as const, message: 'Who?' };
  const question = item({ type: 'question', widget, unbound: false, closed: true });
  const { rows } = rowsOf(
    [says('One.'), says('Two.'), question, says('Three.'), step('write'), says('Four.')],
    none,
  );
  expect(rows.map(told)).toEqual([
    'message headed',
    'message',
    'question',
    'message headed',
    'open write',
    'message headed',
  ]);
});

test('a call that did not do what it was to do has a line of its own', () => {
  const { rows } = rowsOf(
    [
      call('fs.read', '@project/.env', { state: 'handled' }),
      call('fs.apply_patch', '@project/a.md', { class: 'read' }),
      call('agent.report', undefined, { class: 'session' }),
      call('mcp.look', undefined, { class: 'external' }),
    ],
    none,
  );
  expect(rows.map(told)).toEqual(['call', 'call', 'call', 'call']);
});

test.each([
  ['a question that can be answered', { answer: undefined, closed: false }, true],
  ['one that needs no answer', { answer: undefined, closed: true }, false],
] as const)('%s is folded away or not', (_, standing, isOpen) => {
  const widget = { widgetId: 'w', type: 'feedback' as const, message: 'Who?' };
  const question = item({ type: 'question', widget, unbound: false, ...standing });
  const { rows } = rowsOf([step('gather'), question, step('write')], none);
  expect(rows[0]).toMatchObject({ kind: 'step', open: isOpen });
});

test.each(['running', 'waiting', 'inDoubt'] as const)(
  'a call that is %s is never folded away',
  (state) => {
    const late = call('fs.write', '@project/a.md', { state });
    const { rows } = rowsOf([step('gather'), late, step('write')], none);
    expect(rows.map(told)).toEqual(['open gather', 'call', 'open write']);
  },
);

test('a step that was left is not told as done, and what went wrong in it is counted', () => {
  const items = [
    step('write'),
    call('fs.write', '@project/a.md', { state: 'failed' }),
    call('fs.write', '@project/b.md', { details: { noop: true } }),
    call('fs.move', '@project/c.md', { class: 'write_project', details: { to: '@project/d.md' } }),
    call('fs.write', '@project/d.md'),
    notice('unchanged'),
    notice('order_kept'),
    step('gather', false),
  ];
  const [row] = rowsOf(items, none).rows;
  expect(row).toMatchObject({ done: { completed: false, troubles: 2, kept: 1, files: 1 } });
});
