// The servers that this page begins with, and those of a file of another program.
import type { Failure, ServerFile, ServerToolView, ServerView, ToolHint } from '../wire';
import { at } from './data';
import { filePrompts, fileResources, issuePrompts } from './server-offers';

export const tool = (
  server: string,
  name: string,
  hint: ToolHint,
  description: string,
  title?: string,
): ServerToolView => ({
  name,
  ...(title ? { title } : {}),
  description,
  hint,
  called: `mcp__${server}__${name}`,
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Which one.' } },
  },
});

const LONG =
  'Looks through the issues of a repository and lists those that fit. Give it the words that you look for; labels and names of people can be given as well. At most 100 are listed, the newest first.\nWhat is closed is listed only when it is asked for. Nothing is changed by it, and nobody is told.';

export const fileTools: ServerToolView[] = [
  tool('files', 'read_file', 'reads', 'Reads a text file.', 'Read a file'),
  tool('files', 'write_file', 'adds', 'Writes a text file, in place of what was there.'),
  tool('files', 'delete_file', 'destroys', 'Removes a file for good.', 'Delete a file'),
  tool('files', 'watch', 'unsaid', ''),
];

const issueTools: ServerToolView[] = [
  tool('issues', 'search_issues', 'reads', LONG, 'Search issues'),
  tool('issues', 'close_issue', 'destroys', 'Closes an issue\u202e‎ for good.'),
];

export const noteTools: ServerToolView[] = [
  tool('notes', 'add_note', 'adds', 'Keeps a note.', 'Add a note'),
];

export const notStarted: Failure = {
  code: 'E_MCP_NOT_STARTED',
  message:
    'the server `weather` could not be started or reached: its program `uvx` could not be started: there is no such file',
  said: {
    key: 'server_not_started',
    values: {
      name: 'weather',
      why: {
        key: 'program_not_started',
        values: { program: 'uvx', why: { key: 'server_ended_at_once', values: {} } },
      },
    },
  },
};

export const LOG =
  'INFO  reading settings\nWARN  no key for the weather service\nERROR WEATHER_KEY is not set: give it one, and start again';

/** A server of which nothing is known but how it is started. */
export const idle = (name: string, launch: ServerView['launch']): ServerView => ({
  name,
  launch,
  enabled: true,
  signedIn: false,
  state: 'idle',
  trust: 'none',
  prompts: [],
  resources: [],
});

export const files: ServerView = {
  ...idle('files', {
    kind: 'command',
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-filesystem', '@project'],
    env: [],
  }),
  state: 'running',
  tools: fileTools,
  prompts: filePrompts,
  resources: fileResources,
  listedAt: at(2),
  sha256: '1'.repeat(64),
  log: 'Secure MCP Filesystem Server running on stdio\n',
};

const issues: ServerView = {
  ...idle('issues', {
    kind: 'url',
    url: 'https://mcp.example.org/issues',
    headers: ['Authorization'],
  }),
  tools: issueTools,
  prompts: issuePrompts,
  listedAt: at(9),
  sha256: '2'.repeat(64),
};

const browser: ServerView = idle('browser', {
  kind: 'command',
  command: 'docker',
  args: ['run', '--rm', '-i', '--name', 'a browser', 'example.org/browser-with-a-long-name:latest'],
  env: ['BROWSER_TOKEN', 'DISPLAY'],
});

const notes: ServerView = idle('notes', {
  kind: 'command',
  command: 'python3',
  args: ['notes.py'],
  env: [],
});

const weather: ServerView = {
  ...idle('weather', {
    kind: 'command',
    command: 'uvx',
    args: ['weather-server'],
    env: ['WEATHER_KEY'],
  }),
  enabled: false,
  state: 'failed',
  problem: notStarted,
  log: LOG,
};

/** Scenarios in which nothing but what is called is looked at. */
const TRUSTED_ONLY = /^servers-(calls|question|approval|progress)/;

/** The servers of a scenario. */
export function serversOf(scenario: string): ServerView[] {
  if (!scenario.includes('servers') || scenario.includes('servers-none')) return [];
  return TRUSTED_ONLY.test(scenario) ? [files] : [files, issues, browser, notes, weather];
}

/** What is trusted in a project at first; what it was then. */
export const trustedFirst = (): Map<string, string> =>
  new Map([
    ['files', '1'.repeat(64)],
    ['issues', '0'.repeat(64)],
  ]);

/** What a file of another program says. */
export const serverFile = (known: readonly ServerView[]): ServerFile => {
  const taken = (name: string) => known.some((server) => server.name === name);
  const found = (server: ServerView) => ({
    name: server.name,
    launch: server.launch,
    taken: taken(server.name),
  });
  const search = idle('search', {
    kind: 'command',
    command: 'npx',
    args: ['-y', 'search-server'],
    env: ['SEARCH_KEY'],
  });
  const docs = idle('docs', { kind: 'url', url: 'https://docs.example.org/mcp', headers: [] });
  return {
    servers: [files, search, docs].map(found),
    leftOut: [
      {
        name: 'mail',
        why: { key: 'placeholder_asks', values: { placeholder: '$' + '{input:key}' } },
      },
      { name: 'chat', why: { key: 'unknown_transport', values: { name: 'ws' } } },
    ],
  };
};
