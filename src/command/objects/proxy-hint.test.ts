import { expect, test } from 'vitest';
import type { AppError } from '../../shared/errors.ts';
import type { Context, DoneBy } from '../context.ts';
import { errorLineWithProxy } from './task-end.ts';

const hint = 'HTTPS_PROXY';
const unreachable = (host: string): AppError => ({ code: 'unreachable', host, reason: 'timeout' });
const say = (error: AppError, env: NodeJS.ProcessEnv = {}, doneBy: DoneBy = 'thisCommand') =>
  errorLineWithProxy(error, { doneBy, io: { env } } as unknown as Context);

test('hints at a proxy that only the app knows if a service is unreachable without the app', () => {
  expect(say(unreachable('objects.example.org'))).toContain(hint);
  expect(say(unreachable('objects.example.org'), { NO_PROXY: 'example.org', HTTPS_PROXY: 'p:1' })).toContain(
    hint,
  );
});

test.each<[string, AppError, NodeJS.ProcessEnv, DoneBy]>([
  [
    'a proxy is named',
    unreachable('objects.example.org'),
    { HTTPS_PROXY: 'http://proxy:3128' },
    'thisCommand',
  ],
  ['the app looked for one', unreachable('objects.example.org'), {}, 'app'],
  ['it is this computer', unreachable('localhost:8080'), {}, 'thisCommand'],
  ['it is another error', { code: 'tokenMissing' }, {}, 'thisCommand'],
])('no word about proxies if %s', (_why, error, env, doneBy) => {
  expect(say(error, env, doneBy)).not.toContain(hint);
});
