import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  commandScript,
  ownProgram,
  openWorld,
  type World,
} from '../../test-support/command/command-world.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';

/** Where `ulimit -f` lets files become this long, a write that crosses it is cut short before the next one fails. */
const limitBytes = 1024;

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs a line of bash whose files have at most `limitBytes`. */
async function runLimited({ files, env }: World, line: string): Promise<Ended> {
  const limited = `ulimit -f ${String(limitBytes / 1024)}; ${line}`;
  const child = spawn('bash', ['-c', limited], { cwd: files, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

const cutShort =
  'Error: Standard output cannot be written (EFBIG): the file is as large as “ulimit -f” or its disk allows. What was written is incomplete. Raise the limit, or write elsewhere, then try again.\n';

test.skipIf(process.platform !== 'linux' || ownProgram !== undefined)(
  'output that a file cannot hold is an error, however much of it was written',
  async () => {
    const world = await openWorld({ with: 'app' });
    const { files, env } = world;
    const names = Array.from({ length: 40 }, (_, at) => `${'long'.repeat(10)}-${String(at)}.txt`);
    for (const name of names) writeFileSync(join(files, name), name);
    writeFileSync(join(files, 'large'), Buffer.alloc(limitBytes + 1000, 'x'));
    const put = startInMemory(['put', 'large', ...names, '--quiet'], { cwd: files, env });
    put.end();
    expect(await put.ended).toBe(0);
    for (const line of ['get large -o -', 'ls --json', 'export -', 'transfers --json', 'doctor --report -']) {
      expect([line, await runLimited(world, `coffer ${line} > out`)]).toEqual([
        line,
        { code: 1, stderr: cutShort },
      ]);
      // What fits was written, and nothing twice.
      expect(statSync(join(files, 'out')).size).toBe(limitBytes);
    }
    expect(readFileSync(join(files, 'out')).length).toBe(limitBytes);
    expect(await runLimited(world, 'coffer ls > /dev/full')).toEqual({
      code: 1,
      stderr:
        'Error: Standard output cannot be written (ENOSPC): the disk is full. What was written is incomplete. Free some space, or write elsewhere, then try again.\n',
    });
    expect(await runLimited(world, 'coffer services > fits')).toEqual({ code: 0, stderr: '' });
  },
);

test.skipIf(process.platform === 'win32')(
  'a closed standard output takes nothing without an error',
  async () => {
    const folder = await makeTestFolder();
    const root = join(import.meta.dirname, '..', '..');
    for (const each of ['bin', 'out/main']) mkdirSync(join(folder, each), { recursive: true });
    cpSync(join(root, 'bin', 'coffer'), join(folder, 'bin', 'coffer'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'out/main/command.js'), `import ${JSON.stringify(commandScript)};`);
    const env = { ...process.env, COFFER_NODE: process.execPath, HOME: folder };
    const run = (line: string) =>
      spawnSync('sh', ['-c', `bin/coffer ${line}`], { cwd: folder, env, encoding: 'utf8' });
    expect(run('version >&-')).toMatchObject({
      status: 1,
      stderr:
        'Error: Standard output cannot be written (EBADF): it is not open for writing. Send it to a file or to a program.\n',
    });
    expect(run('version > /dev/null')).toMatchObject({ status: 0, stderr: '' });
  },
);
