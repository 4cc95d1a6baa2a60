import { Check, ChevronsUpDown, Folder, FolderOpen, FolderPlus, House } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Menu, MenuItem, MenuLine } from '../kit/menu';
import { go } from '../state/actions';
import { openProject, pickAndOpenProject } from '../state/projects';
import { useApp, useView } from '../state/store';
import { NewProject } from './new-project';

/** Projects that the menu lists; the start page has all of them. */
const LISTED = 8;

/** The first sign of a name, as its picture. */
const initialOf = (name: string) => [...visible(name).trim()][0]?.toUpperCase() ?? '?';

/** The open project, and the way to another one. */
export function ProjectMenu({ compact = false }: { compact?: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const [naming, setNaming] = useState(false);
  const projects = useView((v) => v.projects) ?? [];
  const projectId = useView((v) => v.projectId);
  const project = projects.find((one) => one.projectId === projectId);
  const name = project?.name ?? '';
  const face = (
    <span className="project-face" title={visible(project?.location ?? '')}>
      <span className="project-initial" aria-hidden>
        {initialOf(name)}
      </span>
      {!compact && (
        <>
          <span className="words">
            <strong className="clip">{visible(name)}</strong>
            <span className="clip hint">{visible(project?.location ?? '')}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </>
      )}
    </span>
  );
  return (
    <>
      <Menu
        icon={Folder}
        face={face}
        label={t('project.menu', { name: visible(name) })}
        testId="project-menu"
        align="start"
      >
        {projects
          .filter((one) => one.exists)
          .slice(0, LISTED)
          .map((one) => (
            <MenuItem
              key={one.projectId}
              icon={one.projectId === projectId ? Check : Folder}
              testId="project-menu-item"
              onClick={() => one.projectId !== projectId && void openProject(app, one.location)}
            >
              {visible(one.name)}
            </MenuItem>
          ))}
        <MenuLine />
        <MenuItem
          icon={FolderOpen}
          testId="menu-open-project"
          onClick={() => void pickAndOpenProject(app)}
        >
          {t('start.open')}
        </MenuItem>
        <MenuItem icon={FolderPlus} testId="menu-new-project" onClick={() => setNaming(true)}>
          {t('start.new')}
        </MenuItem>
        <MenuItem icon={House} testId="rail-start" onClick={() => go(app, 'start')}>
          {t('rail.start')}
        </MenuItem>
      </Menu>
      {naming && <NewProject onClose={() => setNaming(false)} />}
    </>
  );
}
