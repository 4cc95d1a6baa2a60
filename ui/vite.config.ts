import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  clearScreen: false,
  server: {
    port: 1420,
    strictPort: true,
    // The catalogues of words lie in `templates/locales`, which the kernel reads as well; what
    // `docs/design.md` says of the colours is measured.
    fs: { allow: ['.', '../templates/locales', '../docs'] },
  },
  // The window loads from disk and has one engine per system; no need to transpile for old ones.
  build: { target: ['es2022', 'safari16'], chunkSizeWarningLimit: 900, assetsInlineLimit: 0 },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    // No style sheet is applied; the colours are read as a text.
    css: { include: [/tokens\.css\?raw$/] },
    // React, jsdom and the page are loaded once and not for each file; what a test changes in the
    // document goes after it (`setup.ts`). No test depends on which files ran before its own:
    // `npx vitest run --sequence.shuffle.files`.
    isolate: false,
  },
});
