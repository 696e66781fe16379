import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { CommandIo } from '../terminal/io.ts';
import { readValue } from './value.ts';

/** Standard input in pieces. */
const piped = (...pieces: (string | Buffer)[]) => {
  const stdin = new PassThrough();
  for (const piece of pieces) stdin.write(piece);
  return { stdin: stdin.end() } as unknown as CommandIo;
};

test.each<[given: (string | Buffer)[], stored: string | Buffer, hadLineEnd: boolean]>([
  [['hunter2\n'], 'hunter2', true],
  [['hunter2\r', '\n'], 'hunter2', true],
  [['hunter2'], 'hunter2', false],
  [['first\nsecond\n'], 'first\nsecond\n', false],
  [['hunter2\n\n'], 'hunter2\n\n', false],
  [[Buffer.from([0xff, 0x00, 0xfe])], Buffer.from([0xff, 0x00, 0xfe]), false],
])('of %j a single line loses its end, and all else stays', async (given, stored, hadLineEnd) => {
  expect(await readValue(piped(...given), 'a')).toEqual({ value: Buffer.from(stored), hadLineEnd });
});
