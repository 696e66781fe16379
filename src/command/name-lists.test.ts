import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultServer } from '../../e2e/faults/fault-server.ts';
import { openBuildMachine } from '../../test-support/command/build-machine.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Without the question whether the service is there, which each command asks as it opens. */
const requestsOf = ({ requests }: FaultServer) =>
  requests.filter(({ identifier }) => !identifier.startsWith('coffer-probe-'));

/** A list that is refused, with what is said of it. */
const refused: readonly (readonly [string, Buffer, readonly string[], string])[] = [
  ['UTF-16 without a byte order mark', utf16('a.txt\n'), [], 'names looks like UTF-16. Save it as UTF-8'],
  ['the same with --null', utf16('a.txt\n'), ['-0'], 'names looks like UTF-16. Save it as UTF-8'],
  ['UTF-16BE with --null', utf16('a.txt\n').swap16(), ['--null'], 'names looks like UTF-16.'],
  [
    'names that end with NUL',
    Buffer.from('a\0other.txt\0'),
    [],
    'names, line 1: has a NUL character. Add --null',
  ],
  ['one NUL', Buffer.from('a\nother.txt\0\n.\n'), [], 'names, line 2: has a NUL character.'],
  ['an empty name', Buffer.from('a\0\0'), ['-0'], 'names, name 2: is empty.'],
  [
    'lines with --null',
    Buffer.from('a\nother.txt\n'),
    ['-0'],
    'names has no NUL characters, only lines. Leave out --null.',
  ],
  ['Windows-1252', Buffer.from('a\ncaf\xe9\n', 'latin1'), [], 'names, line 2: is not UTF-8.'],
  [
    'half a UTF-16',
    Buffer.concat([utf16('\uFEFFa\n'), Buffer.from('b')]),
    [],
    'names, line 2: is not UTF-16.',
  ],
  ...['.', '..', '/', './', '../..', '*', '**', '**/*', '//'].map(
    (name) =>
      [name, Buffer.from(`a\n\n${name}\n`), [], `names, line 3: “${name}” means everything there.`] as const,
  ),
];

test.each(refused)('put and rm do nothing with %s', async (_, list, options, why) => {
  const machine = await openBuildMachine('a', 't', 'x', '.ssh');
  const { service, run } = machine;
  writeFileSync(join(run.cwd, 'names'), list);
  const commands = [
    ['put', '--if-exists', 'replace'],
    ['rm', '--yes'],
    ...(list === refused[0]?.[1] ? [['put', '--dry-run'], ['get'], ['check']] : []),
  ];
  for (const words of commands) {
    const ended = await machine.coffer([...words, '--files-from', 'names', ...options]);
    expect(ended.stderr).toContain(`Error: ${why}`);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
  }
  expect(requestsOf(machine.service)).toEqual([]);
  expect([...service.objects.keys()]).toEqual(['a', 't', 'x', '.ssh']);
});

test.each<[string, Buffer, ...string[]]>([
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFä.txt\r\n\r\nb b.txt')],
  ['UTF-16LE', utf16('\uFEFFä.txt\r\nb b.txt\r\n')],
  ['UTF-16BE', utf16('\uFEFFä.txt\nb b.txt\n').swap16()],
  ['NUL', Buffer.from('ä.txt\0b b.txt\0'), '-0'],
  ['NUL, without the last one', Buffer.from('ä.txt\0b b.txt'), '--null'],
])('%s is read', async (_, list, ...options) => {
  const machine = await openBuildMachine();
  const { service, run } = machine;
  for (const name of ['ä.txt', 'b b.txt']) writeFileSync(join(run.cwd, name), name);
  writeFileSync(join(run.cwd, 'names'), list);
  const words = ['--files-from', 'names', ...options];
  expect(await machine.coffer(['put', ...words])).toMatchObject({ code: 0 });
  expect([...service.objects.keys()].toSorted()).toEqual(['b b.txt', 'ä.txt']);
  expect(await machine.coffer(['rm', '--yes', ...words])).toMatchObject({ code: 0 });
  expect([...service.objects.keys()]).toEqual([]);
});

test('refuses --null without a list', async () => {
  const machine = await openBuildMachine('a');
  expect(await machine.coffer(['rm', '--yes', '-0', 'a'])).toMatchObject({
    code: 2,
    stderr: 'Error: --null is for a list of names: give one with --files-from.\n',
  });
  expect(requestsOf(machine.service)).toEqual([]);
});
