import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from './fixtures.ts';

const run = promisify(execFile);

/** `npm run test:all` installs them on Debian and its like. */
const isMissing = (...programs: string[]) =>
  programs.some((program) => spawnSync(program, ['--version']).error !== undefined);

test('lintian finds no error in the Debian package @all', async ({ deb: { file } }) => {
  test.skip(isMissing('lintian'), 'lintian is not here');
  const { stdout } = spawnSync('lintian', ['--allow-root', '--tag-display-limit', '0', file], {
    encoding: 'utf8',
  });
  const lines = stdout.split('\n');
  // Otherwise it has looked at nothing.
  expect(lines).toContainEqual(expect.stringMatching(/^W: coffer: /));
  expect(lines.filter((line) => line.startsWith('E: '))).toEqual([]);
});

test('apt finds all that the Debian package needs for a system on which nothing is installed @all', async ({
  deb: { file, tree },
}) => {
  const isKnown = !isMissing('apt-get') && spawnSync('apt-cache', ['show', 'libc6']).status === 0;
  test.skip(!isKnown, 'apt knows no packages here');
  const status = join(tree, '..', 'status');
  writeFileSync(status, '');
  const simulation = ['--simulate', '--no-install-recommends', '--option', `Dir::State::status=${status}`];
  const { stdout } = await run('apt-get', [...simulation, 'install', file]);
  const installed = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name.replace(/t64$/, ''));
  const wanted = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libatomic1', 'libc6', 'coffer'];
  expect(installed).toEqual(expect.arrayContaining(wanted));
});

test('the desktop entry and the description for software centres are valid, and have an icon @all', async ({
  deb: { tree },
}) => {
  const share = join(tree, 'usr', 'share');
  const icons = globSync('*/apps/coffer-desktop.*', { cwd: join(share, 'icons', 'hicolor') });
  expect(icons).toContain(join('scalable', 'apps', 'coffer-desktop.svg'));
  expect(icons).toContain(join('512x512', 'apps', 'coffer-desktop.png'));
  const entry = join(share, 'applications', 'org.coffer.Coffer.desktop');
  const metainfo = join(share, 'metainfo', 'org.coffer.Coffer.metainfo.xml');
  expect(existsSync(entry)).toBe(true);
  test.skip(isMissing('desktop-file-validate', 'appstreamcli'), 'the validators are not here');
  // It exits with 0 for hints, and says them.
  expect(await run('desktop-file-validate', [entry])).toEqual({ stdout: '', stderr: '' });
  await run('appstreamcli', ['validate', '--no-net', metainfo]);
});
