import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ObjectRecord, Selection } from '../../shared/domain/object.ts';
import { factBits, unverifiedFacts } from '../../shared/domain/unverified.ts';
import { taskSchema, type Task } from '../../shared/domain/task.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { NewObject } from '../objects/catalogue.ts';
import type { Connections } from '../connections/connections.ts';
import { createServiceClient } from '../service/client.ts';
import { serve } from '../../../test-support/main/service/test-server.ts';
import { createEngine } from '../transfers/engine.ts';
import { settingsDefault } from '../../shared/domain/settings.ts';
import {
  createQuickClock,
  createTestLog,
  createTestPublisher,
  makeTestFolder,
  openTestDatabase,
} from '../../../test-support/main/test-ports.ts';
import { openTestUndoCopies } from '../../../test-support/main/transfers/undo-copies.ts';
import { createBulkOperations } from './bulk-operations.ts';
import { eventually } from '../../../test-support/eventually.ts';

const serviceId = 'p';

/** A service with these objects; a hook runs before each answer. */
function createService() {
  const stored = new Map<string, number>();
  const requests: string[] = [];
  let disturb: (response: ServerResponse, request: string) => boolean = () => false;
  const respond: RequestListener = (request, response) => {
    const id = decodeURIComponent(request.url?.replace('/api/data/', '') ?? '');
    const line = `${request.method} ${id}`;
    requests.push(line);
    if (disturb(response, line)) return;
    const length = stored.get(id);
    if (length === undefined) return void response.writeHead(404).end();
    if (request.method === 'HEAD') {
      return void response.writeHead(200, { 'x-orginal-length': String(length) }).end();
    }
    stored.delete(id);
    const body = { success: true, status: 200, message: 'deleted', activityToken: `activity-${id}` };
    return void response.end(JSON.stringify(body));
  };
  return { stored, requests, respond, setDisturb: (next: typeof disturb) => void (disturb = next) };
}

async function open(objects: NewObject[] = [], clock = createQuickClock(500)) {
  const service = createService();
  const { address } = await serve(service.respond);
  const { catalogue, documents, transfers, undoStore } = await openTestDatabase();
  const publisher = createTestPublisher();
  const reports: string[] = [];
  let isDown = false;
  const listeners = new Set<(serviceId: string) => void>();
  const client = createServiceClient({ baseAddress: address, getToken: () => 'token' });
  const connections: Connections = {
    openFor: async (id) => ({ client: await connections.clientOf(id), origin: 'test' }),
    originOf: () => 'test',
    momentOf: (_id, ownMs) => client.momentOf(ownMs),
    serviceIds: () => [serviceId],
    async clientOf() {
      if (isDown) throw new AppFailure({ code: 'unreachable', host: 'p', reason: 'refused' });
      return client;
    },
    factsOf: async (id) => {
      if (id !== serviceId) throw new AppFailure({ code: 'notFound', what: 'service' });
      return {
        id,
        name: 'P',
        maxObjectBytes: null,
        maxSecretBytes: null,
        allowsParts: true,
        identifierTemplate: '{path}',
        separator: '/',
        versionMark: '@{number}',
        downloadFolder: '/nowhere',
        downloadFolderIsDefault: false,
      };
    },
    report: (_id, verdict) => void reports.push(verdict),
    onReady: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const log = createTestLog();
  /** The running kinds at each change. */
  const heard: Task['kind'][][] = [];
  const start = async () => {
    const settings = () => ({ ...settingsDefault, transfersAtOnce: 4 });
    const engine = await createEngine({
      store: transfers,
      catalogue,
      documents,
      connections,
      clock,
      log,
      settings,
      undoCopies: await openTestUndoCopies({ store: undoStore, folder: await makeTestFolder(), log }),
    });
    const bulk = createBulkOperations({
      catalogue,
      connections,
      engine,
      clock,
      log,
      publisher,
      onChanged: () => heard.push(bulk.goingOn()),
    });
    let closed: Promise<void> | null = null;
    const close = () => (closed ??= bulk.close().then(() => engine.close()));
    onTestFinished(close);
    return { handlers: bulk.handlers, goingOn: () => bulk.goingOn(), close };
  };
  onTestFinished(() => client.close());
  await documents.put('services', serviceId, { id: serviceId });
  const added = await catalogue.add(serviceId, objects);
  const ids = added.map(({ record }) => record.id);
  const tasks = await start();
  const { handlers } = tasks;
  const taskNow = async (id: number) =>
    (await handlers['tasks.list'](undefined)).tasks.find((task) => task.id === id);
  const ended = async ({ id }: Task): Promise<Task> =>
    eventually(async () => {
      const task = await taskNow(id);
      if (!task || task.state === 'running') throw new Error('it is still running');
      return taskSchema.parse(task);
    });
  const rows = async () => {
    const found = await catalogue.getMany(ids);
    return Object.fromEntries(found.map((row): [string, ObjectRecord] => [row.identifier, row]));
  };
  const becomeReady = () => listeners.forEach((listener) => listener(serviceId));
  const selection: Selection = { kind: 'ids', ids };
  const setDown = (next: boolean) => void (isDown = next);
  return {
    setDown,
    service,
    catalogue,
    clock,
    publisher,
    reports,
    heard,
    becomeReady,
    listeners,
    tasks,
    handlers,
    ids,
    selection,
    ended,
    rows,
    taskNow,
    start,
  };
}

function object(identifier: string, patch: NewObject['patch'] = {}): NewObject {
  return { kind: 'data', identifier, patch: { state: 'stored', lengthBytes: 3, sha256: 'f00', ...patch } };
}

describe('check', () => {
  it('reports present, missing and changed objects', async () => {
    const { handlers, service, selection, ended, rows, catalogue, ids } = await open([
      object('there'),
      object('not/there'),
      object('other'),
      object('back', { state: 'missing' }),
      object('failed', { state: 'failed' }),
      object('moving', { state: 'uploading' }),
      object('gone', { state: 'gone', checkedAtMs: 5 }),
    ]);
    for (const id of ['there', 'back', 'moving']) service.stored.set(id, 3);
    service.stored.set('other', 4);
    const task = await handlers['objects.check']({ selection });
    expect(taskSchema.parse(task)).toMatchObject({ kind: 'check', serviceId, total: 7, state: 'running' });
    expect(await ended(task)).toMatchObject({ state: 'done', done: 7, present: 4, missing: 3, failed: 0 });
    const after = await rows();
    expect(after['there']).toMatchObject({ state: 'stored', sha256: 'f00', checkedAtMs: expect.any(Number) });
    expect(after['not/there']).toMatchObject({ state: 'missing', lengthBytes: 3 });
    expect(after['other']).toMatchObject({ state: 'stored', lengthBytes: 4, sha256: null });
    expect(after['back']?.state).toBe('stored');
    expect(after['failed']?.state).toBe('failed');
    expect(after['moving']?.state).toBe('uploading');
    // Keeps the time of the deletion.
    expect(after['gone']).toMatchObject({ state: 'gone', checkedAtMs: 5 });
    expect((await catalogue.history(ids[1] ?? 0, 5))[0]).toMatchObject({ action: 'checkedMissing' });
  });

  it('confirms presence and length from an imported list, but not the digest', async () => {
    const unverified = factBits.presence | factBits.length | factBits.digest;
    const parts = { count: 2, manifestBytes: 3, manifestSha256: 'ab'.repeat(32) };
    const { handlers, service, selection, ended, rows } = await open([
      object('there', { unverified }),
      object('other', { unverified }),
      object('in parts', { unverified, lengthBytes: 9, parts }),
      object('missing', { unverified }),
      object('gone', { unverified, state: 'gone', checkedAtMs: 5 }),
    ]);
    for (const id of ['there', 'in parts']) service.stored.set(id, 3);
    service.stored.set('other', 4);
    await ended(await handlers['objects.check']({ selection }));
    const after = await rows();
    const wordsOf = (identifier: string) => unverifiedFacts(after[identifier] ?? {});
    expect(wordsOf('there')).toEqual(['digest']);
    expect(wordsOf('other')).toEqual([]);
    // HEAD reports the length of the manifest, not of the file.
    expect(wordsOf('in parts')).toEqual(['length', 'digest']);
    expect(after['in parts']?.lengthBytes).toBe(9);
    expect(wordsOf('missing')).toEqual(['length', 'digest']);
    expect(wordsOf('gone')).toEqual(['length', 'digest']);
    expect(after['gone']?.state).toBe('gone');
  });

  it('handles any number, a few at a time, with few events', async () => {
    const names = Array.from({ length: 250 }, (_, index) => `${index}`);
    const { handlers, service, ended, publisher, ids } = await open(names.map((name) => object(name)));
    let open_ = 0;
    let most = 0;
    service.setDisturb((response) => {
      most = Math.max(most, ++open_);
      response.on('close', () => (open_ -= 1));
      return false;
    });
    for (const name of names) service.stored.set(name, 3);
    const query = {
      serviceId,
      kind: 'data',
      place: { kind: 'all' },
      search: '',
      sort: { column: 'identifier', direction: 'ascending' },
    } as const;
    const exceptIds = ids.slice(0, 1);
    const task = await handlers['objects.check']({ selection: { kind: 'query', query, exceptIds } });
    expect(await ended(task)).toMatchObject({ state: 'done', total: 249, done: 249, present: 249 });
    expect(most).toBeLessThanOrEqual(4);
    expect(publisher.events.length).toBeLessThan(125);
  });

  it('waits as long as a 429 says', async () => {
    const { handlers, service, selection, ended, clock } = await open([object('a')]);
    service.stored.set('a', 3);
    const sentAtMs: number[] = [];
    service.setDisturb((response) => {
      if (sentAtMs.push(clock.monotonicMs()) > 2) return false;
      response.writeHead(429, { 'retry-after': '7' }).end();
      return true;
    });
    const task = await handlers['objects.check']({ selection });
    expect(await ended(task)).toMatchObject({ state: 'done', present: 1 });
    const waitsMs = sentAtMs.slice(1).map((atMs, index) => atMs - (sentAtMs[index] ?? 0));
    expect(waitsMs.filter((waitMs) => waitMs < 6_900)).toEqual([]);
  });

  it('tries again after 500, and gives up on what is forbidden', async () => {
    const { handlers, service, selection, ended } = await open([object('b'), object('c')]);
    for (const id of ['b', 'c']) service.stored.set(id, 3);
    const troubles = new Map([
      ['HEAD b', [500]],
      ['HEAD c', [403]],
    ]);
    service.setDisturb((response, line) => {
      const status = troubles.get(line)?.shift();
      if (status === undefined) return false;
      response.writeHead(status).end();
      return true;
    });
    const task = await handlers['objects.check']({ selection });
    expect(await ended(task)).toMatchObject({
      state: 'done',
      present: 1,
      failed: 1,
      error: { code: 'forbidden' },
    });
  });

  it('waits for a new token', async () => {
    const { handlers, service, selection, ended, reports, becomeReady, listeners, taskNow, tasks, heard } =
      await open([object('a')]);
    service.stored.set('a', 3);
    let isRefused = true;
    service.setDisturb((response) => {
      if (isRefused) response.writeHead(401).end();
      return isRefused;
    });
    const listenersBefore = listeners.size;
    const task = await handlers['objects.check']({ selection });
    await eventually(() => expect(reports).toContain('tokenRefused'));
    expect(await taskNow(task.id)).toMatchObject({ state: 'running', done: 0 });
    expect(tasks.goingOn()).toEqual([]);
    isRefused = false;
    becomeReady();
    expect(tasks.goingOn()).toEqual(['check']);
    expect(await ended(task)).toMatchObject({ state: 'done', present: 1 });
    expect(heard).toEqual([['check'], []]);
    expect(listeners.size).toBe(listenersBefore);
  });

  it('continues as soon as the service is back, without finishing its own wait', async () => {
    const forEver = (_delayMs: number, signal?: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('released')));
      });
    const clock = { ...createQuickClock(1), delay: forEver };
    const { handlers, service, selection, ended, reports, becomeReady, setDown, taskNow } = await open(
      [object('a')],
      clock,
    );
    service.stored.set('a', 3);
    setDown(true);
    const task = await handlers['objects.check']({ selection });
    await eventually(() => expect(reports).toEqual(['unreachable']));
    expect(await taskNow(task.id)).toMatchObject({ state: 'running', retryAtMs: expect.any(Number) });
    setDown(false);
    becomeReady();
    expect(await ended(task)).toMatchObject({ state: 'done', present: 1 });
  });

  it('keeps its results when cancelled', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(2, '0'));
    const { handlers, service, selection, ended, rows } = await open(names.map((name) => object(name)));
    for (const name of names) service.stored.set(name, 3);
    service.setDisturb((_response, line) => Number(line.slice(5)) >= 20);
    const task = await handlers['objects.check']({ selection });
    await eventually(() => expect(service.requests.length).toBeGreaterThanOrEqual(24));
    await handlers['tasks.cancel']({ id: task.id });
    expect(await ended(task)).toMatchObject({ state: 'cancelled', present: 20 });
    const checked = Object.values(await rows()).filter((row) => row.checkedAtMs !== null);
    expect(checked).toHaveLength(20);
    const unknown = async () => handlers['tasks.cancel']({ id: 999 });
    await expect(unknown()).rejects.toThrow(new AppFailure({ code: 'notFound', what: 'task' }));
  });

  it('handles an empty selection', async () => {
    const { handlers } = await open();
    const selection: Selection = { kind: 'ids', ids: [123] };
    await expect(handlers['objects.check']({ selection })).rejects.toThrow(AppFailure);
  });
});

describe('delete', () => {
  it('moves from deleting to gone', async () => {
    const { handlers, service, selection, ended, rows, catalogue, ids } = await open([
      object('a'),
      object('gone before'),
      object('moving', { state: 'uploading' }),
    ]);
    service.stored.set('a', 3);
    let stateAtDelete: Promise<string | undefined> | undefined;
    service.setDisturb((_response, line) => {
      if (line === 'DELETE a') stateAtDelete = rows().then((found) => found['a']?.state);
      return false;
    });
    const task = await handlers['objects.delete']({ selection });
    expect(await ended(task)).toMatchObject({ state: 'done', done: 3, missing: 2, failed: 0 });
    expect(await stateAtDelete).toBe('deleting');
    const after = await rows();
    expect(after['a']).toMatchObject({ state: 'gone' });
    expect(after['gone before']?.state).toBe('gone');
    expect(after['moving']?.state).toBe('uploading');
    const actions = (await catalogue.history(ids[0] ?? 0, 5)).map((entry) => entry.action);
    expect(actions.toSorted()).toEqual(['deleteStarted', 'deleted']);
  });

  it('checks repeatedly until HEAD returns 404', async () => {
    const { handlers, service, selection, ended, rows, clock } = await open([object('a')]);
    const looksAtMs: number[] = [];
    service.stored.set('a', 3);
    service.setDisturb((response, line) => {
      if (line !== 'HEAD a' || !service.requests.includes('DELETE a')) return false;
      if (looksAtMs.push(clock.monotonicMs()) > 4) return false;
      response.writeHead(200, { 'x-orginal-length': '3' }).end();
      return true;
    });
    const task = await handlers['objects.delete']({ selection });
    expect(await ended(task)).toMatchObject({ state: 'done', present: 0, missing: 1 });
    expect((await rows())['a']?.state).toBe('gone');
    const waitsMs = looksAtMs.slice(1).map((atMs, index) => atMs - (looksAtMs[index] ?? 0));
    expect(waitsMs).toHaveLength(4);
    for (const [index, leastMs] of [1000, 2000, 4000, 8000].entries())
      expect(waitsMs[index]).toBeGreaterThanOrEqual(leastMs);
    expect(service.requests.filter((line) => line === 'DELETE a')).toHaveLength(1);
  });

  it('restores the state after a refusal, or if the object stays', async () => {
    const { handlers, service, selection, ended, rows, catalogue, ids } = await open([
      object('forbidden', { state: 'unknown' }),
      object('stays'),
    ]);
    service.setDisturb((response, line) => {
      if (line === 'DELETE forbidden') response.writeHead(403).end();
      else if (line === 'HEAD stays') response.writeHead(200, { 'x-orginal-length': '3' }).end();
      else return false;
      return true;
    });
    service.stored.set('stays', 3);
    const task = await handlers['objects.delete']({ selection });
    expect(await ended(task)).toMatchObject({ present: 1, failed: 1, error: { code: 'forbidden' } });
    await eventually(async () => expect((await rows())['stays']?.state).toBe('stored'));
    expect((await rows())['forbidden']?.state).toBe('unknown');
    for (const id of ids) {
      expect((await catalogue.history(id, 1))[0]).toMatchObject({ action: 'deleteFailed' });
    }
  });

  it('is unknown if the answer to DELETE is lost, or HEAD cannot tell the outcome', async () => {
    const { handlers, service, selection, ended, rows } = await open([object('lost'), object('unseen')]);
    service.stored.set('lost', 3);
    service.stored.set('unseen', 3);
    service.setDisturb((response, line) => {
      if (line === 'DELETE lost') response.destroy();
      else if (line === 'HEAD unseen') response.writeHead(403).end();
      else return false;
      return true;
    });
    const task = await handlers['objects.delete']({ selection });
    expect(await ended(task)).toMatchObject({ state: 'done', failed: 2, present: 0 });
    await eventually(async () => {
      const states = Object.values(await rows()).map((row) => row.state);
      expect(states).toEqual(['unknown', 'unknown']);
    });
  });

  it('cancelled: objects whose DELETE was sent are unknown, the rest unchanged', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `${index}`);
    const { handlers, service, selection, ended, rows } = await open(names.map((name) => object(name)));
    for (const name of names) service.stored.set(name, 3);
    service.setDisturb((_response, line) => line.startsWith('DELETE'));
    const task = await handlers['objects.delete']({ selection });
    const deletions = () => service.requests.filter((line) => line.startsWith('DELETE'));
    await eventually(() => expect(deletions()).toHaveLength(4));
    await handlers['tasks.cancel']({ id: task.id });
    expect(await ended(task)).toMatchObject({
      state: 'cancelled',
      present: 0,
      missing: 0,
      failed: 4,
      error: { code: 'deletionUnknown' },
    });
    await eventually(async () => {
      const states = Object.values(await rows()).map((row) => row.state);
      expect(states.toSorted()).toEqual([...Array(6).fill('stored'), ...Array(4).fill('unknown')]);
    });
    expect(deletions()).toHaveLength(4);
  });

  it('continues after a restart of the app', async () => {
    const { handlers, service, selection, rows, catalogue, tasks, start } = await open([object('a')]);
    service.stored.set('a', 3);
    service.setDisturb((_response, line) => line === 'DELETE a');
    await handlers['objects.delete']({ selection });
    await eventually(() => expect(service.requests).toContain('DELETE a'));
    await tasks.close();
    expect((await rows())['a']?.state).toBe('deleting');
    service.setDisturb(() => false);
    service.stored.delete('a');
    await start();
    await eventually(async () => expect((await rows())['a']?.state).toBe('gone'));
    expect(service.requests.filter((line) => line === 'DELETE a')).toHaveLength(1);
    expect(await catalogue.idsInStates(serviceId, ['deleting'])).toEqual([]);
  });
});

describe('add known identifiers', () => {
  it('adds what exists, checks what is known, and counts what cannot be', async () => {
    const { handlers, service, ended, catalogue, rows } = await open([
      object('known', { state: 'missing' }),
      object('lost', { state: 'missing' }),
    ]);
    service.stored.set('known', 3);
    service.stored.set('new/ü', 9);
    const identifiers = ['known', 'new/ü', 'nowhere', 'lost', 'new/ü', '..', ''];
    const task = await handlers['objects.addKnown']({ serviceId, kind: 'data', identifiers });
    expect(await ended(task)).toMatchObject({
      state: 'done',
      total: 7,
      done: 7,
      present: 2,
      missing: 2,
      failed: 3,
      listed: 1,
      notFound: expect.arrayContaining(['nowhere', 'lost']),
      error: { code: 'badIdentifier', problem: 'dotSegment' },
    });
    const found = await catalogue.findByIdentifiers(serviceId, 'data', identifiers);
    expect([...found.keys()].toSorted()).toEqual(['known', 'lost', 'new/ü']);
    expect(found.get('new/ü')).toMatchObject({ state: 'stored', lengthBytes: 9 });
    expect(await catalogue.history(found.get('new/ü')?.id ?? 0, 5)).toMatchObject([{ action: 'added' }]);
    expect((await rows())['known']?.state).toBe('stored');
  });

  it('adds secrets without asking', async () => {
    const { handlers, service, ended, catalogue } = await open();
    const task = await handlers['objects.addKnown']({ serviceId, kind: 'secret', identifiers: ['s'] });
    expect(await ended(task)).toMatchObject({ state: 'done', done: 1, present: 0, failed: 0 });
    expect(service.requests).toEqual([]);
    const found = await catalogue.findByIdentifiers(serviceId, 'secret', ['s']);
    expect(found.get('s')?.state).toBe('unknown');
    expect(unverifiedFacts(found.get('s') ?? {})).toEqual(['presence']);
  });
});

it('forgets only failed, gone and missing rows', async () => {
  const { handlers, selection, rows } = await open([
    object('a'),
    object('b', { state: 'gone' }),
    object('c', { state: 'missing' }),
    object('d', { state: 'failed' }),
    object('e', { state: 'deleting' }),
  ]);
  expect(await handlers['objects.forget']({ selection, unstoredOnly: true })).toMatchObject({ forgotten: 1 });
  expect(Object.keys(await rows())).toEqual(['a', 'b', 'c', 'e']);
  const { forgotten, removal } = await handlers['objects.forget']({ selection });
  expect(forgotten).toBe(2);
  expect(Object.keys(await rows())).toEqual(['a', 'e']);
  expect(await handlers['objects.putBack']({ removal: removal ?? '' })).toEqual({ count: 2 });
  expect(Object.keys(await rows()).toSorted()).toEqual(['a', 'b', 'c', 'e']);
  expect(await handlers['objects.forget']({ selection: { kind: 'ids', ids: [] } })).toEqual({
    forgotten: 0,
    removal: null,
  });
});
