import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

test('writes the file whole and reads it back; takes a broken one for none', async () => {
  const path = join(await makeTestFolder(), 'window.json');
  expect(readJsonFile(path)).toBeUndefined();
  writeJsonFile(path, { a: 1 });
  expect(readJsonFile(path)).toEqual({ a: 1 });
  expect(modeOf(path)).toBe(modeHere(0o600));
  writeFileSync(path, '{"bounds":');
  expect(readJsonFile(path)).toBeUndefined();
});
