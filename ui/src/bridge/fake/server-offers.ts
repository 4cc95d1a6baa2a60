// What the servers of this page offer beside their tools, and how their prompts are called.
import type { Failure, PromptArgument, ServerPrompt, ServerResource } from '../wire';

const argument = (name: string, description: string, required = true): PromptArgument => ({
  name,
  description,
  required,
});

const prompt = (
  server: string,
  name: string,
  description: string,
  told: PromptArgument[] = [],
  title?: string,
): ServerPrompt => ({
  name,
  called: `mcp__${server}__${name}`,
  ...(title ? { title } : {}),
  description,
  arguments: told,
});

export const filePrompts: ServerPrompt[] = [
  prompt(
    'files',
    'summarise',
    'Asks for a short summary of one file, in the words of those who will read it.',
    [argument('path', 'The file, from the folder of the project.')],
    'Summarise a file',
  ),
  prompt(
    'files',
    'compare',
    'Asks what differs between two files.',
    [
      argument('before', 'The older file.'),
      argument('after', 'The newer file.'),
      argument('style', 'How long the answer may be: `short` or `whole`.', false),
    ],
    'Compare two files',
  ),
  prompt('files', 'tidy', 'Asks for what could be tidied up\u202e in the folder.'),
];

export const fileResources: ServerResource[] = [
  {
    uri: 'file:///project/README.md',
    name: 'README.md',
    description: 'What the project is for.',
    mimeType: 'text/markdown',
  },
  {
    uri: 'file:///project/docs/2026/a-folder-with-a-long-name/and-a-file-with-a-longer-one.csv',
    name: 'What customers\u200b said',
    description: '',
    mimeType: 'text/csv',
  },
  { uri: 'files://changes', name: 'Changes', description: 'What changed within a day.' },
];

export const issuePrompts: ServerPrompt[] = [
  prompt('issues', 'triage', 'Asks which issues come first.', [], 'Sort the open issues'),
];

/** Words between spaces; a space between quotes is one of a word. */
const split = (words: string): string[] => words.match(/(?:"[^"]*"|\S)+/g) ?? [];

/** How a prompt is called. */
function usage({ called, arguments: told }: ServerPrompt): string {
  const words = told.map(({ name, required }) => (required ? `${name}=…` : `[${name}=…]`));
  return [`/${called}`, ...words].join(' ');
}

/** Whether the words that come with a prompt are all that it has to be told, and no more. */
function isTold({ arguments: told }: ServerPrompt, words: string): boolean {
  const needed = told.filter(({ required }) => required);
  if (told.length === 0) return true;
  if (told.length === 1) return words !== '' || needed.length === 0;
  const given = split(words);
  const named = told.filter(({ name }) => given.some((word) => word.startsWith(`${name}=`)));
  const unnamed = given.length - named.length;
  const left = told.filter((one) => !named.includes(one));
  const missing = left.slice(unnamed).some(({ required }) => required);
  return !missing && unnamed <= left.length;
}

/** Refuses a call of a prompt that is not there, or that is told too little or too much. */
export function mustBeCalled(prompts: readonly ServerPrompt[], text: string) {
  const [, name, words = ''] = /^\/(mcp__\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (name === undefined) return;
  const found = prompts.find(({ called }) => called === name);
  if (!found) {
    throw {
      code: 'MCP_PROMPT_UNKNOWN',
      message: `no server that may be used here has a prompt \`/${name}\``,
      said: { key: 'no_prompt_called', values: { name } },
    } satisfies Failure;
  }
  if (isTold(found, words.trim())) return;
  throw {
    code: 'MCP_PROMPT_ARGUMENTS',
    message: `the prompt is called like this: ${usage(found)}`,
    said: { key: 'prompt_usage', values: { usage: usage(found) } },
  } satisfies Failure;
}
