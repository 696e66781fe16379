import { chmod, glob, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import type {} from '../test-support/main/test-setup.ts';
import { removeFolder } from '../test-support/remove-folder.ts';
import { bundle, bundleThreads, threadEntries } from './threads.ts';

const root = join(import.meta.dirname, '..');

/** Programs that tests start repeatedly, by the name of their bundle. */
const programEntries = {
  'app-child': 'test-support/command/app-child.ts',
  'database-writer': 'test-support/main/database/writer.ts',
  'kill-child': 'test-support/main/transfers/kill-child.ts',
  'local-service-main': 'src/local-service/main.ts',
  'objects-exporter': 'test-support/main/objects/exporter.ts',
  'objects-importer': 'test-support/main/objects/importer.ts',
  'transfers-writer': 'test-support/main/transfers/store/writer.ts',
};

/**
 * Bundles the threads of the main process before all tests, as in a package: a bundle starts more than twice as fast as its
 * sources, and the tests start thousands of threads. The same goes for the programs, which find the threads beside them. While
 * Vitest watches, everything runs from source, since it changes.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('isAll', !project.vitest.config.tagsFilter?.includes('!all'));
  if (project.config.watch) {
    project.provide('bundles', {});
    project.provide('postgres', null);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'coffer-threads-'));
  // PostgreSQL runs as another user where it may not create a namespace, and needs access.
  await chmod(folder, 0o711);
  const chunks = await Promise.all([bundleThreads(root), bundle(root, programEntries, 'mjs')]);
  await Promise.all(chunks.flat().map(({ fileName, code }) => writeFile(join(folder, fileName), code)));
  // For the keychain's module, whose native code cannot be bundled.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const hrefOf = (path: string) => pathToFileURL(path).href;
  const named = (entries: Readonly<Record<string, string>>, extension: string) =>
    Object.entries(entries).map(([name, source]) => [
      hrefOf(join(root, source)),
      hrefOf(join(folder, `${name}.${extension}`)),
    ]);
  project.provide(
    'bundles',
    Object.fromEntries([...named(threadEntries, 'cjs'), ...named(programEntries, 'mjs')]),
  );
  const postgres = join(folder, 'postgres');
  project.provide('postgres', postgres);
  return async () => {
    await endServers(postgres);
    await removeFolder(folder);
  };
}

/** Ends the servers of the test processes, which exit without a chance to do it. */
async function endServers(folder: string): Promise<void> {
  for await (const file of glob('server-*/data/postmaster.pid', { cwd: folder })) {
    try {
      const pid = Number((await readFile(join(folder, file), 'utf8')).split('\n')[0]);
      if (pid > 1) process.kill(pid, 'SIGQUIT');
    } catch (cause) {
      // The server has just ended; its file may be gone, too.
      if (!['ENOENT', 'ESRCH'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    }
  }
}
