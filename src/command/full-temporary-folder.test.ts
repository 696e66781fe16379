import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../test-support/command/command-world.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { runInPipe } from '../../test-support/command/run-command.ts';

test.skipIf(process.platform !== 'linux')(
  'names a full temporary folder and what is needed, and leaves nothing in it',
  async ({ skip }) => {
    if (spawnSync('unshare', ['-m', 'true']).status !== 0) return skip('no file system can be mounted here');
    const { files, env } = await openWorld({ with: 'memory' });
    const folder = join(files, 'small');
    mkdirSync(folder);
    writeFileSync(join(files, 'large'), Buffer.alloc(3_000_000));
    const { signal } = new AbortController();
    const run = (size: string, line: string) =>
      runInPipe(
        `unshare -m sh -c 'mount -t tmpfs -o size=${size} tmpfs ${folder}; ${line}; code=$?; ls -A ${folder}; exit $code'`,
        { cwd: files, env: { ...env, TMPDIR: folder }, signal },
      );
    const said = (needed: string) => ({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        `^Error: There is not enough space in ${folder} for the working files of this command: ${needed} are needed, and [^ ]+ .B are free\\. .*TMPDIR.*\n$`,
      ),
    });
    expect(await run('300k', 'coffer put large')).toEqual(said('1.0 MB'));
    expect(await run('2m', 'cat large | coffer put - --as x')).toEqual(said('more than 1.\\d MB'));
    const put = startInMemory(['put', 'large'], { cwd: files, env });
    put.end();
    expect(await put.ended).toBe(0);
    expect(await run('2m', 'coffer get large -o -')).toEqual(said('3.0 MB'));
  },
);
