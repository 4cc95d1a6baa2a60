// A recorded program: what the real one would answer in a small, lived-in installation.
import type {
  DoctorRow,
  FileEffect,
  ImportReport,
  LogRow,
  PackageReport,
  PackageView,
  PermissionKind,
  PermissionLine,
  ProjectView,
  RunSummary,
  SettingsView,
} from '../wire';
import { miaMenu, theoMenu } from './menus';
import { packageSkills } from './skill-list';

export const at = (minutes: number): string =>
  new Date(Date.UTC(2026, 10, 21, 9, 0) + minutes * 60_000).toISOString();

export const projects: ProjectView[] = [
  {
    projectId: 'p-notes',
    name: 'release-notes',
    location: '/projects/release-notes',
    exists: true,
    lastOpenedAt: at(0),
    runCount: 3,
  },
  {
    projectId: 'p-onboarding',
    name: 'onboarding-guide',
    location: '/projects/clients/onboarding-guide',
    exists: true,
    lastOpenedAt: at(-2880),
    runCount: 1,
  },
  {
    projectId: 'p-gone',
    name: 'audit-2025',
    location: '/volumes/usb/audit-2025',
    exists: false,
    lastOpenedAt: at(-40_000),
    runCount: 7,
  },
];

/** The steps of the run that writes a story. */
export const storySteps = [
  { id: 'gather', title: 'Gather the idea' },
  { id: 'size', title: 'Is it small enough?' },
  { id: 'write', title: 'Write the story' },
  { id: 'check', title: 'Check the checklist' },
  { id: 'end', title: 'Finish' },
];

/** The workflows of the package that writes stories, in each of its versions. */
const storyWorkflows = [
  {
    id: 'create-story',
    displayName: 'Create a story',
    description: null,
    nodeCount: 5,
    steps: storySteps,
  },
  {
    id: 'review-story',
    displayName: 'Review a story',
    description: null,
    nodeCount: 3,
    steps: [],
  },
];

export const packages: PackageView[] = [
  {
    packageId: 'create-story-micro-1.1.0-3f9a5c21d0ab',
    name: 'create-story-micro',
    version: '1.1.0',
    description: 'From a rough idea to a reviewed user story, in five steps with a checklist.',
    workflows: storyWorkflows,
    agents: [
      { id: 'sm', name: 'Mia', title: 'Scrum Master', icon: '🧭', menu: miaMenu },
      { id: 'dev', name: 'Theo', title: 'Developer', icon: '🛠️', menu: theoMenu },
    ],
    installedAt: at(-500),
    hasDemo: false,
  },
  {
    packageId: 'hello-branch-1.0.0-77c1e0b4a912',
    name: 'hello-branch',
    version: '1.0.0',
    description: 'A greeting with a decision, a file and a confirmation. Made to be watched.',
    workflows: [
      { id: 'hello', displayName: 'Hello, branch', description: null, nodeCount: 4, steps: [] },
    ],
    agents: [{ id: 'guide', name: 'Ada', title: 'Guide', icon: '👋', menu: [] }],
    installedAt: at(-600),
    hasDemo: true,
  },
];

export const runs: RunSummary[] = [
  {
    runId: 'r-3',
    conversationId: 'c-current',
    projectId: 'p-notes',
    packageId: packages[0]?.packageId ?? '',
    workflowId: 'create-story',
    title: 'Create a story',
    phase: 'waiting-user',
    reason: 'widget',
    nodeId: 'write',
    steps: { done: 2, total: 5 },
    createdAt: at(-20),
    updatedAt: at(0),
  },
  {
    runId: 'r-2',
    conversationId: 'c-done',
    projectId: 'p-notes',
    packageId: packages[1]?.packageId ?? '',
    workflowId: 'hello',
    title: 'Hello, branch',
    phase: 'completed',
    reason: 'completed',
    nodeId: 'end',
    steps: { done: 5, total: 5 },
    createdAt: at(-1500),
    updatedAt: at(-1490),
  },
  {
    runId: 'r-1',
    conversationId: 'c-failed',
    projectId: 'p-notes',
    packageId: packages[0]?.packageId ?? '',
    workflowId: 'review-story',
    title: 'Review a story',
    phase: 'failed',
    reason: 'failed',
    createdAt: at(-3000),
    updatedAt: at(-2990),
  },
];

export const settings: SettingsView = {
  settings: {
    appearance: { theme: 'system', language: 'system', textSize: 'normal', contrast: 'system' },
    model: {
      provider: 'ollama',
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'qwen3:14b',
      contextTokens: null,
      tools: 'all',
      connectTimeoutS: 10,
      firstByteTimeoutS: 120,
      idleTimeoutS: 60,
      headers: {},
    },
    tools: {
      fsEnabled: true,
      maxReadBytes: 524_288,
      maxWriteBytes: 2_097_152,
      allowSecretFiles: false,
      mcpEnabled: true,
      skillsEnabled: true,
    },
    engine: { maxTurns: 50, autopilot: true },
    confirmation: { unbound: 'allow' },
    acceptance: { verifyAfterWrite: 'auto', outputs: 'enforce' },
    approval: { writes: 'ask-outside' },
    costs: { currency: 'USD', prices: [{ model: 'gpt-4.1', input: 2, output: 8 }] },
  },
  hasApiKey: false,
  apiKeyIn: 'none',
  overridden: [],
  problems: [],
  known: [
    {
      provider: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      model: 'gpt-4.1',
      contextTokens: 200_000,
      tools: 'all',
    },
  ],
  file: '/data/crewagent/settings.json',
  providers: [
    { name: 'custom' },
    { name: 'openai', baseUrl: 'https://api.openai.com/v1' },
    { name: 'azure' },
    { name: 'deepseek', baseUrl: 'https://api.deepseek.com/v1' },
    { name: 'kimi', baseUrl: 'https://api.moonshot.cn/v1' },
    { name: 'qwen', baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
    { name: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
    { name: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' },
    { name: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1' },
    { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
    { name: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1' },
    { name: 'llamacpp', baseUrl: 'http://127.0.0.1:8080/v1' },
    { name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1' },
  ],
};

/** Lines of the log: what the program says, and tool calls between. */
export const logRows = (count: number): LogRow[] =>
  Array.from({ length: count }, (_, n): LogRow => {
    if (n % 4 === 1) {
      const path = `@project/artifacts/create-story/part-${n}.md`;
      const refused = n % 8 === 5;
      const output = refused
        ? { ok: false, error: { code: 'E_SANDBOX_VIOLATION', message: path } }
        : { ok: true, bytes: 412 + n };
      return {
        at: at(n),
        level: refused ? 'warn' : 'info',
        kind: 'tool',
        source: 'fs.write',
        message: `${path} → ${refused ? 'E_SANDBOX_VIOLATION' : 'ok'}`,
        fields: { toolCallId: `call-${n}`, agentId: 'sm', input: { path }, output, durationMs: 8 },
      };
    }
    const failed = n % 16 === 7;
    return {
      at: at(n),
      level: failed ? 'error' : 'info',
      kind: 'log',
      source: failed ? 'host::runner' : 'host::store::writer',
      message: failed ? 'the turn stopped' : `a line of the journal was written (${n})`,
      fields: failed ? { code: 'STORE_WRITE_FAILED', path: '[store]/store.db' } : {},
    };
  });

const sheetLine = (
  agentId: string,
  about: PermissionKind,
  declared: boolean,
  key: string,
  values: Record<string, string> = {},
): PermissionLine => ({ agentId, about, declared, says: { key, values } });

const mayChangeFiles = (agentId: string) => [
  sheetLine(agentId, 'files', false, 'may_change_files_asks_outside'),
  sheetLine(agentId, 'files', false, 'asks_for_self_starting'),
];

export const goodReport: PackageReport = {
  packageId: 'create-story-micro-1.2.0-b81d9ffce013',
  manifest: {
    name: 'create-story-micro',
    version: '1.2.0',
    description: 'From a rough idea to a reviewed user story, in five steps with a checklist.',
    author: 'Harbour Works',
  },
  workflows: storyWorkflows,
  agents: [
    { id: 'sm', name: 'Mia', title: 'Scrum Master', icon: '🧭', menu: miaMenu },
    { id: 'dev', name: 'Theo', title: 'Developer', icon: '🛠️', menu: theoMenu },
  ],
  permissions: [
    {
      agentId: 'sm',
      fsEnabled: true,
      maxReadBytes: 262_144,
      maxWriteBytes: 1_048_576,
      mcpEnabled: false,
      mcpServers: null,
      network: false,
      outputFolders: ['artifacts/create-story'],
    },
    {
      agentId: 'dev',
      fsEnabled: true,
      maxReadBytes: null,
      maxWriteBytes: null,
      mcpEnabled: true,
      mcpServers: ['tickets'],
      network: true,
      outputFolders: [],
    },
  ],
  sheet: [
    ...mayChangeFiles('sm'),
    sheetLine('sm', 'limit', false, 'reads_at_most', { size: '256.0 KiB' }),
    sheetLine('sm', 'limit', false, 'writes_at_most', { size: '1.0 MiB' }),
    sheetLine('sm', 'files', true, 'says_it_writes', { folders: 'artifacts/create-story/' }),
    ...mayChangeFiles('dev'),
    sheetLine('dev', 'files', false, 'says_not_where'),
    sheetLine('dev', 'tools', false, 'may_use_servers', { servers: 'tickets' }),
    sheetLine('dev', 'network', true, 'says_it_needs_network'),
  ],
  skills: packageSkills,
  findings: [
    {
      severity: 'warning',
      file: 'workflows/create-story/workflow.graph.json',
      kind: 'unreachable-node',
      message: 'no path leads from the entry to node `archive`',
      said: { key: 'node_unreachable', values: { node: 'archive' } },
      hint: 'Add an edge to it, or remove it.',
      advice: { key: 'add_edge', values: {} },
    },
  ],
  contentHash: 'b81d9ffce013',
  fileCount: 18,
  totalBytes: 48_213,
  upgrade: {
    from: 'create-story-micro-1.1.0',
    fromVersion: '1.1.0',
    added: ['steps/step-05.md'],
    removed: [],
    changed: ['agents.json', 'bmad.json'],
    widened: ['Theo may now use tools of the server tickets'],
    widenedSaid: [{ key: 'now_server', values: { agent: 'Theo', server: 'tickets' } }],
  },
};

export const badReport: PackageReport = {
  ...goodReport,
  permissions: goodReport.permissions.slice(0, 1),
  upgrade: undefined,
  findings: [
    {
      severity: 'error',
      file: 'workflows/create-story/workflow.graph.json',
      kind: 'missing-file',
      message: '`steps/step-03.md` is not in the package',
      said: { key: 'not_in_package', values: { path: 'steps/step-03.md' } },
      instancePath: '/nodes/2/file',
      hint: 'Add the file, or correct the path; paths count from the package root.',
      advice: { key: 'add_file', values: {} },
    },
    {
      severity: 'error',
      file: 'agents.json',
      kind: 'schema',
      message: 'the property `persona` is missing',
      said: { key: 'missing_property', values: { name: 'persona' } },
      instancePath: '/agents/0',
      schemaPath: '/properties/agents/items/required',
      hint: 'Add the missing property `persona`.',
      advice: { key: 'add_property', values: { name: 'persona' } },
    },
    ...goodReport.findings,
  ],
};

/** What was found in an older program's store. */
export const electronReport = (dryRun: boolean): ImportReport => ({
  dryRun,
  totals: { imported: 5, already: 1, skipped: 1, failed: 1 },
  entries: [
    {
      kind: 'package',
      id: '0f5c7a',
      newId: 'create-story-1.2.0-8c1d2e3f4a5b',
      file: 'packages/0f5c7a',
      outcome: 'imported',
    },
    {
      kind: 'project',
      id: 'p-garden',
      file: 'projects.json',
      outcome: 'imported',
      code: 'PROJECT_ROOT_INVALID',
      reason: 'its folder is not there any more: open it at its new place to bind it',
      said: { key: 'project_gone', values: {} },
    },
    {
      kind: 'message',
      id: 'm-17',
      file: 'projects/p-garden/conversations/c-1/messages.json',
      outcome: 'failed',
      code: 'IMPORT_MALFORMED',
      reason: 'the `role` is none of the four',
      said: { key: 'message_role', values: {} },
    },
    {
      kind: 'conversation',
      id: 'c-1',
      file: 'projects/p-garden/conversations/c-1/messages.json',
      outcome: 'imported',
      messages: 42,
    },
    {
      kind: 'run',
      id: 'r-1',
      file: 'projects/p-garden/runsIndex.json',
      outcome: 'imported',
      code: 'IMPORT_READ_ONLY',
      reason:
        'the run r-1 can only be read, not continued: its package is not among the usable ones',
      said: {
        key: 'run_read_only',
        values: { run: 'r-1', why: { key: 'run_no_package', values: {} } },
      },
    },
    {
      kind: 'setting',
      id: 'theme',
      newId: 'appearance.theme',
      file: 'settings.json',
      outcome: 'already',
    },
    {
      kind: 'setting',
      id: 'llm.model',
      newId: 'model.model',
      file: 'settings.json',
      outcome: 'imported',
    },
    {
      kind: 'key',
      id: 'llm.apiKey',
      file: 'settings.json',
      outcome: 'skipped',
      code: 'IMPORT_KEY_LEFT',
      reason: 'keys are imported only when you ask for it',
      said: { key: 'keys_on_request', values: {} },
    },
  ],
});

/** What a completed run changed. */
export const changes: FileEffect[] = [
  {
    path: '@project/README.md',
    kind: 'changed',
    sha256Before: 'a1',
    sha256: 'a2',
    lines: { added: 4, removed: 2 },
    foreign: true,
  },
  {
    path: '@project/artifacts/create-story/checklist.md',
    kind: 'created',
    sha256: 'b1',
    verified: true,
    lines: { added: 12, removed: 0 },
  },
  {
    path: '@project/artifacts/create-story/story.md',
    kind: 'created',
    sha256: 'c1',
    verified: true,
    lines: { added: 1234, removed: 0 },
  },
  { path: '@project/docs/notes.md', kind: 'moved', from: '@project/notes.md', sha256: 'd1' },
  {
    path: '@project/draft.md',
    kind: 'deleted',
    sha256Before: 'e1',
    lines: { added: 0, removed: 7 },
  },
];

const looked = (key: string, ok: boolean, said: DoctorRow['said'], found: string): DoctorRow => ({
  check: key.replace('check_', ''),
  ok,
  found,
  action: ok ? null : 'Set an endpoint in Settings, or pass --base-url and --model.',
  name: { key, values: {} },
  said,
  advice: ok ? null : { key: 'set_an_endpoint', values: {} },
});

/** What the program found of its own parts. */
export const doctorRows: DoctorRow[] = [
  looked('check_version', true, { key: 'found_as_is', values: { what: '0.1.0' } }, '0.1.0'),
  looked('check_store', true, { key: 'found_opened', values: {} }, 'opened'),
  looked('check_packages', true, { key: 'found_installed', values: { count: '2' } }, '2 installed'),
  looked('check_model', false, { key: 'found_none', values: {} }, 'none'),
];
