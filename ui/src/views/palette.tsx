import {
  CornerDownRight,
  FileText,
  MessageCircle,
  MessagesSquare,
  Play,
  Search,
  UserRound,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { fileName } from '../bridge/path';
import type { ConversationSummary } from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import { keyText } from '../kit/keys';
import { newRun } from '../state/actions';
import { openFile, runOf } from '../state/files';
import { filesLike } from '../state/mentions';
import { stepThere } from '../state/nesting';
import { goToConversation } from '../state/projects';
import { type App, closed, useApp, useView, type View } from '../state/store';
import { Finder, type FinderEntry, type FinderSection, holds, wordsOf } from './finder';
import { titleIn } from './partner';
import { availableIn, keysOf, searchFor, shortcut } from './shortcuts';

/** What can be gone to or done, in the palette. */
interface Entry extends FinderEntry {
  run: (app: App) => void;
}

type Section = FinderSection<Entry>;

/** Entries of one section at once. */
const MOST = 8;
/** Characters from which files are looked for. */
const FROM = 2;

/** Files whose path holds the text; the older ones stay until the newer are there. */
function useFiles(text: string): readonly string[] {
  const app = useApp();
  const run = useView(runOf);
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    if (run === null || text.length < FROM) return setFiles([]);
    let late = false;
    void filesLike(app, run, text).then((found) => {
      if (!late) setFiles(found);
    });
    return () => {
      late = true;
    };
  }, [app, run, text]);
  return files;
}

/** What kind of conversation it is, by its sign. */
function signOf({ talk, mode }: ConversationSummary) {
  const kind = talk?.with.mode ?? mode;
  if (kind === 'agent') return UserRound;
  return kind === 'chat' ? MessageCircle : MessagesSquare;
}

/** The runs that wait or work, of every project, then those of this one. */
function runsOf(view: View, words: Words): Entry[] {
  const { active, conversations, projects, projectId, packages } = view;
  const all = [...(active ?? []), ...(conversations ?? [])];
  const once = new Map(all.map((one) => [one.conversationId, one]));
  return [...once.values()].map((one) => ({
    id: `run ${one.conversationId}`,
    label: visible(titleIn(packages, one, words)),
    hint:
      one.projectId === projectId
        ? undefined
        : visible(projects?.find((it) => it.projectId === one.projectId)?.name ?? ''),
    icon: signOf(one),
    run: (app) => void goToConversation(app, one.projectId, one.conversationId),
  }));
}

/** The steps of the open run that it has come to. */
function stepsOf({ conversation, packages, startingRun }: View): Entry[] {
  if (startingRun) return [];
  return conversation.items.flatMap(({ id, seq, body }) =>
    body.type === 'step'
      ? [
          {
            id: `step ${id}`,
            label: visible(stepThere(conversation.status, packages, body).title),
            icon: CornerDownRight,
            run: ({ store }) => store.setState({ jump: { id, seq, above: 0, why: 'sought' } }),
          } satisfies Entry,
        ]
      : [],
  );
}

/** The packages that can be run in the open project. */
function packagesOf({ screen, packages }: View, { t }: Words): Entry[] {
  if (screen !== 'workspace') return [];
  return (packages ?? []).map(({ packageId, name, version }) => ({
    id: `package ${packageId}`,
    label: t('palette.run', { name }),
    hint: visible(version),
    icon: Play,
    run: (app) => newRun(app, packageId),
  }));
}

/** What there is for a text, section by section. */
function useSections(text: string): Section[] {
  const own = useWords();
  const { t } = own;
  // What it shows stays while it is open: nothing moves under what is chosen.
  const { store } = useApp();
  const [view] = useState(() => store.getState());
  const files = useFiles(text.trim());
  const words = wordsOf(text);
  const fitting = (entries: Entry[]) =>
    entries.filter(({ label, hint = '' }) => holds(`${label} ${hint}`, words)).slice(0, MOST);
  const packages = packagesOf(view, own);
  const paths = files.map(
    (path): Entry => ({
      id: `file ${path}`,
      label: visible(fileName(path)),
      hint: visible(path),
      icon: FileText,
      run: (app) => void openFile(app, path),
    }),
  );
  const actions = availableIn(view)
    .filter((id) => id !== 'palette')
    .map((id): Entry => {
      const { icon, keys, run } = shortcut(id);
      // What stops a run belongs to where one writes, and is a key all the same.
      const printed = id === 'stop' ? 'Esc' : keys && keyText(keysOf(id));
      return { id: `do ${id}`, label: t(`shortcut.${id}`), keys: printed, icon, run };
    });
  const search: Entry = {
    id: 'search',
    label: t('palette.search', { text: text.trim() }),
    icon: Search,
    run: (app) => searchFor(app, text.trim()),
  };
  const inProject = view.screen === 'workspace';
  return [
    {
      id: 'runs',
      label: t('palette.runs'),
      items: inProject || view.active ? fitting(runsOf(view, own)) : [],
    },
    { id: 'steps', label: t('palette.steps'), items: inProject ? fitting(stepsOf(view)) : [] },
    {
      id: 'actions',
      label: t('palette.actions'),
      items: [...fitting(actions), ...fitting(packages)],
    },
    {
      id: 'words',
      label: t('palette.words'),
      items: inProject && words.length > 0 ? [search] : [],
    },
    // They come later than the rest.
    { id: 'files', label: t('palette.files'), items: inProject ? paths.slice(0, MOST) : [] },
  ].filter(({ items }) => items.length > 0);
}

/** Everything that can be gone to or done, found by its name. */
export function Palette() {
  const app = useApp();
  const { t } = useWords();
  const [text, setText] = useState('');
  const sections = useSections(text);
  const close = () => app.store.setState({ overlay: null });
  const take = (entry: Entry) => {
    app.store.setState({ overlay: null, ...closed });
    entry.run(app);
  };
  return (
    <Finder
      title={t('palette.title')}
      placeholder={t('palette.placeholder')}
      none={t('palette.none')}
      testId="palette"
      sections={sections}
      text={text}
      onText={setText}
      onTake={take}
      onClose={close}
    />
  );
}
