import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, root, test } from './fixtures.ts';

const run = promisify(execFile);

test('the command line of a package works by a link, with the Node of the computer', async ({ packages }) => {
  const [linux] = packages;
  if (!linux) throw new Error('no package was made');
  const folder = mkdtempSync(join(tmpdir(), 'coffer-command-'));
  try {
    const link = join(folder, 'coffer');
    symlinkSync(join(linux.resources, 'command', 'bin', 'coffer'), link);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const node = join(root, 'node_modules', 'node', 'bin');
    const env = { ...process.env, PATH: `${node}:${process.env['PATH']}`, XDG_CONFIG_HOME: folder };
    const said = await run(link, ['--version'], { env });
    expect(said.stdout).toBe(`${version}\n`);
    // Opens a list of its own, and loads the keychain's module.
    const doctor = await run(link, ['doctor', '--json'], { env });
    const findings = doctor.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { check: string; ok: boolean });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.map(({ check }) => check)).toContain('keychain');
    const none = { PATH: dirname('/usr/bin/env') };
    await expect(
      run(link, ['--version'], { env: { ...none, COFFER_NODE: 'no-such-node' } }),
    ).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('COFFER_NODE'),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every package brings the command line, and the keychain for its system', ({ packages }) => {
  for (const { name, files, prebuilds } of packages) {
    const inside = name === 'mac' ? 'Coffer.app/Contents/Resources' : 'resources';
    const command = files.filter((file) => file.startsWith(`${inside}/command/`));
    const expected = ['bin/coffer', 'bin/coffer.cmd', 'coffer.1', 'out/main/command.js', 'package.json'];
    for (const file of expected) expect(command).toContain(`${inside}/command/${file}`);
    for (const prebuild of prebuilds)
      expect(command).toContain(`${inside}/command/node_modules/keytar/prebuilds/${prebuild}/keytar.node`);
  }
});
