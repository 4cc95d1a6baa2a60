import { Briefcase, FolderTree, House, type LucideIcon, Package, Settings2 } from 'lucide-react';
import { useWords } from '../i18n';
import { Logo } from '../kit/logo';
import { useMedia, WIDE } from '../kit/use-media';
import { go, showPanel } from '../state/actions';
import { useApp, useView } from '../state/store';
import { Conversation } from './conversation';
import { FileViewer } from './file-viewer';
import { FilesPanel } from './files-panel';
import { InspectorPlace } from './inspector';
import { LogDrawer } from './log-drawer';
import { PackagesPanel } from './packages-panel';
import { RunForm } from './run-form';
import { StatusBar } from './status-bar';
import { WorksPanel } from './works-panel';

interface ItemProps {
  icon: LucideIcon;
  label: string;
  testId: string;
  current?: boolean;
  onClick: () => void;
}

function RailItem({ icon: Icon, label, testId, current, onClick }: ItemProps) {
  return (
    <button
      type="button"
      className="rail-item"
      aria-current={current ? 'true' : undefined}
      data-testid={testId}
      onClick={onClick}
    >
      <Icon size={18} strokeWidth={1.8} aria-hidden />
      <span>{label}</span>
    </button>
  );
}

function Rail() {
  const app = useApp();
  const { t } = useWords();
  const panel = useView((v) => (v.panelOpen ? v.panel : null));
  return (
    <nav className="rail" aria-label={t('rail.label')}>
      <span className="rail-logo">
        <Logo size={26} />
      </span>
      <RailItem
        icon={House}
        label={t('rail.start')}
        testId="rail-start"
        onClick={() => go(app, 'start')}
      />
      <RailItem
        icon={Briefcase}
        label={t('rail.works')}
        testId="rail-works"
        current={panel === 'works'}
        onClick={() => showPanel(app, 'works')}
      />
      <RailItem
        icon={FolderTree}
        label={t('rail.files')}
        testId="rail-files"
        current={panel === 'files'}
        onClick={() => showPanel(app, 'files')}
      />
      <RailItem
        icon={Package}
        label={t('rail.packages')}
        testId="rail-packages"
        current={panel === 'packages'}
        onClick={() => showPanel(app, 'packages')}
      />
      <span className="grow" />
      <RailItem
        icon={Settings2}
        label={t('rail.settings')}
        testId="rail-settings"
        onClick={() => go(app, 'settings')}
      />
    </nav>
  );
}

/** A project: its runs, one conversation, and where that run is. */
export function Workspace() {
  const panel = useView((v) => (v.panelOpen ? v.panel : null));
  const inspector = useView((v) => v.conversationId !== null && !v.startingRun);
  const starting = useView((v) => v.startingRun);
  const log = useView((v) => v.logOpen);
  const opened = useView((v) => v.file !== null && !v.startingRun);
  const beside = useMedia(WIDE);
  return (
    <div className="workspace" data-testid="workspace">
      <div className="workspace-columns">
        <Rail />
        {panel === 'works' && <WorksPanel />}
        {panel === 'files' && <FilesPanel />}
        {panel === 'packages' && <PackagesPanel />}
        <main className="workspace-main" data-split={(opened && beside) || undefined}>
          <div className="beside-file" inert={opened && !beside}>
            {starting ? <RunForm /> : <Conversation />}
          </div>
          {!starting && <FileViewer beside={beside} />}
        </main>
        {inspector && <InspectorPlace />}
      </div>
      {log && <LogDrawer />}
      <StatusBar />
    </div>
  );
}
