// What is sent to somebody who helps.
import { save } from './conversations';
import type { App } from './store';

/** Writes what helps somebody to help to where the person says. */
export const saveDiagnostics = (app: App) =>
  save(app, 'crewagent-diagnostics.zip', 'zip', (path) => ({
    type: 'saveDiagnostics',
    path,
    // The system's dialog has asked.
    replace: true,
  }));
