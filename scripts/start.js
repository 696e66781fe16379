/* npm start [-- ARG...]: installs what is missing, builds what has changed, opens the window. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fetchElectron } from './electron.js';
import {
  hasChromium,
  hasDisplay,
  hasLibraries,
  hasVirtualDisplay,
  install,
  installModules,
  prepareSandbox,
} from './setup.js';
import { become, commandOf, environment, findNode, root, succeeds } from './tools.js';

/** The page is built last, so its age is that of the whole build. */
function isBuilt() {
  const page = join(root, 'out', 'renderer', 'index.html');
  if (!existsSync(page)) return false;
  const builtMs = statSync(page).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((name) => join('src', name));
  return ['electron.vite.config.ts', 'package-lock.json', ...sources].every(
    (path) => statSync(join(root, path)).mtimeMs <= builtMs,
  );
}

async function start() {
  if (!(await installModules())) return 1;
  let shell = process.env['COFFER_SHELL'] ?? 'electron';
  const trouble = shell === 'electron' ? await fetchElectron() : null;
  if (trouble) {
    console.error(`${trouble} Opening in Chromium instead.`);
    shell = 'chromium';
  }
  // Without libsecret the window opens, and reports that there is no keychain.
  const canOpen = () =>
    (shell === 'electron' ? hasLibraries() : hasChromium()) && (hasDisplay() || hasVirtualDisplay());
  if (!install(shell, 'keychain', ...(hasDisplay() ? [] : ['display'])) && !canOpen()) return 1;
  if (shell === 'electron' && !prepareSandbox()) return 1;
  const build = [...commandOf('electron-vite'), 'build', '--logLevel', 'warn'];
  if (!isBuilt() && !succeeds(build, { isHeard: true })) return 1;
  const open = [findNode(), join(root, 'scripts', 'open.js'), ...process.argv.slice(2)];
  become(open, environment({ COFFER_SHELL: shell }));
  return 0;
}

process.exitCode = await start();
