// Serves the built page, and the gallery, on free ports of this machine, under the policy of the app's
// window.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

function policy() {
  const { app } = JSON.parse(readFileSync(join(root, '../tauri.conf.json'), 'utf8'));
  const rules = Object.entries(app.security.csp).map(([name, value]) => `${name} ${value}`);
  return rules.join('; ');
}

/** Serves what was built to a folder of this repository; where, and how to stop. */
async function serveBuilt(folder, page) {
  if (!existsSync(join(root, folder, page)))
    throw new Error(`ui/${folder} is missing. Run: npm run test:page`);
  const headers = { 'content-security-policy': policy() };
  const at = { host: '127.0.0.1', port: 0, headers };
  const server = await preview({ root, build: { outDir: folder }, preview: at });
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}

export default async function serve() {
  const built = await serveBuilt('dist', 'index.html');
  const gallery = await serveBuilt('../tests/artifacts/gallery', 'gallery.html');
  process.env.PAGE = built.url;
  process.env.GALLERY = `${gallery.url}gallery.html`;
  return () => Promise.all([built.close(), gallery.close()]);
}
