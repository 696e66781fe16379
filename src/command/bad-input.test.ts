import { execFile, spawnSync } from 'node:child_process';
import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorld, type World } from '../../test-support/command/command-world.ts';
import { openNowhere, startInMemory } from '../../test-support/command/in-process.ts';
import { runInPipe } from '../../test-support/command/run-command.ts';
import type { Ended } from '../../test-support/command/process-world.ts';

const isLinux = process.platform === 'linux';

async function coffer({ files, env }: Pick<World, 'files' | 'env'>, ...words: string[]): Promise<Ended> {
  const running = startInMemory(words, { cwd: files, env });
  running.end();
  const code = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

describe('empty values are refused before anything is opened', () => {
  test.each([
    [['put', ''], '<files>'],
    [['put', 'a.txt', '', '--to', 'backup'], '<files>'],
    [['put', 'a.txt', '--to', ''], '--to'],
    [['put', 'a.txt', '--as', ''], '--as'],
    [['get', 'x', '-o', ''], '--output'],
    [['get', ''], '<identifiers>'],
    [['rm', '--yes', 'a', ''], '<identifiers>'],
    [['ls', ''], '<query>'],
    [['secret', 'get', ''], '<identifier>'],
    [['inject', '-i', '', '-o', 'out'], '--input'],
    [['run', ''], '<command>'],
    [['run', '--env-file', '', '--', 'true'], '--env-file'],
    [['ls', '--user-data-dir', ''], '--user-data-dir'],
    [['--service', '', 'ls'], '--service'],
    [['service', 'add', 'Name', ''], '<address>'],
    [['export', ''], '<file>'],
    [['doctor', '--remove-parts', ''], '--remove-parts'],
  ])('%j', async (words, name) => {
    expect(await coffer(await openNowhere(), ...words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: ${name} is empty. If a variable was to fill it in, check that it is set.\n`,
    });
  });

  test.skipIf(!isLinux)(
    'but a program gets its empty arguments, and an empty classification is the default',
    async () => {
      const world = await openWorld({ with: 'memory' });
      const run = await coffer(world, 'run', '--', 'sh', '-c', 'test $# = 2 && test -z "$1"', 'sh', '', 'x');
      expect(run.code).toBe(0);
      expect((await coffer(world, 'put', 'a.txt', '--classification', '')).code).toBe(0);
    },
  );
});

describe('filters', () => {
  test.each([
    ['class:', 'would find everything'],
    ['reports class:', 'would find everything'],
    ['state:mising', 'Possible are '],
    ['kind:film', 'Possible are document'],
    ['size:big', 'size:>1mb'],
    ['after:soon', 'after:2025'],
    ['a -size:1', 'a minus excludes only'],
    ['clas:Secret', 'Filters are class:'],
  ])('refuses %s', async (query, words) => {
    const { code, stdout, stderr } = await coffer(await openNowhere(), 'ls', query);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});

describe.skipIf(!isLinux)('put -', () => {
  function put({ files, env }: World, source: string) {
    const { signal } = new AbortController();
    return runInPipe(`coffer put - --as x <${source}`, { cwd: files, env, signal });
  }

  test('refuses a folder, and a file that ends before its length; reads the rest of a file that the shell has read from', async () => {
    const world = await openWorld({ with: 'app' });
    expect(await put(world, '.')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: Standard input is a folder. Give its path instead of “-”.\n',
    });
    // The kernel reports a page (4,096 bytes) as the length of these files.
    const short = await put(world, '/sys/kernel/mm/transparent_hugepage/enabled');
    expect(short.code).toBe(1);
    expect(short.stderr).toMatch(/ended after \d+ of 4,096 bytes, and nothing was stored/);
    writeFileSync(join(world.files, 'lines'), 'first\nsecond\n');
    const { signal } = new AbortController();
    const line = '(read first; coffer put - --as x) < lines';
    expect(await runInPipe(line, { cwd: world.files, env: world.env, signal })).toMatchObject({ code: 0 });
    expect((await coffer(world, 'get', 'x', '-o', '-')).stdout).toBe('second\n');
  });

  test('refuses a closed input, which Node would take for an empty one', async () => {
    const world = await openWorld({ with: 'app' });
    const closed = {
      code: 2,
      stdout: '',
      stderr:
        'Error: Standard input is closed, or connected to nothing. Send the bytes, or name a file instead of “-”. “< /dev/null” sends none.\n',
    };
    expect(await put(world, '&-')).toEqual(closed);
    expect((await coffer(world, 'ls')).stdout).toBe('');
    expect(await put(world, '/dev/null')).toMatchObject({ code: 0, stdout: 'x: stored\n' });
  });

  test('reads a block device', async ({ skip }) => {
    const world = await openWorld({ with: 'app' });
    const image = join(world.files, 'image');
    writeFileSync(image, 'block'.repeat(1024));
    const { stdout, status } = spawnSync('losetup', ['--find', '--show', image], { encoding: 'utf8' });
    const device = stdout?.trim() ?? '';
    if (status !== 0) return skip('a block device cannot be made here');
    onTestFinished(() => void spawnSync('losetup', ['--detach', device]));
    expect(await put(world, device)).toMatchObject({ code: 0, stdout: 'x: stored\n' });
    expect((await coffer(world, 'get', 'x', '-o', '-')).stdout).toBe('block'.repeat(1024));
  });
});

describe.skipIf(!isLinux)('writes into a FIFO as output, and does not replace it', () => {
  test.each([
    [['get', 'a.txt'], 'hello\n', 'a.txt: saved as pipe\n'],
    [['get', 'a.txt', '--force'], 'hello\n', 'a.txt: saved as pipe\n'],
    [['inject', '-i', 'b.txt', '--force'], 'world\n', 'pipe: written, 0 secrets in it\n'],
  ])('%j', async (words, content, said) => {
    const world = await openWorld({ with: 'memory' });
    const pipe = join(world.files, 'pipe');
    spawnSync('mkfifo', [pipe]);
    await coffer(world, 'put', 'a.txt');
    const read = promisify(execFile)('cat', [pipe]);
    expect(await coffer(world, ...words, '-o', 'pipe')).toEqual({ code: 0, stdout: said, stderr: '' });
    expect((await read).stdout).toBe(content);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});

test('check counts objects that are not in the list', async () => {
  const world = await openWorld({ with: 'app' });
  await coffer(world, 'put', 'a.txt');
  expect((await coffer(world, 'check', 'a.txt', 'b.txt')).stderr).toContain(
    '1 is there, 0 are missing, 0 not answered, 1 not in the list\n',
  );
});

describe.skipIf(!isLinux)('system errors are reported in words', () => {
  async function run(line: string): Promise<Awaited<ReturnType<typeof runInPipe>>> {
    const world = await openWorld({ with: 'none' });
    const { signal } = new AbortController();
    return runInPipe(line, { cwd: world.files, env: world.env, signal });
  }

  async function intoFull(line: string) {
    const { code, stderr } = await run(`${line} > /dev/full`);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'Error: Standard output cannot be written (ENOSPC): the disk is full. What was written is incomplete. Free some space, or write elsewhere, then try again.\n',
    );
  }
  test.each(['coffer completion bash'])('standard output of %s is full', intoFull);
  test.each(['coffer --help', 'coffer version --json', 'coffer doctor'])(
    'standard output of %s is full',
    { tags: 'all' },
    intoFull,
  );

  test('standard error is closed', async () => {
    expect((await run("coffer put '' 2>&-")).code).toBe(2);
  });

  test('the path of the data folder is too long for a socket', async () => {
    const world = await openWorld({ with: 'none' });
    const folder = 'x'.repeat(120);
    expect(await coffer(world, 'services', '--user-data-dir', folder, '--json')).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('the data folder cannot be created', async () => {
    const world = await openWorld({ with: 'none' });
    const { code, stdout, stderr } = await coffer(world, 'services', '--user-data-dir', 'a.txt/x');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Error: .*a\.txt\/x.* failed \(ENOTDIR\)\. “coffer doctor” checks what commands need\.\n$/,
    );
  });
});

test('control and bidi characters in a name do not affect the line', async () => {
  const world = await openWorld({ with: 'app' });
  const name = 'a\nb\u009b2J\u202egpj\u2029';
  const shown = 'a\uFFFDb\uFFFD2J\uFFFDgpj\uFFFD';
  await coffer(world, 'put', 'a.txt', '--as', 'plain');
  const { stdout: list } = await coffer(world, 'export', '-', '--format', 'jsonl');
  const line = list.trim().split('\n').at(-1) ?? '';
  const hostile = line.replace('"plain"', JSON.stringify(name));
  writeFileSync(join(world.files, 'list.jsonl'), `${list.split('\n')[0] ?? ''}\n${hostile}\n`);
  expect(await coffer(world, 'import', 'list.jsonl')).toMatchObject({ code: 0 });
  const said = await coffer(world, 'ls');
  expect(said.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`  ${shown}$`)),
    expect.stringMatching(/ {2}plain$/),
  ]);
  expect((await coffer(world, 'info', name)).stdout).toContain(`identifier: ${shown}\n`);
  const absent = await coffer(world, 'info', `${name} absent`);
  expect(absent.stderr).toMatch(new RegExp(`^${shown} absent: [^\n]*\n$`));
  const { stdout: json } = await coffer(world, 'ls', '--json');
  // oxlint-disable-next-line no-control-regex
  expect(json).toMatch(/^[\u0020-\u007e\n]*$/);
  expect(
    json
      .trim()
      .split('\n')
      .map((each) => (JSON.parse(each) as { identifier: string }).identifier),
  ).toEqual([name, 'plain']);
});
