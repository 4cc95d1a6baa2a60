// The built page in Chromium: `npm run test:page -- -g "part of a name"`.
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = places.find((path) => path && existsSync(path));
if (!executablePath) throw new Error('Chromium was not found. Install it, or name it in CHROMIUM.');

export default defineConfig({
  testDir: 'tests/page',
  testMatch: '*.spec.mjs',
  globalSetup: './tests/page/serve.mjs',
  outputDir: '../tests/artifacts/page-failures',
  reporter: 'list',
  // Much of a test's time is waiting, so two run at once.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  // Without a graphics card one would be emulated, which takes longer than drawing without one.
  use: { launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] } },
});
