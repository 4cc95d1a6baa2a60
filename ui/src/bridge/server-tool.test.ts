import { expect, test } from 'vitest';
import { isOfServer, serverToolOf, wordsOfTool } from './server-tool';

test.each([
  ['mcp__files__read_file', 'files', 'read_file'],
  ['mcp__my_files__read_1a2b3c4d', 'my_files', 'read_1a2b3c4d'],
  ['mcp__a__b__c', 'a', 'b__c'],
])('%s is the tool of a server', (called, server, tool) => {
  expect(isOfServer(called)).toBe(true);
  expect(serverToolOf(called)).toEqual({ server, tool });
  expect(wordsOfTool(called)).toBe(`${tool} · ${server}`);
});

test.each(['mcp__files', 'mcp__files__', 'mcp____read'])('%s is told as it is', (called) => {
  expect(isOfServer(called)).toBe(true);
  expect(wordsOfTool(called)).toBe(called);
});

test.each(['fs.read', 'mcp_files', ''])('“%s” is of no server', (called) => {
  expect(isOfServer(called)).toBe(false);
  expect(serverToolOf(called)).toBeNull();
  expect(wordsOfTool(called)).toBe(called);
});
