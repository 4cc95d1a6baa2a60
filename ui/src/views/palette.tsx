import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog as Base } from '@base-ui/react/dialog';
import {
  CornerDownRight,
  FileText,
  type LucideIcon,
  MessagesSquare,
  Play,
  Search,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { fileName } from '../bridge/path';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Cover } from '../kit/cover';
import { focusAfter } from '../kit/focus';
import { keyText } from '../kit/keys';
import { newRun } from '../state/actions';
import { openFile, runOf } from '../state/files';
import { filesLike } from '../state/mentions';
import { goToConversation } from '../state/projects';
import { type App, closed, useApp, useView, type View } from '../state/store';
import { availableIn, keysOf, searchFor, shortcut } from './shortcuts';
import './palette.css';

/** What can be gone to or done, in the palette. */
interface Entry {
  id: string;
  label: string;
  hint?: string;
  keys?: string;
  icon: LucideIcon;
  run: (app: App) => void;
}

interface Section {
  value: string;
  items: Entry[];
}

/** Entries of one section at once. */
const MOST = 8;
/** Characters from which files are looked for. */
const FROM = 2;

/** Every word stands somewhere in the text. */
function holds(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

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

/** The runs that wait or work, of every project, then those of this one. */
function runsOf({ active, conversations, projects, projectId }: View): Entry[] {
  const all = [...(active ?? []), ...(conversations ?? [])];
  const once = new Map(all.map((one) => [one.conversationId, one]));
  return [...once.values()].map((one) => ({
    id: `run ${one.conversationId}`,
    label: visible(one.title),
    hint:
      one.projectId === projectId
        ? undefined
        : visible(projects?.find((it) => it.projectId === one.projectId)?.name ?? ''),
    icon: MessagesSquare,
    run: (app) => void goToConversation(app, one.projectId, one.conversationId),
  }));
}

/** The steps of the open run that it has come to. */
function stepsOf({ conversation, startingRun }: View): Entry[] {
  if (startingRun) return [];
  const titles = new Map(conversation.status?.steps.map(({ id, title }) => [id, title]));
  return conversation.items.flatMap(({ id, seq, body }) =>
    body.type === 'step'
      ? [
          {
            id: `step ${id}`,
            label: visible(titles.get(body.node) ?? body.node),
            icon: CornerDownRight,
            run: ({ store }) => store.setState({ jump: { id, seq, above: 0, why: 'sought' } }),
          } satisfies Entry,
        ]
      : [],
  );
}

/** What there is for a text, section by section. */
function useSections(text: string): Section[] {
  const { t } = useWords();
  // What it shows stays while it is open: nothing moves under what is chosen.
  const { store } = useApp();
  const [view] = useState(() => store.getState());
  const files = useFiles(text.trim());
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = (entries: Entry[]) =>
    entries.filter(({ label, hint = '' }) => holds(`${label} ${hint}`, words)).slice(0, MOST);
  const packages = (view.screen === 'workspace' ? (view.packages ?? []) : []).map(
    ({ packageId, name, version }): Entry => ({
      id: `package ${packageId}`,
      label: t('palette.run', { name }),
      hint: visible(version),
      icon: Play,
      run: (app) => newRun(app, packageId),
    }),
  );
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
    { value: t('palette.runs'), items: inProject || view.active ? fitting(runsOf(view)) : [] },
    { value: t('palette.steps'), items: inProject ? fitting(stepsOf(view)) : [] },
    {
      value: t('palette.actions'),
      items: [...fitting(actions), ...fitting(packages)],
    },
    { value: t('palette.words'), items: inProject && words.length > 0 ? [search] : [] },
    // They come later than the rest.
    { value: t('palette.files'), items: inProject ? paths.slice(0, MOST) : [] },
  ].filter(({ items }) => items.length > 0);
}

function EntryRow({ entry, onTake }: { entry: Entry; onTake: (entry: Entry) => void }) {
  const { icon: Icon, label, hint, keys } = entry;
  return (
    <Autocomplete.Item
      className="palette-item"
      value={entry}
      data-testid="palette-item"
      onClick={() => onTake(entry)}
    >
      <Icon size={15} aria-hidden />
      <span className="clip">{label}</span>
      {hint && <span className="hint clip">{hint}</span>}
      {keys && <kbd>{keys}</kbd>}
    </Autocomplete.Item>
  );
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
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-veil" />
        <Base.Popup
          className="palette"
          aria-label={t('palette.title')}
          data-testid="palette"
          finalFocus={focusAfter}
        >
          <Cover />
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={sections}
            value={text}
            onValueChange={(next, { reason }) => reason !== 'item-press' && setText(next)}
            itemToStringValue={(entry: Entry) => entry.label}
            autoHighlight="always"
            keepHighlight
          >
            <div className="palette-field">
              <Search size={16} aria-hidden />
              <Autocomplete.Input
                aria-label={t('palette.title')}
                placeholder={t('palette.placeholder')}
                data-testid="palette-input"
                spellCheck={false}
              />
            </div>
            <Autocomplete.Empty className="palette-none">{t('palette.none')}</Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {({ value, items }: Section) => (
                <Autocomplete.Group key={value} items={items}>
                  <Autocomplete.GroupLabel className="palette-section">
                    {value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => <EntryRow key={entry.id} entry={entry} onTake={take} />}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
