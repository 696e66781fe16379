import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeFolder } from '../../test-support/local-service/test-service.ts';
import { explainFailure, readArguments } from './arguments.ts';

const refusalOf = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  readArguments(args, env).then(() => null, explainFailure);

test.each([
  [[], '--data DIR is missing'],
  [['--data', 'x', '--port', '70000'], '--port must be a whole number from 0 to 65535'],
  [['--data', 'x', '--rate-per-s', 'many'], '--rate-per-s must be a whole number'],
  [['--data', 'x', '--window', 'open'], '--window must be fixed or sliding'],
  [['--data', 'x', '--token', 'my-token'], "Unknown option '--token'"],
  [['--data', 'x', '--token=my-token'], "Unknown option '--token'"],
  [['--data', 'x', '--token-file', '/nowhere/token'], 'The token file cannot be read'],
  [['--data', 'x', 'my-token'], 'a value that belongs to no option'],
])('refuses %j in words', async (args, words) => {
  const refusal = await refusalOf(args);
  expect(refusal).toContain(words);
  expect(refusal).not.toMatch(/my-token|\n {4}at /);
});

test('a token from the file and from the environment is one too many', async () => {
  const file = join(await makeFolder(), 'token');
  await writeFile(file, 'a-token');
  expect(await refusalOf(['--data', 'x', '--token-file', file], { COFFER_TOKEN: 'a-token' })).toContain(
    'The token is given twice',
  );
});
