import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './tools.js';

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const { dependencies, devDependencies } = JSON.parse(read('package.json'));
const [, nodeVersion] = /nodeVersion = '(.+)'/.exec(read('packaging', 'command', 'node-program.ts'));
const pinned = {
  electron: devDependencies.electron,
  undici: dependencies.undici,
  node: devDependencies.node,
  command: nodeVersion,
};
const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString();

/** A version with a greater number in this place: 0 is the major one. */
const raised = (version, place) =>
  version
    .split('.')
    .map((part, at) => (at === place ? Number(part) + 1 : Number(part)))
    .join('.');

/** What the script says, with a registry and a nodejs.org that know these versions and days; null: there is neither. */
async function check(known) {
  const server = createServer(({ url }, response) => {
    const { command, ...packages } = known ?? {};
    const versions = packages[url.slice(1)];
    const registry = versions && { time: { created: daysAgo(1000), modified: daysAgo(0), ...versions } };
    const nodejs =
      command && Object.entries(command).map(([version, date]) => ({ version: `v${version}`, date }));
    const body = url === '/dist/index.json' ? nodejs : registry;
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${server.address().port}/`;
  const env = {
    ...process.env,
    npm_config_registry: address,
    NODEJS_ORG_MIRROR: `${address}dist`,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts', 'pins.js')], { env }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, said: stdout }),
    );
  });
}

/** Each pinned version on its day, and what else there is. */
const knowing = (days, others = {}) =>
  Object.fromEntries(
    Object.entries(pinned).map(([name, version]) => [name, { [version]: daysAgo(days), ...others[name] }]),
  );

test('a release fails on a runtime that is older than 60 days while a newer one is out', async () => {
  const newest = Object.fromEntries(
    Object.entries(pinned).map(([name, version]) => [name, { [raised(version, 1)]: daysAgo(1) }]),
  );
  const old = await check(knowing(61, newest));
  expect(old.code).toBe(1);
  for (const name of ['Electron', 'undici', 'Node of a checkout', 'Node of the command'])
    expect(old.said).toContain(`::error::${name}: `);
  expect(old.said).toContain(`${pinned.electron} is 61 days old, ${raised(pinned.electron, 1)} is out`);
  expect(old.said).toContain('docs/releasing.md');
  expect(await check(knowing(59, newest))).toMatchObject({ code: 0 });
});

test('what is old and the newest can be released: of Node the newest of its major version, of Electron of all', async () => {
  const next = Object.fromEntries(
    Object.entries(pinned).map(([name, version]) => [name, { [raised(version, 0)]: daysAgo(1) }]),
  );
  const { node, command, electron } = next;
  const ofNode = await check(knowing(100, { node, command, undici: { '99.0.0-rc.1': daysAgo(1) } }));
  expect(ofNode.said).toContain('100 days old, and the newest');
  expect(ofNode.code).toBe(0);
  const { code, said } = await check(knowing(100, { electron }));
  expect(said.match(/^::error::.*/gm)).toEqual([
    `::error::Electron: ${pinned.electron} is 100 days old, ${raised(pinned.electron, 0)} is out`,
  ]);
  expect(code).toBe(1);
});

test('releases nothing without an answer', async () => {
  const { code, said } = await check(null);
  expect(said.match(/^::error::/gm)).toHaveLength(4);
  expect(code).toBe(1);
});

test('the release asks for the ages before it makes a package', () => {
  const release = read('.github', 'workflows', 'release.yml');
  const asked = release.indexOf('run: node scripts/pins.js\n');
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(release.indexOf('npm run package'));
});

test("Renovate finds the command's Node, and its limits are those of the pins", () => {
  const { customManagers, packageRules } = JSON.parse(read('.github', 'renovate.json'));
  const [{ managerFilePatterns, matchStrings }] = customManagers;
  const found = managerFilePatterns.map(
    (path) => new RegExp(matchStrings[0]).exec(read(...path.split('/')))?.groups,
  );
  expect(found).toEqual([{ currentValue: pinned.command }]);
  const limits = packageRules.flatMap(({ allowedVersions }) => allowedVersions ?? []);
  const next = [pinned.node, pinned.command].map((version) => `<${Number(version.split('.')[0]) + 1}`);
  expect(limits).toEqual(next);
});
