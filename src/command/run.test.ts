import { readdirSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorld } from '../../test-support/command/command-world.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { startInPipe } from '../../test-support/command/start-command.ts';
import { runInPipe } from '../../test-support/command/run-command.ts';

const hidden = '<hidden by coffer>';

/** A build machine whose environment has a secret, and a temporary folder of its own. */
async function open() {
  const world = await openWorld({ with: 'memory' });
  const cwd = world.files;
  const temporary = join(cwd, 'temporary');
  mkdirSync(temporary);
  const env: NodeJS.ProcessEnv = { ...world.env, TMPDIR: temporary };
  const store = startInMemory(['secret', 'new', 'pw'], { cwd, env });
  store.end('the value');
  expect(await store.ended).toBe(0);
  env['PW'] = 'coffer://Any/secret/pw';
  const { signal } = new AbortController();
  return {
    run: async (...words: string[]) => {
      const running = startInPipe(['run', '--', ...words], { cwd, env });
      const code = await running.ended;
      return { code, stdout: running.stdout(), stderr: running.stderr() };
    },
    bash: (line: string) => runInPipe(`bash -c '${line}'`, { cwd, env, signal }),
    left: () => readdirSync(temporary),
  };
}

describe.skipIf(process.platform === 'win32')('a program with masked output', () => {
  test('opens /dev/stdout and /dev/stderr, and nothing of the pipes is left', async () => {
    const { run, left } = await open();
    const script = 'echo "1 $PW" > /dev/stdout; echo "2 $PW" | tee /dev/stderr; echo "3 $PW" > /dev/fd/1';
    expect(await run('sh', '-c', script)).toEqual({
      code: 0,
      stdout: `1 ${hidden}\n2 ${hidden}\n3 ${hidden}\n`,
      stderr: `2 ${hidden}\n`,
    });
    expect(left()).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'ends by SIGPIPE when its reader has closed, as in a shell',
    async () => {
      const { run, bash } = await open();
      expect((await run('grep', 'SigIgn', '/proc/self/status')).stdout).toMatch(/^SigIgn:\s+0+\n$/);
      const { stdout, code } = await bash(
        'coffer run -- sh -c "yes \\$PW" | head -n 1; exit ${PIPESTATUS[0]}',
      );
      expect({ stdout, code }).toEqual({ stdout: `${hidden}\n`, code: 141 });
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'does not say that it has succeeded if its output was lost',
    async () => {
      const { bash } = await open();
      expect(await bash('coffer run -- echo much > /dev/full')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^Error: Standard output cannot be written \(ENOSPC\): [^\n]*\n$/),
      });
      expect((await bash('coffer run -- sh -c "echo much >&2" 2> /dev/full')).code).toBe(1);
    },
  );
});

describe.skipIf(process.platform !== 'linux')('a program that cannot be started', () => {
  test.each([
    ['no-such-program', 127, /there is no such program/],
    ['./a.txt', 126, /you may not run it/],
    // One variable can have 128 KiB.
    ['true', 126, /^true cannot be started: .*\(20\d KB\).*\(E2BIG\)\. The longest variable is LONG\. /],
  ])('%s', async (program, code, why) => {
    const { files: cwd, env } = await openWorld({ with: 'memory' });
    const run = startInMemory(['run', '--', program], {
      cwd,
      env: { ...env, ...(program === 'true' && { LONG: 'x'.repeat(200_000) }) },
    });
    run.end();
    expect(await run.ended).toBe(code);
    expect(run.stderr()).toMatch(why);
  });
});
