import { memo } from 'react';
import { useMedia, WIDE } from '../kit/use-media';
import { useView } from '../state/store';
import { Conversation } from './conversation';
import { FileViewer } from './file-viewer';
import { InspectorPlace } from './inspector';
import { LogDrawer } from './log-drawer';
import { RunForm } from './run-form';
import { Sidebar } from './sidebar';
import { SkipLink } from './window-parts';

/** A project: its runs, one conversation, and where that run is. What its parts show, they read by themselves. */
export const Workspace = memo(() => {
  const inspector = useView((v) => v.conversationId !== null && !v.startingRun);
  const starting = useView((v) => v.startingRun);
  const log = useView((v) => v.logOpen);
  const opened = useView((v) => v.file !== null && !v.startingRun);
  const beside = useMedia(WIDE);
  return (
    <div className="workspace" data-testid="workspace">
      <SkipLink />
      <Sidebar />
      <div className="workspace-rest">
        <div className="workspace-columns">
          <main
            id="conversation"
            className="workspace-main"
            data-split={(opened && beside) || undefined}
          >
            <div className="beside-file" inert={opened && !beside}>
              {starting ? <RunForm /> : <Conversation />}
            </div>
            {!starting && <FileViewer beside={beside} />}
          </main>
          {inspector && <InspectorPlace />}
        </div>
        {log && <LogDrawer />}
      </div>
    </div>
  );
});
