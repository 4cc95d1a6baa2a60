import { expect, test } from 'vitest';
import type { ServerView, ShownLaunch } from '../bridge/wire';
import {
  commandLine,
  draftOf,
  formOf,
  hasOddArgs,
  leadsElsewhere,
  type ServerForm,
  withRow,
  wrongIn,
} from './server-draft';

const server = (launch: ShownLaunch): ServerView => ({
  name: 'files',
  launch,
  enabled: true,
  signedIn: false,
  state: 'idle',
  trust: 'none',
  prompts: [],
  resources: [],
});

const program = server({ kind: 'command', command: 'npx', args: ['-y', 'x'], env: ['KEY', 'OLD'] });
const address = server({ kind: 'url', url: 'https://a.example/mcp', headers: ['Authorization'] });

const filledIn = (part: Partial<ServerForm>): ServerForm => ({
  ...formOf(null),
  name: 'files',
  command: 'npx',
  ...part,
});
const row = (name: string, value: string) => ({ id: 0, name, value, known: false });

test('a value that is left empty stays what it is, and one that is taken out is not named', () => {
  const form = formOf(program);
  expect(form).toMatchObject({ name: 'files', kind: 'command', args: '-y\nx' });
  const env = form.env.filter(({ name }) => name !== 'OLD');
  expect(draftOf({ ...form, env }, program)).toEqual({
    name: 'files',
    launch: { kind: 'command', command: 'npx', args: ['-y', 'x'], env: { KEY: null } },
  });
});

test('a value that is typed is sent, also an empty one of a new name', () => {
  const form = formOf(program);
  const [key] = form.env;
  const env = [{ ...key, value: 'new' } as (typeof form.env)[number], row(' MORE ', '')];
  expect(draftOf({ ...form, env }, program).launch).toMatchObject({
    env: { KEY: 'new', MORE: '' },
  });
});

test('a row that nobody filled in says nothing, and no name means more than a name', () => {
  const rows = [...withRow(withRow([])), row('__proto__', 'x')];
  const { launch } = draftOf(filledIn({ env: rows }), null);
  expect(launch.kind === 'command' && Object.entries(launch.env)).toEqual([['__proto__', 'x']]);
});

test('each line is an argument, and lines of nothing are none', () => {
  const { launch } = draftOf(filledIn({ args: '--name\r\n a b \n\n@project\n' }), null);
  expect(launch).toMatchObject({ args: ['--name', ' a b ', '@project'] });
});

test('arguments that lines do not tell stay until they are changed', () => {
  const odd = server({ kind: 'command', command: 'sh', args: ['-c', 'a\nb', ''], env: [] });
  expect([hasOddArgs(odd), hasOddArgs(program), hasOddArgs(null)]).toEqual([true, false, false]);
  const form = formOf(odd);
  expect(draftOf(form, odd).launch).toMatchObject({ args: ['-c', 'a\nb', ''] });
  const changed = { ...form, args: `${form.args}x` };
  expect(draftOf(changed, odd).launch).toMatchObject({ args: ['-c', 'a', 'b', 'x'] });
});

test.each([
  ['https://a.example/other?x=1', false],
  ['https://b.example/mcp', true],
  ['http://a.example/mcp', true],
  ['https://a.example:8443/mcp', true],
  ['https://a.example.b.example/', true],
])('what is sent to https://a.example/mcp is of %s: %s', (url, elsewhere) => {
  expect(leadsElsewhere({ ...formOf(address), url }, address)).toBe(elsewhere);
});

test('what is wrong is named before it is sent', () => {
  expect(wrongIn(formOf(null))).toEqual({
    name: 'servers.form.needs.name',
    command: 'servers.form.needs.command',
  });
  expect(wrongIn(filledIn({ kind: 'url', url: 'ftp://a' }))).toEqual({ url: 'settings.url' });
  expect(wrongIn(filledIn({ env: [row('', 'x')] }))).toEqual({
    values: 'servers.form.needs.valueName',
  });
  expect(wrongIn(filledIn({ env: [row('A', 'x'), { ...row('A ', 'y'), id: 1 }] }))).toEqual({
    values: 'servers.form.needs.otherName',
  });
  // What is not chosen is not sent, and wrong in no way that matters.
  expect(wrongIn(filledIn({ url: 'ftp://a', headers: [row('', 'x')] }))).toEqual({});
});

test('of a command each argument can be told from the next', () => {
  expect(commandLine('npx', ['-y', '@a/b', 'C:\\x', '服务器'])).toBe('npx -y @a/b C:\\x 服务器');
  expect(commandLine('a b', ['', 'say "no"', 'x\ny', '$(rm)'])).toBe(
    '"a b" "" "say \\"no\\"" "x\\ny" "$(rm)"',
  );
});
