import {
  Bell,
  FolderTree,
  type LucideIcon,
  MessageCirclePlus,
  MessagesSquare,
  Package,
  Plus,
  ScrollText,
  Search,
  Settings2,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useWords } from '../i18n';
import { Button, IconButton } from '../kit/button';
import { Drawer } from '../kit/drawer';
import { keyText } from '../kit/keys';
import { NARROW, useMedia } from '../kit/use-media';
import { go, newRun, showFiles, showPanel } from '../state/actions';
import { needsPerson } from '../state/active';
import { type Panel, useApp, useView } from '../state/store';
import { newChat } from '../state/talk';
import { FilesSection } from './files-panel';
import { HooksIcon } from './hooks';
import { ModelRow } from './model-row';
import { PackagesPanel } from './packages-panel';
import { ProjectMenu } from './project-menu';
import { RunsList } from './runs-list';
import { keysOf } from './shortcuts';
import './sidebar.css';

const lists: Record<Panel, () => ReactNode> = {
  works: () => <RunsList />,
  packages: () => <PackagesPanel />,
};

interface PlaceProps {
  icon: LucideIcon;
  label: string;
  testId: string;
  current?: boolean;
  /** How many there are of it. */
  count?: number;
  onClick: () => void;
}

/** A way to another list, or to another screen. */
function Place({ icon: Icon, label, testId, current, count = 0, onClick }: PlaceProps) {
  const { number } = useWords();
  return (
    <button
      type="button"
      className="sidebar-place"
      title={label}
      aria-current={current ? 'true' : undefined}
      data-testid={testId}
      onClick={onClick}
    >
      <Icon size={16} strokeWidth={1.8} aria-hidden />
      <span className="label">{label}</span>
      {count > 0 && <span className="count">{number(count)}</span>}
    </button>
  );
}

/** Packages and settings; where the sidebar lies over the rest, so does what they lead to. */
function Places({ over }: { over: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const panel = useView((v) => v.panel);
  const isOpen = useView((v) => (over ? v.sidebarOver : v.panelOpen));
  const packages = useView((v) => v.packages?.length ?? 0);
  return (
    <nav className="sidebar-places" aria-label={t('rail.label')}>
      <Place
        icon={Package}
        label={t('rail.packages')}
        testId="rail-packages"
        count={packages}
        current={isOpen && panel === 'packages'}
        onClick={() => showPanel(app, 'packages', over)}
      />
      <Place
        icon={Settings2}
        label={t('rail.settings')}
        testId="rail-settings"
        onClick={() => go(app, 'settings')}
      />
    </nav>
  );
}

/** Opens and closes the log. */
function LogToggle() {
  const { store } = useApp();
  const { t } = useWords();
  const open = useView((v) => v.logOpen);
  return (
    <IconButton
      icon={ScrollText}
      label={t('log.toggle')}
      aria-pressed={open}
      aria-keyshortcuts="Control+L Meta+L"
      data-testid="log-toggle"
      onClick={() => store.setState({ logOpen: !open })}
    />
  );
}

/** The way to everything by its name. */
function PaletteButton() {
  const { store } = useApp();
  const { t } = useWords();
  const keys = keyText(keysOf('palette'));
  return (
    <button
      type="button"
      className="palette-button"
      title={t('palette.title')}
      data-testid="palette-open"
      onClick={() => store.setState({ overlay: 'palette' })}
    >
      <Search size={14} aria-hidden />
      <span className="label">{t('palette.open')}</span>
      <kbd>{keys}</kbd>
    </button>
  );
}

/** Begins a conversation with the model alone. */
function NewChat() {
  const app = useApp();
  const { t } = useWords();
  const busy = useView((v) => v.busy.has('beginTalk'));
  return (
    <Button
      icon={MessageCirclePlus}
      busy={busy}
      aria-label={t('talk.new')}
      title={t('talk.new')}
      data-testid="new-chat"
      onClick={() => void newChat(app)}
    />
  );
}

function Contents({ over }: { over: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const panel = useView((v) => v.panel);
  return (
    <>
      <ProjectMenu />
      <div className="sidebar-top">
        <PaletteButton />
        <NewChat />
        <Button
          kind="primary"
          icon={Plus}
          aria-label={t('works.new')}
          title={t('works.new')}
          data-testid="new-run"
          onClick={() => newRun(app)}
        />
      </div>
      {lists[panel]()}
      <FilesSection />
      <div className="sidebar-foot">
        <Places over={over} />
        <div className="sidebar-model">
          <ModelRow />
          <LogToggle />
        </div>
      </div>
    </>
  );
}

/** How many runs of all projects wait for the person. */
const waiting = ({ active }: { active: readonly Parameters<typeof needsPerson>[0][] | null }) =>
  active?.filter(needsPerson).length ?? 0;

/** The sidebar where there is no room for it: its places, and how many runs wait. */
function Icons({ over }: { over: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const waits = useView(waiting);
  return (
    <aside className="sidebar icons" aria-label={t('sidebar.label')} data-testid="sidebar-icons">
      <ProjectMenu compact />
      <IconButton
        icon={Search}
        label={t('palette.title')}
        data-testid="palette-open"
        onClick={() => app.store.setState({ overlay: 'palette' })}
      />
      <IconButton
        icon={Plus}
        label={t('works.new')}
        data-testid="new-run"
        onClick={() => newRun(app)}
      />
      <IconButton
        icon={MessageCirclePlus}
        label={t('talk.new')}
        data-testid="new-chat"
        onClick={() => void newChat(app)}
      />
      <Place
        icon={waits > 0 ? Bell : MessagesSquare}
        label={waits > 0 ? t('runs.needYou') : t('rail.works')}
        testId="rail-works"
        count={waits}
        onClick={() =>
          app.store.setState({
            panel: 'works',
            ...(over ? { sidebarOver: true } : { panelOpen: true }),
          })
        }
      />
      <HooksIcon />
      <span className="grow" />
      <Place
        icon={FolderTree}
        label={t('rail.files')}
        testId="rail-files"
        onClick={() => showFiles(app, over)}
      />
      <Places over={over} />
      <LogToggle />
    </aside>
  );
}

/** The project, its runs and those of others that wait or work, and the way to everything else. */
export function Sidebar() {
  const { t } = useWords();
  const narrow = useMedia(NARROW);
  const open = useView((v) => v.panelOpen);
  const over = useView((v) => v.sidebarOver);
  const { store } = useApp();
  // Where there is room again it lies over nothing, now and later.
  useEffect(() => {
    if (!narrow) store.setState({ sidebarOver: false });
  }, [narrow, store]);
  if (narrow || !open) {
    return (
      <>
        <Icons over={narrow} />
        {narrow && over && (
          <Drawer
            className="sidebar over"
            label={t('sidebar.label')}
            testId="sidebar-drawer"
            onClose={() => store.setState({ sidebarOver: false })}
          >
            <Contents over />
          </Drawer>
        )}
      </>
    );
  }
  return (
    <aside className="sidebar" aria-label={t('sidebar.label')} data-testid="sidebar">
      <Contents over={false} />
    </aside>
  );
}
