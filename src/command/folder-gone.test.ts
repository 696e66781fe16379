import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../test-support/command/command-world.ts';
import { runInPipe } from '../../test-support/command/run-command.ts';

test.skipIf(process.platform === 'win32')(
  'a current folder that was deleted is an error only where it is needed',
  async () => {
    const { files, env } = await openWorld({ with: 'memory' });
    const { signal } = new AbortController();
    const run = async (words: string) => {
      mkdirSync(join(files, 'gone'));
      const line = `cd gone; rmdir ../gone; coffer ${words}`;
      const ran = await runInPipe(line, { cwd: files, env, signal });
      // The shell says so too.
      return { ...ran, stderr: ran.stderr.replaceAll(/^.*getcwd.*\n/gm, '') };
    };
    expect(await run(`put ${files}/a.txt`)).toEqual({ code: 0, stdout: 'a.txt: stored\n', stderr: '' });
    const refused = (path: string) => ({
      code: 3,
      stdout: '',
      stderr: `Error: The current folder has been deleted, and “${path}” is relative to it. Change to a folder that exists, or give an absolute path.\n`,
    });
    expect(await run('put b.txt')).toEqual(refused('b.txt'));
    expect(await run('run -- touch made')).toEqual(refused('.'));
  },
);
