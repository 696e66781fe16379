import { expect, test } from 'vitest';
import { createTestClock } from '../../../test-support/main/test-ports.ts';
import { createGathering } from '../../../test-support/command/in-process.ts';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import { createOutput } from '../terminal/output.ts';
import { services } from './services.ts';

type Answer = [connection: Service['connection'], trouble?: AppError];

const away: AppError = { code: 'unreachable', host: 'h.test', reason: 'timeout' };

/** Runs the command with one service that gives these answers in turn, on a clock without delays. */
async function run(known: Service['connection'], checks: Answer[], waitMs: number | null) {
  const [stdout, stderr] = [createGathering(), createGathering()];
  const output = createOutput({ json: false, quiet: false, progress: false, stdout, stderr });
  const service = { id: 'a', name: 'Archive', baseAddress: 'https://h.test' };
  let checked = 0;
  const call = async (name: string) => {
    if (name === 'services.list')
      return { services: [{ ...service, connection: known, trouble: null }], activeId: 'a' };
    const [connection, trouble = null] = checks[Math.min(checked, checks.length - 1)] ?? ['checking'];
    checked += 1;
    return { ...service, connection, trouble };
  };
  const context = {
    io: { clock: createTestClock() },
    coffer: { call } as unknown as CofferClient,
    output,
    interrupted: new AbortController().signal,
    waitMs: waitMs ?? 0,
  } as unknown as Context;
  const code = await services({ asks: waitMs !== null })(context);
  await output.flushed();
  return { code, stdout: stdout.text(), checked };
}

test.each<[Service['connection'], string]>([
  ['checking', '* Archive  https://h.test\n'],
  ['ready', '* Archive  https://h.test  ready\n'],
  ['tokenRefused', '* Archive  https://h.test  token refused\n'],
  ['unreachable', '* Archive  https://h.test  not reached\n'],
])('what is known of it is said, and nothing else: %s', async (known, stdout) => {
  expect(await run(known, [], null)).toEqual({ code: 0, stdout, checked: 0 });
});

test('--wait checks until the service is ready', async () => {
  const checks: Answer[] = [['unreachable', away], ['unreachable', away], ['ready']];
  expect(await run('checking', checks, 60_000)).toMatchObject({ code: 0, checked: 3 });
  expect(await run('checking', checks, 0)).toMatchObject({ code: 5, checked: 1 });
});

test.each<[Answer, number]>([
  [['tokenRefused', { code: 'tokenRefused', status: 401 }], 4],
  [['tokenMissing', { code: 'tokenMissing' }], 4],
  [['unreachable', { code: 'clientCertificateRefused', host: 'h.test', reason: 'missing' }], 1],
])('--wait does not wait for what does not pass: %j', async (answer, code) => {
  expect(await run('checking', [answer], 60_000)).toMatchObject({ code, checked: 1 });
});
