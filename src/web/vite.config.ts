import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Builds the page to dist/web. Relative addresses, so that it also works under a prefix of somebody's proxy. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  logLevel: 'warn',
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome111', 'firefox115', 'safari16.4'],
    // Nothing inline: the Content-Security-Policy allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:9896' } },
});
