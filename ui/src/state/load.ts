// What every screen needs, read from the program.
import { keep } from './ask';
import { loadDrafts } from './drafts';
import { loadActive } from './list';
import type { App } from './store';

/** Reads what every screen needs. */
export async function loadEverything(app: App) {
  const reads = [loadSettings, loadProjects, loadPackages, loadDrafts, loadActive];
  await Promise.all(reads.map((read) => read(app)));
}

export async function loadSettings(app: App) {
  keep(app, await app.bridge.query({ type: 'settings' }), (settings) => ({ settings }));
}

export async function loadProjects(app: App) {
  keep(app, await app.bridge.query({ type: 'projects' }), (projects) => ({ projects }));
}

export async function loadPackages(app: App) {
  keep(app, await app.bridge.query({ type: 'packages' }), (packages) => ({ packages }));
}
