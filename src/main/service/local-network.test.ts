import type * as os from 'node:os';
import type * as undici from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestClient, errorOf } from '../../../test-support/main/service/test-server.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { problemOf } from '../team/wire/answering.ts';

const network = vi.hoisted(() => ({ failure: new Error('none') }));
vi.mock('undici', async (importActual) => ({
  ...(await importActual<typeof undici>()),
  buildConnector: () => (_options: unknown, done: (failure: Error, socket: null) => void) =>
    done(network.failure, null),
}));
vi.mock('node:os', async (importActual) => ({
  ...(await importActual<typeof os>()),
  networkInterfaces: () => ({
    lo0: [{ internal: true, family: 'IPv4', cidr: '127.0.0.1/8' }],
    en0: [
      { internal: false, family: 'IPv4', cidr: '192.168.7.23/24' },
      { internal: false, family: 'IPv6', cidr: 'fe80::1c2a/64' },
    ],
    // A tunnel, whose address has no subnet.
    utun0: [{ internal: false, family: 'IPv4', cidr: '10.8.0.2/32' }],
  }),
}));

const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
const runOn = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value });
beforeEach(() => void runOn('darwin'));
afterEach(() => void Object.defineProperty(process, 'platform', platform));

const failureOf = (address: string, code = 'EHOSTUNREACH') =>
  Object.assign(new Error(`connect ${code} ${address}:443`), { code, address });

const severalFailures = (...failures: ReturnType<typeof failureOf>[]) =>
  Object.assign(new AggregateError(failures), { code: failures[0]?.code });

async function reasonOf(failure: Error): Promise<string | undefined> {
  network.failure = failure;
  const error = await errorOf(createTestClient('https://objects.test').headData('a'));
  return error.code === 'unreachable' ? error.reason : undefined;
}

test.each([
  ['in the same subnet', failureOf('192.168.7.80')],
  ['by a link-local address', failureOf('fe80::99%en0')],
  [
    'one of whose addresses is',
    severalFailures(failureOf('2001:db8::1', 'ENETUNREACH'), failureOf('192.168.7.80')),
  ],
])('macOS may keep Coffer out of the local network: a host %s', async (_name, failure) => {
  expect(await reasonOf(failure)).toBe('localNetwork');
  expect(problemOf(failure)).toMatchObject({ why: 'localNetwork' });
});

test.each([
  ['another subnet', failureOf('192.168.8.80')],
  ['behind a tunnel', failureOf('10.8.0.1')],
  ['without any network', failureOf('192.168.7.80', 'ENETUNREACH')],
])('%s is what it was', async (_name, failure) => {
  expect(await reasonOf(failure)).toBe('offline');
  expect(problemOf(failure)).toMatchObject({ why: 'unreachable' });
});

test('other systems ask nobody about the local network', async () => {
  runOn('linux');
  expect(await reasonOf(failureOf('192.168.7.80'))).toBe('offline');
  expect(problemOf(failureOf('192.168.7.80'))).toMatchObject({ why: 'unreachable' });
});

test('tells the person where to allow it', () => {
  const host = 'objects.test';
  expect(errorText({ code: 'unreachable', host, reason: 'localNetwork' }).next).toContain('Local Network');
});
