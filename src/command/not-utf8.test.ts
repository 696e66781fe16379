import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBuildMachine } from '../../test-support/command/build-machine.ts';
import { openWorld } from '../../test-support/command/command-world.ts';
import { runInPipe } from '../../test-support/command/run-command.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Runs lines of shell with real processes: Node decodes their arguments and environment. */
async function openShell() {
  const { files, env, service } = await openWorld({ with: 'memory' });
  const { signal } = new AbortController();
  return { files, service, sh: (line: string) => runInPipe(line, { cwd: files, env, signal }) };
}

describe.skipIf(process.platform !== 'linux')('bytes that Node decodes', () => {
  test('refuses them in the environment of a program, with the name of the variable', async () => {
    const { files, sh } = await openShell();
    const run = 'coffer run -- sh -c \'printf %s "$CAFE"\'';
    expect(await sh(`CAFE="$(printf 'caf\\351')" ${run}`)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: CAFE: this variable is not UTF-8, and the program would get other bytes. Leave it out: env -u CAFE coffer run …\n',
    });
    // A character that stands for itself, and a variable that a file sets.
    expect(await sh(`CAFE="$(printf '\\357\\277\\275')" ${run}`)).toMatchObject({
      code: 0,
      stdout: '\uFFFD',
    });
    writeFileSync(join(files, '.env'), 'CAFE=café');
    const fromFile = run.replace('run', 'run --env-file .env');
    expect(await sh(`CAFE="$(printf 'caf\\351')" ${fromFile}`)).toMatchObject({ code: 0, stdout: 'café' });
  });

  test.each([
    ['run -- printf %s', 5],
    ['put', 2],
  ])('refuses them in an argument of %s, with its number', async (words, number) => {
    const { sh } = await openShell();
    expect(await sh(`coffer ${words} "$(printf 'caf\\351')"`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: Argument ${String(number)} (“caf\uFFFD”) is not UTF-8, and would be taken for another. Rename the file, or store it with: coffer put - --as IDENTIFIER < FILE\n`,
    });
  });

  test('takes them for no token', async () => {
    const { files, env } = await openWorld({ with: 'app' });
    const { signal } = new AbortController();
    const line = "printf 'caf\\351' | coffer service token";
    expect(await runInPipe(line, { cwd: files, env, signal })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: Standard input is not UTF-8. Send it as UTF-8.\n',
    });
  });

  test('an argument may have the character that stands for them', async () => {
    const { sh } = await openShell();
    expect(await sh('coffer run -- printf %s "\uFFFD"')).toMatchObject({ code: 0, stdout: '\uFFFD' });
  });
});

test('inject changes no byte of a template', async () => {
  const { run, ...machine } = await openBuildMachine();
  const template = Buffer.from(Array.from({ length: 512 }, (_, n) => n % 256));
  writeFileSync(join(run.cwd, 'template'), template);
  expect(await machine.coffer(['inject', '-i', 'template', '-o', 'out'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(run.cwd, 'out'))).toEqual(template);
});

test.each([
  [
    'latin1',
    latin1('a\n{{ coffer://S/secret/caf\xe9 }}'),
    'template, line 2: the reference has bytes that are not UTF-8.',
  ],
  [
    'utf16',
    Buffer.from('\uFEFFa: {{ coffer://S/secret/x }}', 'utf16le'),
    'template, line 1: the file is UTF-16,',
  ],
  [
    'utf16be',
    Buffer.from('a: {{ coffer://S/secret/x }}', 'utf16le').swap16(),
    'template, line 1: the file is UTF-16,',
  ],
])('inject refuses a reference that it would not find: %s', async (_, template, why) => {
  const { run, ...machine } = await openBuildMachine();
  writeFileSync(join(run.cwd, 'template'), template);
  const { code, stdout, stderr } = await machine.coffer(['inject', '-i', 'template', '-o', '-']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(why);
});

test.each([
  ['latin1', latin1('A=1\nB=caf\xe9\n'), 'Error: .env, line 2: is not UTF-8. Save the file as UTF-8.\n'],
  [
    'a NUL',
    Buffer.from('A=1\nB=\0\n'),
    '.env, line 2: has a NUL character, which no variable can hold. Remove it.\n',
  ],
])('run refuses an env file with %s', async (_, file, why) => {
  const { run, ...machine } = await openBuildMachine();
  writeFileSync(join(run.cwd, '.env'), file);
  const { code, stderr } = await machine.coffer(['run', '--env-file', '.env', '--', 'touch', 'done']);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
  expect(() => readFileSync(join(run.cwd, 'done'))).toThrow('ENOENT');
});

test.skipIf(process.platform === 'win32')('an env file may be UTF-16 with a byte order mark', async () => {
  const { run, ...machine } = await openBuildMachine();
  writeFileSync(join(run.cwd, '.env'), Buffer.from('\uFEFFA=é\r\n', 'utf16le'));
  const words = ['run', '--env-file', '.env', '--', 'sh', '-c', 'printf %s "$A" > out'];
  expect(await machine.coffer(words)).toMatchObject({ code: 0 });
  expect(readFileSync(join(run.cwd, 'out'), 'utf8')).toBe('é');
});
