import {
  ChevronRight,
  Cpu,
  Folder,
  FolderOpen,
  FolderPlus,
  FolderX,
  type LucideIcon,
  PackagePlus,
} from 'lucide-react';
import { useState } from 'react';
import type { ProjectView } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Boundary } from '../kit/boundary';
import { Button } from '../kit/button';
import { Logo } from '../kit/logo';
import { go, pickAndInspect } from '../state/actions';
import { modelLine } from '../state/models';
import { forgetProject, openProject, pickAndOpenProject, pickAndRebind } from '../state/projects';
import { useApp, useView } from '../state/store';
import { LanguageChoice, ThemeChoice } from './appearance';
import { NewProject } from './new-project';
import { ActiveRuns } from './runs-list';
import { PlayDemo, StartCards } from './start-cards';

interface TileProps {
  icon: LucideIcon;
  label: string;
  hint: string;
  testId: string;
  onClick: () => void;
}

function Tile({ icon: Icon, label, hint, testId, onClick }: TileProps) {
  return (
    <button type="button" className="tile" data-testid={testId} onClick={onClick}>
      <Icon size={18} strokeWidth={1.7} aria-hidden />
      <span className="words">
        <strong>{label}</strong>
        <span className="clip">{hint}</span>
      </span>
      <ChevronRight size={15} className="chevron" aria-hidden />
    </button>
  );
}

function Missing({ project }: { project: ProjectView }) {
  const app = useApp();
  const { t } = useWords();
  return (
    <li className="recent missing" data-testid="recent-project" data-missing="true">
      <FolderX size={17} aria-hidden />
      <span className="words">
        <strong className="clip">{visible(project.name)}</strong>
        <span className="warn">{t('start.recent.missing')}</span>
      </span>
      <Button
        size="s"
        aria-label={t('start.recent.locate.of', { name: project.name })}
        data-testid="locate-project"
        onClick={() => void pickAndRebind(app, project.projectId)}
      >
        {t('start.recent.locate')}
      </Button>
      <Button
        size="s"
        kind="quiet"
        aria-label={t('start.recent.forget.of', { name: project.name })}
        data-testid="forget-project"
        onClick={() => void forgetProject(app, project.projectId)}
      >
        {t('start.recent.forget')}
      </Button>
    </li>
  );
}

function Recent({ project }: { project: ProjectView }) {
  const app = useApp();
  const { count, date } = useWords();
  if (!project.exists) return <Missing project={project} />;
  return (
    <li>
      <button
        type="button"
        className="recent"
        data-testid="recent-project"
        onClick={() => void openProject(app, project.location)}
      >
        <Folder size={17} aria-hidden />
        <span className="words">
          <strong className="clip">{visible(project.name)}</strong>
          <span className="clip">{visible(project.location)}</span>
        </span>
        <span className="facts">
          <span>{count('start.recent.runs', project.runCount)}</span>
          <span>{date(project.lastOpenedAt)}</span>
        </span>
      </button>
    </li>
  );
}

/** The runs that wait or work, of whatever project. */
function Waiting() {
  const { t } = useWords();
  const some = useView((v) => (v.active?.length ?? 0) > 0);
  if (!some) return null;
  return (
    <section className="recents" aria-label={t('rail.works')}>
      <ActiveRuns />
    </section>
  );
}

function RecentProjects() {
  const { t } = useWords();
  const projects = useView((v) => v.projects);
  return (
    <section className="recents" aria-labelledby="recents-title">
      <h2 id="recents-title">{t('start.recent')}</h2>
      <ul>
        {projects?.map((project) => (
          <Recent key={project.projectId} project={project} />
        ))}
      </ul>
    </section>
  );
}

/** The ways to a project, and to a package. */
function Tiles({ onNew }: { onNew: () => void }) {
  const app = useApp();
  const { t } = useWords();
  return (
    <>
      <Tile
        icon={FolderOpen}
        label={t('start.open')}
        hint={t('start.open.hint')}
        testId="open-project"
        onClick={() => void pickAndOpenProject(app)}
      />
      <Tile
        icon={FolderPlus}
        label={t('start.new')}
        hint={t('start.new.hint')}
        testId="new-project"
        onClick={onNew}
      />
      <Tile
        icon={PackagePlus}
        label={t('start.import')}
        hint={t('start.import.hint')}
        testId="import-package"
        onClick={() => void pickAndInspect(app)}
      />
    </>
  );
}

function ModelTile() {
  const app = useApp();
  const words = useWords();
  const { t } = words;
  const model = useView((v) => modelLine(v.settings, words));
  return (
    <Tile
      icon={Cpu}
      label={t('start.model')}
      hint={model ?? t('start.model.hint')}
      testId="connect-model"
      onClick={() => go(app, 'settings')}
    />
  );
}

/** The name of the program, and what it is for. */
function Hero() {
  const { t } = useWords();
  return (
    <div className="hero">
      <Logo size={40} />
      <h1>{t('app.name')}</h1>
      <p className="tagline">{t('app.tagline')}</p>
    </div>
  );
}

/** What there is once somebody has worked here: what waits, and where one was. */
function Known({ onNew }: { onNew: () => void }) {
  const { t } = useWords();
  return (
    <div className="start-columns">
      <div className="recents-column">
        <Boundary of={null} instead={() => null}>
          <Waiting />
        </Boundary>
        <RecentProjects />
      </div>
      <div className="tiles">
        <Tiles onNew={onNew} />
        <ModelTile />
        <div className="demo">
          <PlayDemo first={false} />
          <p className="hint">{t('start.demo.hint')}</p>
        </div>
      </div>
    </div>
  );
}

/** The first screen: what one can do without having read anything. */
export function Start() {
  const [naming, setNaming] = useState(false);
  const first = useView((v) => v.projects?.length === 0);
  // What stands here follows from it: nothing that is pressed goes away in that moment.
  const isKnown = useView((v) => v.projects !== null || v.begun);
  return (
    <div className="start" data-testid="start-screen">
      <header className="start-top">
        <LanguageChoice />
        <ThemeChoice compact />
      </header>
      <main className="start-body">
        <Hero />
        {!isKnown ? null : first ? (
          <>
            <StartCards />
            <div className="tiles across">
              <Tiles onNew={() => setNaming(true)} />
            </div>
          </>
        ) : (
          <Known onNew={() => setNaming(true)} />
        )}
      </main>
      {naming && <NewProject onClose={() => setNaming(false)} />}
    </div>
  );
}
