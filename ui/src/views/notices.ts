// What the window follows beside the conversation, and what it reads again when told. Each is
// followed as long as it is shown.
import { useEffect } from 'react';
import type { Noticed, WatchTarget } from '../bridge/wire';
import { inspect, inspectEach, showPackage } from '../state/actions';
import { loadActive, loadConversations } from '../state/list';
import { loadProjects, loadSettings } from '../state/load';
import { emptyLog, withRows } from '../state/log';
import { goToConversation, openProject } from '../state/projects';
import { isOfSettings } from '../state/select';
import { want } from '../state/snapshot';
import { type App, fail, useApp, useView } from '../state/store';

/** Takes over what was told. */
function hear(app: App, noticed: Noticed) {
  const { log } = app.store.getState();
  switch (noticed.type) {
    case 'files':
      void loadProjects(app);
      void loadConversations(app);
      want(app, 'snapshot');
      break;
    case 'settings': {
      void loadSettings(app);
      app.store.setState({ modelChangedAt: new Date().toISOString() });
      const [problem] = noticed.problems;
      if (problem) fail(app, problem);
      // The file is right again.
      else if (isOfSettings(app.store.getState())) app.store.setState({ failure: null });
      break;
    }
    case 'runs':
      void loadConversations(app);
      break;
    case 'shown':
      showNoticed(app, noticed);
      break;
    case 'shownPackage':
      void showPackage(app, noticed.packageId);
      break;
    case 'folder':
      void openProject(app, noticed.path);
      break;
    case 'notShown':
      fail(app, noticed.failure);
      break;
    case 'opened':
      inspectEach(app, [noticed.path]);
      break;
    case 'package':
      if (app.store.getState().inspection?.path === noticed.path) void inspect(app, noticed.path);
      break;
    case 'log':
      app.store.setState({ log: withRows(log, noticed.rows, noticed.dropped) });
      break;
    case 'limited':
      fail(app, noticed.failure);
      break;
  }
}

/** Leads to a conversation, unless one is there already. */
function showNoticed(app: App, shown: Extract<Noticed, { type: 'shown' }>) {
  const { screen, conversationId, task } = app.store.getState();
  const isThere =
    screen === 'workspace' && (task?.parent ?? conversationId) === shown.conversationId;
  if (isThere) return;
  void goToConversation(app, shown.projectId, shown.conversationId, shown.location);
}

function useTarget(target: WatchTarget | null, onBegin?: () => void) {
  const app = useApp();
  // A target is plain data: the same words are the same target.
  const key = target && JSON.stringify(target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew when the target changes, and only then
  useEffect(() => {
    if (!key) return;
    onBegin?.();
    return app.bridge.notice(
      JSON.parse(key) as WatchTarget,
      (words) => {
        for (const noticed of words) hear(app, noticed);
      },
      // The lists are read all the same; a folder that is gone is shown where it is listed.
      (failure) => {
        if (failure.code !== 'PROJECT_ROOT_INVALID') fail(app, failure);
      },
    );
  }, [app, key]);
}

/** Follows the settings, the open project, the package being looked at, and the log. */
export function useNotices() {
  const app = useApp();
  const projectId = useView((v) => (v.screen === 'start' ? null : v.projectId));
  const path = useView((v) => v.inspection?.path ?? null);
  const logOpen = useView((v) => v.logOpen && v.screen === 'workspace');
  const conversationId = useView((v) => v.conversationId);
  // What was opened outside waits until the window is where it begins.
  const begun = useView((v) => v.begun);
  // What happened before that was told to nobody.
  useTarget(begun ? { type: 'app' } : null, () => void loadActive(app));
  useTarget(projectId ? { type: 'project', projectId } : null);
  useTarget(path ? { type: 'package', path } : null);
  useTarget(logOpen ? { type: 'log', conversationId } : null, () =>
    app.store.setState({ log: emptyLog }),
  );
}
