// Serves the built page on a free port of this machine, under the policy of the app's window.
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

export default async function serve() {
  if (!existsSync(join(root, 'dist/index.html')))
    throw new Error('ui/dist is missing. Run: npm run build');
  const headers = { 'content-security-policy': policy() };
  const server = await preview({ root, preview: { host: '127.0.0.1', port: 0, headers } });
  process.env.PAGE = server.resolvedUrls.local[0];
  return () => server.close();
}
