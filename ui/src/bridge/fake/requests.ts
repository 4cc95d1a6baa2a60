// What the model of a recorded conversation saw: the messages that lead to each of its replies.
import type {
  Answer,
  ChatMessage,
  Failure,
  MessageSource,
  Query,
  RequestList,
  RequestMessage,
  RequestRow,
  RequestView,
} from '../wire';
import type { Scene } from './pieces';

const words = (text: string, role: ChatMessage['role'] = 'user'): ChatMessage => ({
  role,
  content: text,
});

const part = (source: MessageSource, message: ChatMessage, isNew = false): RequestMessage => ({
  source,
  tokens: 4 + Math.ceil(message.content.length / 4),
  isNew,
  message,
});

const RULES = `# Base rules

You work inside a runtime that runs a packaged workflow for a user. You act through tool calls.

- \`@project\`: the user's project folder. Read and write.
- \`@pkg\`: the workflow package. Read only.`;

const DIRECTIVE = `RUN_DIRECTIVE
- runType: bmad-micro
- intent: continue
- workflow: create-story
- state: @state/workflow.md
- currentNodeId: write
- effectiveAgentId: writer`;

const FILE = JSON.stringify({
  ok: true,
  path: '@pkg/steps/write.md',
  content: 'Write one chapter, and keep it short. '.repeat(12),
});

const call = {
  id: 'call-7',
  name: 'fs_read',
  arguments: '{"path":"@pkg/steps/write.md"}',
};

const layers = () => [
  part('base_rules', words(RULES, 'system')),
  part('tool_policy', words('# Tool policy\n\n- on: fs_read, fs_write, ui_ask_user', 'system')),
  part('persona', words('# Persona\n\nYou are Ada, Writer.', 'system')),
];

const tools = () =>
  ['fs_read', 'fs_write', 'ui_ask_user'].map((name) => ({
    tokens: 180,
    isNew: name === 'ui_ask_user',
    tool: {
      name,
      description: 'Read a UTF-8 file, whole or a window of lines.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    },
  }));

const row = (number: number, more: Partial<RequestRow> = {}): RequestRow => ({
  number,
  seq: number * 3,
  at: `2026-11-25T14:0${number}:00.000Z`,
  purpose: 'reply',
  end: { type: 'replied', calls: 1 },
  model: 'qwen2.5-coder',
  usage: { promptTokens: 1_200 + number * 412, completionTokens: 86, estimated: number === 2 },
  durationMs: 1_840,
  firstTokenMs: 320,
  ...more,
});

const refused: Failure = {
  code: 'LLM_CONTEXT_TOO_LONG',
  message: 'the server refused the request as too long',
};

const rows = (): RequestRow[] => [
  row(1),
  row(2),
  {
    ...row(3),
    end: { type: 'too_long', failure: refused },
    usage: undefined,
    durationMs: undefined,
  },
  row(4, { purpose: 'summary', end: { type: 'replied', calls: 0 }, model: undefined }),
  row(5),
  row(6, { end: { type: 'not_accepted' } }),
];

/** What is asked about the requests of a conversation. */
export function askedOf(
  scene: Scene,
  query: Extract<Query, { type: 'request' | 'requests' }>,
): Answer {
  return query.type === 'requests'
    ? { type: 'requests', value: requestsOf(scene) }
    : { type: 'request', value: requestOf(scene, query.number) };
}

/** None was sent where nothing was said. */
const requestsOf = ({ items }: Scene): RequestList => ({
  requests: items.length === 0 ? [] : rows(),
  earlier: 0,
});

/** One of them. */
function requestOf(scene: Scene, number: number): RequestView {
  const found = requestsOf(scene).requests.find((it) => it.number === number);
  if (!found) throw { code: 'REQUEST_NOT_FOUND', message: `${number}` } satisfies Failure;
  const shared = {
    row: found,
    sha256: '1cbc003151b4e384f75badde4242c492387906bbd66d262e2a8b8d4a9ff3136a',
    gone: [],
    tools: tools(),
    goneTools: [],
    leftOut: { byShortening: 0, ofEarlierSteps: 0 },
    shortened: [],
    mustCall: false,
    maxTokens: null,
    estimated: true,
  };
  if (found.purpose === 'summary') {
    const asked = words('Sum up these messages under the headings below.');
    return {
      ...shared,
      isAsSent: null,
      tools: [],
      messages: [part('summary_request', asked, true)],
    };
  }
  const isFirst = number === 1;
  const said = [
    part('user_input', words('USER_INPUT\n- forNodeId: write\nA story about the lighthouse.')),
    part('reply', { ...words('I read the step first.', 'assistant'), tool_calls: [call] }, true),
    part('result', { ...words(FILE, 'tool'), tool_call_id: call.id }, true),
  ];
  const summary = part('summary', words('CONVERSATION_SUMMARY\n## Goal\nA short story.'), true);
  const isLate = number > 4;
  return {
    ...shared,
    isAsSent: found.end.type === 'too_long' ? null : number !== 2,
    before: isFirst ? undefined : isLate ? Math.max(3, number - 1) : number - 1,
    messages: [
      ...layers().map((it) => ({ ...it, isNew: isFirst })),
      ...(isLate ? [summary] : []),
      ...(isFirst ? [] : said),
      part('run_directive', words(DIRECTIVE), true),
    ],
    gone: isLate ? [part('reply', words('An older reply.', 'assistant'))] : [],
    goneTools: isLate ? ['fs_delete'] : [],
    leftOut: { byShortening: isLate ? 14 : 0, ofEarlierSteps: 0 },
    shortened: isLate
      ? [{ key: 'context_shortened', values: { before: '27180', after: '15420' } }]
      : [],
  };
}
