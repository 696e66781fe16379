import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { pdfFiles } from './packaging/pdf-files.ts';
import { parsedMessages } from './packaging/message-plugin.ts';
import { threads } from './packaging/threads.ts';
import { readUpdateSource } from './packaging/update-source.ts';

export default defineConfig({
  main: {
    plugins: [parsedMessages(), threads()],
    define: { COFFER_UPDATE_SOURCE: JSON.stringify(readUpdateSource(process.env)) },
    build: {
      // Everything is bundled, so that a package holds no modules but the one with native code.
      externalizeDeps: false,
      rolldownOptions: {
        external: ['keytar'],
        input: {
          index: 'src/main/index.ts',
          command: 'src/command/index.ts',
        },
        // Threads (packaging/threads.ts) are started from beside their entries, wherever the code that starts them ends up.
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script is one CommonJS file, and can require nothing but `electron`.
      externalizeDeps: false,
      rolldownOptions: {
        input: 'src/preload/index.ts',
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    base: './',
    plugins: [react(), parsedMessages(), pdfFiles()],
    // It contains PDF.js, which is minified already and would grow by a third.
    worker: { format: 'es', rolldownOptions: { output: { minify: true } } },
    build: {
      // The content security policy allows no data: addresses and no inline script.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // A fifth smaller. Names stay, for the stack traces of reports.
      rolldownOptions: { output: { minify: { compress: false, mangle: false, codegen: true } } },
    },
  },
});
