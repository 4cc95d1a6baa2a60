// Lists and searches of the recorded program, made from its runs and a few recorded words.
import type {
  ConversationSummary,
  ProjectView,
  RunSummary,
  SearchHit,
  SearchPage,
  SearchQuery,
  SnippetPart,
  StoreSizes,
} from '../wire';
import { at } from './data';

/** The runs as conversations, with the titles the person has given. */
export const conversationsOf = (
  runs: readonly RunSummary[],
  titles: ReadonlyMap<string, string>,
): ConversationSummary[] =>
  runs.map((run) => {
    const customTitle = titles.get(run.conversationId) || null;
    return {
      conversationId: run.conversationId,
      projectId: run.projectId,
      title: customTitle ?? run.title,
      generatedTitle: run.title,
      customTitle,
      mode: 'run',
      runs: [
        {
          runId: run.runId,
          packageId: run.packageId,
          workflowId: run.workflowId,
          phase: run.phase,
          reason: run.reason,
          since: run.updatedAt,
          nodeId: run.nodeId,
          steps: run.steps,
        },
      ],
      messageCount: 24,
      createdAt: run.createdAt,
      lastActiveAt: run.updatedAt,
    };
  });

interface SpokenWords {
  role: string;
  text: string;
  /** The call that they came of, which is not the reading of a file. */
  call?: { id: string; tool: string };
}

const WORDS: SpokenWords[] = [
  {
    role: 'assistant',
    text: 'The story fits into one sprint. I wrote the story and its checklist.',
  },
  { role: 'user', text: 'Release notes should be readable by people who did not write the code.' },
  { role: 'user', text: '请把发布说明写成一个用户故事，让没有写过代码的人也能读懂。' },
  { role: 'tool', text: '@project/notes/releases.md\n# Release notes\nEvery release has notes.' },
  { role: 'tool', text: '@project/artifacts/create-story/story.md\n# Readable release notes' },
  { role: 'tool', text: 'A user story says who wants what, and why.' },
  { role: 'user', text: 'Keep the story short.' },
  { role: 'tool', text: '# Checklist\nThe story names who reads the notes.' },
  { role: 'assistant', text: 'I look at the last story first, to write this one like it.' },
  { role: 'tool', text: '@project/artifacts/create-story/checklist.md: the story is independent.' },
  { role: 'tool', text: 'docs/notes.md moved', call: { id: 'moved', tool: 'fs.move' } },
];

function snippetOf(text: string, words: string): SnippetPart[] | null {
  const place = text.toLowerCase().indexOf(words.toLowerCase());
  if (place < 0) return null;
  const end = place + words.length;
  const parts = [
    { text: text.slice(0, place), hit: false },
    { text: text.slice(place, end), hit: true },
    { text: text.slice(end), hit: false },
  ];
  return parts.filter((part) => part.text !== '');
}

/** The places of the words in one conversation: what was said before what tools found. */
function placesIn(conversation: ConversationSummary, n: number, words: string): SearchHit[] {
  const hits = WORDS.flatMap(({ role, text, call }, m): SearchHit[] => {
    const snippet = snippetOf(text, words);
    if (!snippet || (n + m) % 3 === 2) return [];
    const said = role === 'tool' ? 0 : 1000;
    const id = n * 10_000 + said + m;
    return [
      {
        id,
        conversationId: conversation.conversationId,
        projectId: conversation.projectId,
        title: conversation.title,
        messageId: `m-${id}`,
        itemId: call ? `call-${call.id}` : 'i-1',
        seq: m + 1,
        role,
        toolName: role === 'tool' ? (call?.tool ?? 'fs.read') : null,
        createdAt: at(-m),
        snippet,
      },
    ];
  });
  return hits.sort((a, b) => b.id - a.id);
}

/** What the words are found in; of a conversation its share, or all of it where it is asked for. */
export function searchIn(
  conversations: readonly ConversationSummary[],
  { text, conversationId, perConversation }: SearchQuery,
): SearchPage {
  const page: SearchPage = { titles: [], hits: [], more: [], next: null, unindexed: 0 };
  for (const [n, conversation] of conversations.entries()) {
    if (conversationId && conversation.conversationId !== conversationId) continue;
    const all = placesIn(conversation, conversations.length - n, text);
    const share = all.slice(0, perConversation ?? all.length);
    const count = all.length - share.length;
    page.hits.push(...share);
    const { conversationId: id } = conversation;
    if (count > 0) page.more.push({ conversationId: id, count, atLeast: false });
    if (!conversationId && snippetOf(conversation.title, text)) page.titles.push(conversation);
  }
  return page;
}

/** What the data of each project takes. */
export function sizesOf(
  projects: readonly ProjectView[],
  conversations: readonly ConversationSummary[],
): StoreSizes {
  const own = (id: string) => conversations.filter((c) => c.projectId === id).length;
  return {
    databaseBytes: 4_812_800,
    packageBytes: 96_410,
    logBytes: 20_480,
    projects: projects.map((project) => {
      const count = own(project.projectId);
      return {
        projectId: project.projectId,
        name: project.name,
        conversations: count,
        messages: count * 24,
        rowBytes: count * 410_000,
        fileBytes: count * 122_000,
        checkpointBytes: count * 80_000,
      };
    }),
  };
}
