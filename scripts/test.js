/*
 * npm test: every check, except tests tagged `all`, which repeat with more or real parts what a faster test shows; the argument `all`
 * (npm run test:all) includes those. On Linux under a private keyring and a virtual display. Ends with the line `N passed, N failed`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMemoryFolder } from './memory-folder.js';
import { install, installModules, installPostgres, isLinux } from './setup.js';
import { become, environment, findNode } from './tools.js';

// In parallel: one waits for the registry, the other unpacks. Only the check for libsecret needs a module.
const modules = Promise.all([installModules(), installPostgres()]);
const needed = ['chromium', 'display', 'keyring', 'restore', 'shells', 'program'];
const areProgramsThere = install(...needed, ...(process.argv.includes('all') ? ['judges'] : []));
if (!(await modules).every(Boolean) || !areProgramsThere || !install('keychain')) process.exitCode = 1;
else {
  const own = isLinux ? ['scripts/with-keyring.sh', 'scripts/with-display.sh'] : [];
  // Node's compile cache: types are stripped once instead of in each thread of each test. Not in node_modules, which the packager reads meanwhile.
  const cacheFolder = mkdtempSync(join(tmpdir(), 'coffer-node-'));
  const cache = { NODE_COMPILE_CACHE: cacheFolder };
  const folder = isLinux ? makeMemoryFolder() : null;
  process.on('exit', () => {
    for (const each of [folder, cacheFolder]) if (each) rmSync(each, { recursive: true, force: true });
  });
  const temporary = folder ? { TMPDIR: folder } : {};
  const command = [...own, findNode(), 'scripts/test-all.js', ...process.argv.slice(2)];
  become(command, environment({ ...cache, ...temporary }), 'ignore');
}
