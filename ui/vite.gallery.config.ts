import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gallery alone, beside the pictures of the page's tests: what is shipped is `dist`, without it. */
export default defineConfig({
  plugins: [react()],
  clearScreen: false,
  logLevel: 'error',
  build: {
    outDir: '../tests/artifacts/gallery',
    emptyOutDir: true,
    target: ['es2022', 'safari16'],
    chunkSizeWarningLimit: 3000,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: 'gallery.html' },
  },
});
