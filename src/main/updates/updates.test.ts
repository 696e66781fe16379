import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { expect, it, onTestFinished, test } from 'vitest';
import type { Documents } from '../database/documents.ts';
import { serve, serveTls } from '../../../test-support/main/service/test-server.ts';
import {
  createTestLog,
  createTestPublisher,
  openTestDatabase,
} from '../../../test-support/main/test-ports.ts';
import { createVirtualClock, type VirtualClock } from '../../../test-support/main/transfers/virtual-clock.ts';
import { createUpdates, isNewer } from './updates.ts';
import { eventually } from '../../../test-support/eventually.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const fixture = (name: string) =>
  readFileSync(new URL(`../service/fixtures/${name}.pem`, import.meta.url), 'utf8');

/** An https server for versions that records its requests. */
async function serveVersion(
  respond: RequestListener = (_request, response) => response.end(version('1.3.0')),
) {
  const requests: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[] =
    [];
  const { port } = await serveTls(fixture('trusted'), (request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers });
    respond(request, response);
  });
  return { requests, address: `https://127.0.0.1:${port}/coffer/newest.json?channel=stable` };
}

/** Advances the virtual clock while real requests take real time. */
const inTime = (clock: VirtualClock, check: () => void) =>
  eventually(async () => {
    await clock.advance(hourMs);
    check();
  });

const version = (text: string) => JSON.stringify({ version: text });

async function open(
  address: string | null,
  { isWanted = true, documents: given }: { isWanted?: boolean; documents?: Documents } = {},
) {
  const documents = given ?? (await openTestDatabase()).documents;
  const clock = createVirtualClock();
  const log = createTestLog();
  const publisher = createTestPublisher();
  const opened: string[] = [];
  const wanted = { now: isWanted };
  const updates = await createUpdates({
    source: address === null ? null : { address, releasePage: 'https://coffer.invalid/releases' },
    version: '1.2.9',
    documents,
    clock,
    log,
    publisher,
    desktop: {
      openExternal: async (url) => {
        opened.push(url);
        return true;
      },
    },
    isWanted: () => wanted.now,
    authorities: fixture('ca'),
  });
  onTestFinished(() => updates.close());
  return {
    updates,
    clock,
    log,
    publisher,
    opened,
    /** Resolves when an answer was stored. */
    answered: () =>
      eventually(async () =>
        expect(await documents.get('updates', 'asked')).toMatchObject({ newest: '1.3.0' }),
      ),
    state: () => updates.handlers['updates.state'](undefined),
    setWanted: (isOn: boolean) => {
      wanted.now = isOn;
      updates.settingsChanged();
    },
  };
}

it('sends no request until a person wants it', async () => {
  const { requests, address } = await serveVersion();
  const { clock, state, setWanted } = await open(address, { isWanted: false });
  const begunMs = clock.nowMs();
  await clock.advance(8 * dayMs);
  expect(requests).toEqual([]);
  expect(await state()).toEqual({ host: new URL(address).host, askedAtMs: null, newerVersion: null });

  setWanted(true);
  await eventually(async () => expect((await state()).newerVersion).toBe('1.3.0'));
  expect(requests.length).toBe(1);
  expect((await state()).askedAtMs).toBe(begunMs + 8 * dayMs);
  setWanted(false);
  expect((await state()).newerVersion).toBeNull();
  setWanted(true);
  expect((await state()).newerVersion).toBe('1.3.0');
  expect(requests.length).toBe(1);
});

it('asks once a week, without identifying the person', async () => {
  const { requests, address } = await serveVersion();
  const { clock, publisher, state, answered } = await open(address);
  await clock.advance(hourMs);
  await answered();
  const first = await state();
  expect(first.newerVersion).toBe('1.3.0');
  expect(publisher.events.map(({ event }) => event)).toContain('updates.changed');
  await clock.advance(6 * dayMs);
  await inTime(clock, () => expect(requests.length).toBe(2));
  // A request of an earlier day may arrive only now: its time is what counts.
  const second = await state();
  expect((second.askedAtMs ?? 0) - (first.askedAtMs ?? 0)).toBeGreaterThanOrEqual(7 * dayMs);

  for (const { method, url, headers } of requests) {
    expect({ method, url }).toEqual({ method: 'GET', url: '/coffer/newest.json?channel=stable' });
    expect(headers).toEqual({
      host: new URL(address).host,
      connection: expect.any(String),
      'accept-encoding': 'identity',
    });
  }
});

it('remembers over a restart when it asked, and what was answered', async () => {
  const { requests, address } = await serveVersion();
  const { documents } = await openTestDatabase();
  const first = await open(address, { documents });
  await first.clock.advance(hourMs);
  await first.answered();
  const { askedAtMs } = await first.state();
  await first.updates.close();

  const second = await open(address, { documents });
  expect(await second.state()).toMatchObject({ askedAtMs, newerVersion: '1.3.0' });
  await second.clock.advance(6 * dayMs);
  expect(requests.length).toBe(1);
  await inTime(second.clock, () => expect(requests.length).toBe(2));
});

it('a wrong clock delays nothing', async () => {
  const { requests, address } = await serveVersion();
  const { documents } = await openTestDatabase();
  await documents.put('updates', 'asked', { atMs: Date.UTC(2100, 0), newest: null });
  const { clock } = await open(address, { documents });
  await clock.advance(hourMs);
  await eventually(() => expect(requests.length).toBe(1));
});

it('retries in an hour without a connection, because no request was made', async () => {
  const gone = await serve(() => undefined);
  const address = gone.address.replace('http:', 'https:').replace(/\d+$/, '1');
  const { clock, log, state } = await open(address);
  await clock.advance(2 * 60_000);
  await eventually(() => expect(log.lines.length).toBe(1));
  await eventually(async () => expect((await state()).askedAtMs).toBeNull());
  await inTime(clock, () => expect(log.lines.length).toBeGreaterThan(1));
});

test.each<[string, RequestListener]>([
  [
    'another host',
    (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end(),
  ],
  ['an error', (_request, response) => response.writeHead(500).end(version('9.9.9'))],
  ['no JSON', (_request, response) => response.end('<html>9.9.9</html>')],
  ['no version', (_request, response) => response.end('{"version":"newest<script>"}')],
  ['too much', (_request, response) => response.end(version('9.9.9').padEnd(100_000))],
  ['the connection’s end', (request) => request.socket.destroy()],
])('an address that answers with %s is asked again next week', async (_what, respond) => {
  const { requests, address } = await serveVersion(respond);
  const { clock, log, state } = await open(address);
  await clock.advance(hourMs);
  await eventually(() => expect(log.lines.some((line) => line.includes('not known'))).toBe(true));
  await clock.advance(6 * dayMs);
  expect(requests.length).toBe(1);
  expect(await state()).toMatchObject({ askedAtMs: expect.any(Number), newerVersion: null });
});

it('opens the release page of this build, or nothing if there is none', async () => {
  const known = await open('https://127.0.0.1:1/newest.json');
  await known.updates.handlers['updates.openReleasePage'](undefined);
  expect(known.opened).toEqual(['https://coffer.invalid/releases']);

  const unknown = await open(null);
  await unknown.updates.handlers['updates.openReleasePage'](undefined);
  await unknown.clock.advance(8 * dayMs);
  expect(unknown.opened).toEqual([]);
  expect(await unknown.state()).toEqual({ host: null, askedAtMs: null, newerVersion: null });
});

it('ends while it is asking', async () => {
  const { requests, address } = await serveVersion(() => undefined);
  const { clock, updates } = await open(address);
  await clock.advance(hourMs);
  await eventually(() => expect(requests.length).toBe(1));
  await updates.close();
});

test.each([
  ['1.3.0', '1.2.9', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '10.0.0', false],
  ['1.2.9', '1.2.9', false],
  ['1.2.8', '1.2.9', false],
])('%s is newer than %s: %s', (left, right, expected) => {
  expect(isNewer(left, right)).toBe(expected);
});
