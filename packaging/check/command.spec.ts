import { execFile, spawn, type ExecFileException } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeProgram } from '../command/make-program.ts';
import { hostTarget } from '../command/node-program.ts';
import { expect, expectSound, root, test as base, type Package } from './fixtures.ts';

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The command of the package for this computer, started by a link, in an empty home folder. */
const test = base.extend<{
  home: string;
  coffer: (words: string[], env?: NodeJS.ProcessEnv) => Promise<Ran>;
}>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted
  home: async ({}, provide) => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-command-'));
    await provide(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  coffer: async ({ packages, home }, provide) => {
    const link = join(home, 'coffer');
    symlinkSync(programOf(packages), link);
    await provide(async (words, env = {}) => {
      const own = { PATH: '/usr/bin:/bin', HOME: home, XDG_CONFIG_HOME: home };
      const { DBUS_SESSION_BUS_ADDRESS } = process.env;
      const ran = run(link, words, { cwd: home, env: { ...own, DBUS_SESSION_BUS_ADDRESS, ...env } });
      return ran.then(
        (said) => ({ ...said, code: 0 }),
        ({ stdout = '', stderr = '', code }: ExecFileException) => ({ stdout, stderr, code: Number(code) }),
      );
    });
  },
});

type Ran = { stdout: string; stderr: string; code: number };

function programOf([linux]: Package[]): string {
  if (!linux) throw new Error('no package was made');
  return join(linux.resources, 'command', 'coffer');
}

test('needs no Node, and finds its files when started through a link', async ({ coffer }) => {
  expect(await coffer(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 });
  // Opens its own list on a thread, and loads the keychain's module.
  const { stdout } = await coffer(['doctor', '--json']);
  expectSound(stdout);
});

test('runs no foreign code', async ({ coffer, home }) => {
  const code = join(home, 'other.cjs');
  writeFileSync(code, 'console.log("other")');
  const inModules = join(home, 'node_modules', 'keytar');
  mkdirSync(inModules, { recursive: true });
  writeFileSync(join(inModules, 'index.js'), 'console.log("other")');
  // There the command of a checkout keeps what V8 has compiled.
  mkdirSync(join(home, 'Coffer'), { mode: 0o700 });
  for (const words of [['--version'], ['ls']]) {
    const usual = await coffer(words);
    const env = { NODE_OPTIONS: `--require ${code}`, NODE_PATH: join(home, 'node_modules') };
    expect(await coffer(words, env)).toEqual(usual);
  }
  // Node itself would read these, wherever they stand.
  const { stdout } = await coffer(['--require', code]);
  expect(stdout).not.toContain('other');
  expect(readdirSync(join(home, 'Coffer'))).not.toContain('command-cache');
});

test('opens no debugger by NODE_OPTIONS, an option or SIGUSR1', async ({ coffer, packages, home }) => {
  expect(await coffer(['ls', '--inspect=0'])).toMatchObject({ code: 2, stdout: '' });
  // A service that never answers.
  const service = createServer();
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: home,
    COFFER_ADDRESS: `http://127.0.0.1:${port}`,
    COFFER_TOKEN: 'token',
    NODE_OPTIONS: '--inspect=0',
  };
  const connected = once(service, 'connection');
  const child = spawn(programOf(packages), ['check', 'a'], { cwd: home, env });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  await connected;
  // Node catches SIGUSR1 before it runs anything.
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  expect(BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGUSR1 - 1))).toBe(0n);
  expect(said).not.toContain('Debugger');
  child.kill('SIGKILL');
  await ended;
  service.close();
});

test('leaves no memory behind when it crashes', async ({ coffer, home }) => {
  const script = join(home, 'show');
  writeFileSync(script, '#!/bin/sh\ncat /proc/self/coredump_filter\n', { mode: 0o755 });
  const env = { COFFER_ADDRESS: 'http://localhost:1', COFFER_TOKEN: 'token' };
  expect((await coffer(['run', '--', script], env)).stdout).toBe('00000000\n');
});

test('starts within 1.3 times what its script needs @all', async ({ home }) => {
  test.setTimeout(300_000);
  // With V8's compiled code, which these checks otherwise leave out.
  await makeProgram(hostTarget(), join(home, 'whole'));
  // The script keeps its compile cache in the data folder.
  mkdirSync(join(home, 'Coffer'), { mode: 0o700 });
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, NODE_COMPILE_CACHE: '' };
  const measure = async (program: string, words: string[]) => {
    const begunMs = performance.now();
    await run(program, words, { env, cwd: home }).catch(() => undefined);
    return performance.now() - begunMs;
  };
  for (const words of [['--version'], ['ls']]) {
    const [own, script]: [number[], number[]] = [[], []];
    for (let round = 0; round < 12; round += 1) {
      own.push(await measure(join(home, 'whole', 'coffer'), words));
      script.push(await measure(join(root, 'bin', 'coffer'), words));
    }
    // The minimum is the time it needs; longer runs waited for the machine.
    expect(Math.min(...own), words.join(' ')).toBeLessThan(Math.min(...script) * 1.3);
  }
});

test('passes the transcripts of the command @all', async ({ packages }) => {
  test.setTimeout(600_000);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, CI: '1', COFFER_PROGRAM: programOf(packages) };
  const { stdout } = await run(process.execPath, [vitest, 'run', 'src/command/transcripts'], {
    cwd: root,
    env,
  });
  expect(stdout).toMatch(/Tests\s.*\d+ passed/);
});

test("the command's own archive is complete", async ({ packages: [linux], home }) => {
  const made = join(linux?.resources ?? '', '..', '..');
  await run('tar', ['-xzf', join(made, `coffer-command-${version}-linux-x64.tar.gz`), '-C', home]);
  const folder = join(home, `coffer-${version}`);
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  expect(inside).toEqual([
    'coffer',
    'coffer.1.gz',
    'completions',
    'completions/_coffer',
    'completions/coffer.bash',
    'completions/coffer.fish',
    'completions/coffer.ps1',
    'keytar.node',
    'licences.txt',
    'node-licence.txt',
  ]);
  expect((await run(join(folder, 'coffer'), ['--version'])).stdout).toBe(`${version}\n`);
  // In a container, without a keychain's library.
  rmSync(join(folder, 'keytar.node'));
  const env = { HOME: home, COFFER_ADDRESS: 'http://localhost:1', COFFER_TOKEN: 'token' };
  await expect(run(join(folder, 'coffer'), ['check', 'a', '--wait', '0'], { env })).rejects.toMatchObject({
    code: 5,
  });
});
