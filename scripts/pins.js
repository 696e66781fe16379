/*
 * Fails if a runtime that Coffer ships or runs on is pinned to a version that is older than 60 days, and a newer one is out. The release workflow
 * runs it; the version of a day is not a matter of `npm test`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.js';

const maxDays = 60;
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const program = readFileSync(join(root, 'packaging', 'command', 'node-program.ts'), 'utf8');
const [, nodeVersion] = /nodeVersion = '([\d.]+)'/.exec(program);

/** Of Node a newer version of the same major one counts: the others are another choice. Of the rest every newer version does. */
const pins = [
  { name: 'Electron', version: devDependencies.electron, dates: () => datesOfPackage('electron') },
  { name: 'undici', version: dependencies.undici, dates: () => datesOfPackage('undici') },
  {
    name: 'Node of a checkout',
    version: devDependencies.node,
    dates: () => datesOfPackage('node'),
    isOneMajor: true,
  },
  { name: 'Node of the command', version: nodeVersion, dates: datesOfNode, isOneMajor: true },
];

/** When each version was published, from npm's registry. */
async function datesOfPackage(name) {
  const { time } = await get('npm_config_registry', 'https://registry.npmjs.org', name);
  return time;
}

/** When each version of Node was released, from nodejs.org: npm has some of them, and later. */
async function datesOfNode() {
  const releases = await get('NODEJS_ORG_MIRROR', 'https://nodejs.org/dist', 'index.json');
  return Object.fromEntries(releases.map(({ version, date }) => [version.slice(1), date]));
}

async function get(setting, usual, path) {
  const address = `${(process.env[setting] ?? usual).replace(/\/$/, '')}/${path}`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return response.json();
}

const partsOf = (version) => version.split('.').map(Number);

function isNewer(version, other) {
  const [mine, others] = [partsOf(version), partsOf(other)];
  const at = mine.findIndex((part, index) => part !== others[index]);
  return at >= 0 && mine[at] > others[at];
}

/** What to say of a pin, and whether it is too old. */
async function judge({ name, version, dates, isOneMajor = false }) {
  try {
    const published = await dates();
    const days = Math.floor((Date.now() - Date.parse(published[version])) / 86_400_000);
    if (Number.isNaN(days)) return [`${name}: nobody knows when ${version} was published`, true];
    const newer = Object.keys(published)
      .filter((each) => /^\d+\.\d+\.\d+$/.test(each) && isNewer(each, version))
      .filter((each) => !isOneMajor || partsOf(each)[0] === partsOf(version)[0])
      .reduce((newest, each) => (newest && isNewer(newest, each) ? newest : each), null);
    const age = `${name}: ${version} is ${days} days old, ${newer ? `${newer} is out` : 'and the newest'}`;
    return [age, newer !== null && days > maxDays];
  } catch (cause) {
    return [`${name}: no answer about ${version}: ${cause.message}`, true];
  }
}

const judged = await Promise.all(pins.map(judge));
for (const [said, isOld] of judged) console.log(isOld ? `::error::${said}` : said);
if (judged.some(([, isOld]) => isOld)) {
  console.log(`Raise what is older than ${maxDays} days: docs/releasing.md, Runtimes.`);
  process.exitCode = 1;
}
