/* Downloads Electron's binary, which is not in the package registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findElectron } from './setup.js';
import { findNode, root, succeeds } from './tools.js';

const folder = join(root, 'node_modules', 'electron');

/** Where Electron's installer looks for another server (`mirrorVar` of @electron/get). */
const mirrors = [
  'npm_config_electron_mirror',
  'NPM_CONFIG_ELECTRON_MIRROR',
  'npm_package_config_electron_mirror',
  'ELECTRON_MIRROR',
];
/** npm's own settings come last, in its order. */
const proxies = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'npm_config_https_proxy',
  'npm_config_proxy',
];

/** Returns null once Electron is there, otherwise one line: why it is not, and what to set. */
export async function fetchElectron() {
  if (findElectron()) return null;
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const setOf = (names) => names.find((name) => process.env[name]);
  const [mirror, proxy] = [setOf(mirrors), setOf(proxies)];
  // Without either the installer would wait longer for a host that cannot be reached.
  if (!mirror && !proxy && !(await canReachHost()))
    return `Electron ${version} cannot be downloaded: github.com does not answer. ${advice}`;
  console.error(`Downloading Electron ${version}`);
  const env = {
    // Its fetch would ignore a proxy otherwise, and the variables of npm.
    NODE_USE_ENV_PROXY: '1',
    ...(proxy?.startsWith('npm_') && { HTTPS_PROXY: process.env[proxy], HTTP_PROXY: process.env[proxy] }),
  };
  const isDone = succeeds([findNode(), join(folder, 'install.js')], { isHeard: true, env });
  if (isDone && findElectron()) return null;
  const used = [mirror, proxy].filter(Boolean).join(' and ');
  return `Electron ${version} was not downloaded; its installer has said why. ${used ? `Check ${used}.` : advice}`;
}

const advice =
  'Set HTTPS_PROXY if this network has a proxy, or ELECTRON_MIRROR to a server that has Electron.';

function canReachHost() {
  return fetch('https://github.com/electron/electron/releases', {
    method: 'HEAD',
    signal: AbortSignal.timeout(5000),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
}
