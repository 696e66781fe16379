/*
 * node --import ./chromium-shell/register.ts out/main/index.js [--user-data-dir=DIR] [--remote-debugging-port=PORT]
 *
 * Answers `import 'electron'` with the stand-in. Electron is ready only after the entry module has been evaluated,
 * top-level awaits included (electron/electron#40719), so the entry module is made to report that.
 */
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import './asar.ts';

const standIn = new URL('./electron.ts', import.meta.url).href;
const entry = pathToFileURL(resolve(process.argv[1] ?? '')).href;

// Threads inherit --import. Only the main thread has Electron, and so its stand-in.
if (isMainThread)
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (url !== entry) return loaded;
      const source =
        typeof loaded.source === 'string'
          ? loaded.source
          : new TextDecoder().decode(loaded.source ?? undefined);
      return {
        ...loaded,
        source: `${source}\n;(await import(${JSON.stringify(standIn)})).startWhenEvaluated();\n`,
      };
    },
  });
