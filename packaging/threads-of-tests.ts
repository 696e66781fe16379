import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import type {} from '../test-support/main/test-setup.ts';
import { bundleThreads, threadEntries } from './threads.ts';

const root = join(import.meta.dirname, '..');

/**
 * Bundles the threads of the main process before all tests, as a package has them: a bundle starts in less than half the time that its
 * sources need, and the tests start thousands of threads. While Vitest watches, threads run from their sources, which change.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.config.watch) {
    project.provide('bundledThreads', {});
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'coffer-threads-'));
  const chunks = await bundleThreads(root);
  await Promise.all(chunks.map(({ fileName, code }) => writeFile(join(folder, fileName), code)));
  const hrefOf = (path: string) => pathToFileURL(path).href;
  const bundles = Object.entries(threadEntries).map(([name, source]) => [
    hrefOf(join(root, source)),
    hrefOf(join(folder, `${name}.cjs`)),
  ]);
  project.provide('bundledThreads', Object.fromEntries(bundles));
  return () => rm(folder, { recursive: true });
}
