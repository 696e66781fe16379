import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { IfExists, RequestKind } from '../../../shared/domain/service.ts';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import {
  openLocalDatabase,
  type LocalDatabase,
} from '../../../../test-support/main/database/local-database.ts';
import { openTestUndoCopies } from '../../../../test-support/main/transfers/undo-copies.ts';
import { createTestLog, makeTestFolder } from '../../../../test-support/main/test-ports.ts';
import { connectTo } from '../../../../test-support/main/transfers/connect.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { SimulatedService } from '../../../../test-support/main/transfers/simulated-service.ts';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../test-support/main/transfers/virtual-clock.ts';
import type { UndoCopies } from '../undo/undo-copies.ts';
import { createEngine, type Engine } from '../engine.ts';

/** Two services with the same address, each with a list of its own: they act like two computers. */

const services = ['a', 'b'] as const;
type Service = (typeof services)[number];
const minuteMs = 60_000;
const limitBytes = 4000;

let clock: VirtualClock;
let service: SimulatedService;
let db: DatabaseSync;
let database: LocalDatabase;
let undoCopies: UndoCopies;
let engine: Engine;
let folder: string;
let count: number;

beforeEach(async () => {
  count = 0;
  folder = await makeTestFolder();
  await mkdir(join(folder, 'downloads'));
  clock = createVirtualClock();
  service = new SimulatedService(clock, 'https://one', 'token');
  service.limitBytes = limitBytes;
  service.answerMs = 100;
  db = new DatabaseSync(':memory:');
  database = await openLocalDatabase(db, clock.nowMs);
  for (const id of services) await database.documents.put('services', id, { id });
  const log = createTestLog();
  undoCopies = await openTestUndoCopies({ store: database.undoStore, folder, log });
  const client = service.client(() => true);
  engine = await createEngine({
    store: database.transfers,
    catalogue: database.catalogue,
    documents: database.documents,
    connections: {
      ...connectTo(client, join(folder, 'downloads'), service.origin, limitBytes),
      serviceIds: () => [...services],
    },
    clock,
    log,
    settings: () => settingsDefault,
    undoCopies,
    random: () => 0.5,
  });
  onTestFinished(async () => {
    const closed = engine.close();
    await clock.advance(0);
    await closed;
    await database.close();
  });
});

async function upload(
  service: Service,
  identifier: string,
  text: string,
  ifExists: IfExists = 'ask',
  route: RequestKind = 'direct',
): Promise<void> {
  const path = join(folder, `f${(count += 1)}`);
  await writeFile(path, text);
  await utimes(path, 1_700_000_000, 1_700_000_000);
  const { size: sizeBytes, mtimeMs } = await stat(path);
  const item = {
    path,
    fileName: `f${count}`,
    identifier,
    sizeBytes,
    mtimeMs,
    classification: null,
    ifExists,
  };
  await engine.enqueue.uploads(service, [item], route);
}

const rowOf = async (service: Service, identifier: string) =>
  (await database.catalogue.findByIdentifiers(service, 'data', [identifier])).get(identifier);

async function remove(service: Service, identifier: string): Promise<void> {
  const patch = { state: 'stored' } as const;
  const known = await rowOf(service, identifier);
  const [added] = known ? [] : await database.catalogue.add(service, [{ kind: 'data', identifier, patch }]);
  await engine.enqueue.deletions(service, [known?.id ?? added?.record.id ?? 0]);
}

const records = async () => database.transfers.getMany(Array.from({ length: 50 }, (_, index) => index + 1));
const textOf = (identifier: string) => Buffer.from(service.get(identifier) ?? '').toString();
/** Final state of each record, by service. */
async function endsOf(): Promise<string[]> {
  return (await records()).map(
    ({ serviceId, state }) =>
      `${serviceId} ${state.name === 'done' ? (state.outcome?.kind ?? 'done') : state.name}`,
  );
}

describe('the same identifier at the same time', () => {
  test.each(['direct', 'deferred'] as const)(
    '%s: stores one upload, and asks for the other',
    async (route) => {
      for (const service of services) await upload(service, 'x', `of ${service}`, 'ask', route);
      await clock.advance(5 * minuteMs);
      const isStored = (service: Service) => textOf('x') === `of ${service}`;
      for (const [index, service] of services.entries())
        expect((await endsOf())[index]).toBe(`${service} ${isStored(service) ? 'stored' : 'asking'}`);
      expect(services.filter(isStored)).toHaveLength(1);
    },
  );

  test.each(['direct', 'deferred'] as const)('%s: gives new versions numbers of their own', async (route) => {
    service.put('x', Buffer.from('first'), 'stranger');
    for (const service of services) await upload(service, 'x', `of ${service}`, 'newVersion', route);
    await clock.advance(10 * minuteMs);
    expect(await endsOf()).toEqual(['a stored', 'b stored']);
    expect(textOf('x')).toBe('first');
    expect([textOf('x@2'), textOf('x@3')].toSorted()).toEqual(['of a', 'of b']);
    expect(service.get('x@4')).toBeUndefined();
  });

  test('Keep both finds a name for each', async () => {
    service.put('x', Buffer.from('first'), 'stranger');
    for (const service of services) await upload(service, 'x', `of ${service}`, 'keepBoth');
    await clock.advance(10 * minuteMs);
    expect(await endsOf()).toEqual(['a stored', 'b stored']);
    const texts = [...service.versions.keys()].map(textOf);
    expect(texts.toSorted()).toEqual(['first', 'of a', 'of b']);
  });

  test.each([
    [0, 0],
    [0, 3000],
    [500, 0],
    [500, 3000],
    [2000, 0],
    [2000, 3000],
  ])('two Replaces, %i ms apart, lose nothing (a deletion takes %i ms)', async (apartMs, deletionMs) => {
    service.put('x', Buffer.from('first'), 'stranger');
    service.deletionMs = deletionMs;
    await upload('a', 'x', 'of a', 'replace');
    await clock.advance(apartMs);
    await upload('b', 'x', 'of b', 'replace');
    await clock.advance(15 * minuteMs);
    const stored = textOf('x');
    expect(['of a', 'of b']).toContain(stored);
    // The other has found an object that it does not know, and prompts.
    const expected = services.map(
      (service) => `${service} ${stored === `of ${service}` ? 'stored' : 'asking'}`,
    );
    expect(await endsOf()).toEqual(expected);
    // What was not stored is still a file, and what both have replaced is kept.
    for (const [index, service] of services.entries())
      expect(await readFile(join(folder, `f${index + 1}`), 'utf8')).toBe(`of ${service}`);
    const digests = db
      .prepare('SELECT sha256 FROM kept')
      .all()
      .map(({ sha256 }) => sha256);
    expect(digests).toContain(sha256Of('first'));
  });

  test('a deletion removes the earlier object, and is not confirmed by a later upload', async () => {
    service.put('x', Buffer.from('first'), 'stranger');
    service.deletionMs = 5000;
    await remove('a', 'x');
    await clock.advance(1000);
    await upload('b', 'x', 'of b');
    await clock.advance(10 * minuteMs);
    expect(await endsOf()).toEqual(['a done', 'b asking']);
    expect(service.get('x')).toBeUndefined();
  });

  test('a deletion during a Replace removes nothing new', async () => {
    service.put('x', Buffer.from('first'), 'stranger');
    service.deletionMs = 3000;
    await upload('b', 'x', 'of b', 'replace');
    await clock.advance(500);
    await remove('a', 'x');
    await clock.advance(15 * minuteMs);
    expect(await endsOf()).toEqual(['b stored', 'a done']);
    expect(textOf('x')).toBe('of b');
    expect(await undoCopies.ofObject('b', 'x')).toHaveLength(1);
  });
});

describe('a file in parts', () => {
  const large = Array.from({ length: 900 }, (_, index) => `line ${String(index)}\n`).join('');

  /** The parts that the manifest names and the service does not have. */
  function missingParts(): string[] {
    const { parts } = JSON.parse(textOf('large')) as { parts: { id: string }[] };
    return parts.flatMap(({ id }) => (service.get(id) === undefined ? [id] : []));
  }

  test('keeps its parts when an upload of the other service is cancelled', async () => {
    service.deletionMs = 2000;
    for (const service of services) await upload(service, 'large', large);
    await clock.advance(500);
    const cancelled = engine.actions.cancel({ kind: 'service', serviceId: 'a' });
    await clock.advance(0);
    await cancelled;
    await clock.advance(30 * minuteMs);
    expect(await endsOf()).toEqual(['a cancelled', 'b stored']);
    expect(missingParts()).toEqual([]);
  });

  test('stores it whole while the other service deletes its parts', async () => {
    service.deletionMs = 2000;
    await upload('a', 'large', large);
    await clock.advance(minuteMs);
    await remove('a', 'large');
    await clock.advance(3000);
    await upload('b', 'large', large);
    await clock.advance(30 * minuteMs);
    expect(await endsOf()).toEqual(['a stored', 'a done', 'b stored']);
    expect(missingParts()).toEqual([]);
  });

  test('keeps the parts of a version of the other service', async () => {
    await upload('a', 'large', large);
    await clock.advance(minuteMs);
    await upload('b', 'large', `${large}more`, 'newVersion');
    await clock.advance(3000);
    await remove('a', 'large');
    await clock.advance(30 * minuteMs);
    const { parts } = JSON.parse(textOf('large@2')) as { parts: { id: string }[] };
    expect(parts.filter(({ id }) => service.get(id) === undefined)).toEqual([]);
  });
});
