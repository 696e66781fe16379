import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { bundleThreads } from './threads.ts';

// As in Electron's own test of a thread from an archive: a CommonJS module (spec/asar-spec.ts).
test('each thread is a CommonJS bundle that starts', async () => {
  const chunks = await bundleThreads(join(import.meta.dirname, '..'));
  const folder = mkdtempSync(join(tmpdir(), 'threads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { fileName, code } of chunks) {
    expect(fileName).toMatch(/\.cjs$/);
    // It refuses what only an ES module may contain.
    expect(() => new Script(code)).not.toThrow();
    writeFileSync(join(folder, fileName), code);
  }
  const names = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  expect(names.toSorted()).toEqual([
    'database-worker.cjs',
    'digest-worker.cjs',
    'local-service.cjs',
    'read-worker.cjs',
    'team-worker.cjs',
    'temporary-file-worker.cjs',
  ]);
  for (const name of names) {
    const worker = new Worker(pathToFileURL(join(folder, name)), { workerData: {} });
    const failed = once(worker, 'error').then(([cause]) => String(cause));
    expect(await Promise.race([once(worker, 'online').then(() => 'online'), failed])).toBe('online');
    await worker.terminate();
  }
});
