import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of each thread, by its source. */
    readonly bundledThreads: Readonly<Record<string, string>>;
  }
}

const root = join(import.meta.dirname, '..');
const sources = [
  'src/main/storage/worker.ts',
  'src/main/local-files/digest-worker.ts',
  'src/main/local-files/read-worker.ts',
  'src/main/local-files/temporary-file-worker.ts',
  'src/local-service/worker.ts',
];

/**
 * Bundles the threads of the main process before all tests: a bundle starts in less than half the time that its sources need, and
 * the tests start thousands of threads. While Vitest watches, threads run from their sources, which change.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.config.watch) {
    project.provide('bundledThreads', {});
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'coffer-threads-'));
  const nameOf = (source: string) => source.replaceAll('/', '-').replace(/\.ts$/, '');
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      sourcemap: 'inline',
      rolldownOptions: {
        input: Object.fromEntries(sources.map((source) => [nameOf(source), join(root, source)])),
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  const hrefOf = (path: string) => pathToFileURL(path).href;
  const bundles = sources.map((source) => [
    hrefOf(resolve(root, source)),
    hrefOf(join(folder, `${nameOf(source)}.mjs`)),
  ]);
  project.provide('bundledThreads', Object.fromEntries(bundles));
  return () => rm(folder, { recursive: true });
}
