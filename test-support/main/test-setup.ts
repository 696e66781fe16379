// First: it replaces `open`, which `local-files/fs.ts` binds for all test files of the process when the first one loads it.
import './transfers/open-files.ts';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads, { Worker, type WorkerOptions } from 'node:worker_threads';
import fc from 'fast-check';
import { inject } from 'vitest';
import { fewerExamples } from '../fewer-examples.ts';
import { ReusedThread } from './database/reused-thread.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of each thread and of some programs, by its source (packaging/threads-of-tests.ts). */
    readonly bundles: Readonly<Record<string, string>>;
    /** Where the first PostgreSQL of a run leaves a copy of its folder for the others; null: each makes its own. */
    readonly postgres: string | null;
    /** This is `npm test`, which leaves out what is tagged `all`. */
    readonly skipsAll: boolean;
  }
}

const bundles = inject('bundles');
// All test files of a process share the module.
if (workerThreads.Worker.name !== 'BundledWorker') {
  workerThreads.Worker = class BundledWorker extends Worker {
    constructor(entry: string | URL, options: WorkerOptions = {}) {
      const bundle = bundles[String(entry)];
      // A test that listens for new threads is about these.
      if (bundle && /\/(database|team)-worker\.cjs$/.test(bundle) && process.listenerCount('worker') === 0)
        return new ReusedThread(bundle, options) as unknown as BundledWorker;
      super(new URL(bundle ?? entry), options);
    }
  };
  syncBuiltinESMExports();
  fc.installGlobalPlugin(fewerExamples(20_000));
}
