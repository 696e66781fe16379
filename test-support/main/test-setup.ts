// First: it replaces `open`, which `local-files/fs.ts` binds for all test files of the process when the first one loads it.
import './transfers/open-files.ts';
import './transfers/folder-faults.ts';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads, { Worker, type WorkerOptions } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, inject } from 'vitest';
import { fewerExamples } from '../fewer-examples.ts';
import { ReusedThread } from './database/reused-thread.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of each thread and of some programs, by its source (packaging/threads-of-tests.ts). */
    readonly bundles: Readonly<Record<string, string>>;
    /** The folder with the servers of a run and their template; null: each test file has its own server. */
    readonly postgres: string | null;
    /** Tests tagged `all` run too. */
    readonly isAll: boolean;
  }
}

const bundles = inject('bundles');
// All test files of a process share the module.
if (workerThreads.Worker.name !== 'BundledWorker') {
  workerThreads.Worker = class BundledWorker extends Worker {
    constructor(entry: string | URL, options: WorkerOptions = {}) {
      const bundle = bundles[String(entry)];
      // A test that listens for new threads needs real ones.
      if (bundle && /\/(database|team)-worker\.cjs$/.test(bundle) && process.listenerCount('worker') === 0)
        return new ReusedThread(bundle, options) as unknown as BundledWorker;
      super(new URL(bundle ?? entry), options);
    }
  };
  syncBuiltinESMExports();
  // Without it no text is longer than ten characters, and no list of steps longer than ten steps, whatever `maxLength` says.
  fc.configureGlobal({ ...fc.readConfigureGlobal(), defaultSizeToMaxWhenMaxSpecified: true });
  fc.installGlobalPlugin(fewerExamples(20_000));
  // An example that hangs is named, with its seed, before Vitest ends the test without either.
  fc.installGlobalPlugin(fc.timeout(120_000));
  // As a whole: `toEqual` would compare property by property, which takes a second for 3 MB.
  expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)]);
}
