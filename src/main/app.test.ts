import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { procedures, schemasOf, type ProcedureName, type Reply } from '../shared/contract.ts';
import { appErrorSchema } from '../shared/errors.ts';
import { openAfterCommands } from './agent/open-after-commands.ts';
import { serveAgent } from './agent/serve-agent.ts';
import type { WatchedFiles } from './database/watched-files.ts';
import { openDatabase } from './storage/open-database.ts';
import { eventually } from '../../test-support/eventually.ts';
import { createTestLog } from '../../test-support/main/test-ports.ts';
import { openApp } from '../../test-support/main/test-app.ts';
import { runs } from '../../test-support/runs.ts';

const names = Object.keys(procedures).filter((name): name is ProcedureName =>
  Object.hasOwn(procedures, name),
);

const token = 'tok-t0psecret-9f2c';

/** Inputs of the right shape with every kind of nonsense inside, and nonsense of every shape. */
const nonsense = fc.oneof(
  fc.anything({ withNullPrototype: true }),
  fc.constant(undefined),
  fc.record({ id: fc.oneof(fc.nat(), fc.string()), serviceId: fc.string() }),
  fc.record({ id: fc.constant('local') }),
  fc.record({
    selection: fc.record({ kind: fc.constant('ids'), ids: fc.array(fc.nat(), { minLength: 1 }) }),
  }),
  fc.record({
    serviceId: fc.string(),
    intoFolder: fc.string(),
    grants: fc.array(fc.string(), { minLength: 1 }),
  }),
  fc.record({ which: fc.array(fc.nat(), { minLength: 1 }) }),
  fc.record({ id: fc.string(), token: fc.constant(token) }),
  fc.constant(JSON.parse('{"__proto__":{"id":"x"},"id":"x"}')),
);

/** What is wrong with a reply: a value or error outside the contract, or an unexpected error; null: nothing. */
function faultOf(name: ProcedureName, reply: Reply): string | null {
  if (reply.ok) return schemasOf(name).output.safeParse(reply.value).error?.message ?? null;
  const error = appErrorSchema.safeParse(reply.error);
  return error.data?.code === 'unexpected' ? 'unexpected' : (error.error?.message ?? null);
}

it('answers invalid input to any procedure with a typed error that reveals nothing', async () => {
  const { app, folder, log } = await openApp();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), nonsense, async (name, input) => {
      const reply = await app.router(name, input);
      const text = JSON.stringify(reply) ?? '';
      expect(text).not.toContain(token);
      expect(text).not.toContain(folder);
      expect(text).not.toMatch(/\bat .+:\d+:\d+/);
      expect(faultOf(name, reply), `${name} ${log.lines.at(-1)}`).toBeNull();
    }),
    { numRuns: runs(1500) },
  );
});

it('reports that it waits for a command using the list, and opens when that has ended', async () => {
  let asked = 0;
  let makeWay = async () => undefined as void;
  const { app, publisher } = await openApp({
    async open(options) {
      const { folder, nowMs } = options;
      const opened = await openDatabase({ folder, nowMs });
      if (opened.state !== 'ready') throw new Error('a new list is ready');
      const agent = await serveAgent({
        userDataFolder: folder,
        version: '1.0.0',
        router: async () => ({ ok: true, value: undefined }),
        grant: () => [],
        makeWay: () => (asked += 1) > 0,
        asksPerson: false,
        log: createTestLog(),
      });
      makeWay = async () => {
        await agent?.close();
        await opened.database.close();
      };
      return openAfterCommands('1.0.0')(options);
    },
  });
  await eventually(() => expect(asked).toBeGreaterThan(0));
  const opening = async () => app.router('app.opening', undefined);
  await eventually(async () =>
    expect(await opening()).toEqual({ ok: true, value: { waitsForCommand: true } }),
  );
  expect(publisher.events.filter(({ event }) => event === 'app.changed')).toHaveLength(1);
  await makeWay();
  expect(await app.router('app.info', undefined)).toMatchObject({ ok: true });
  expect(await opening()).toEqual({ ok: true, value: { waitsForCommand: false } });
});

it('logs how long the daily copy took, and how large it is', async () => {
  const { log } = await openApp({ open: (options) => openDatabase({ ...options, firstCopyAfterMs: 0 }) });
  await eventually(() =>
    expect(log.lines).toContainEqual(
      expect.stringMatching(/^the daily copy of the list was made \{"elapsedMs":\d+,"bytes":[1-9]\d{3,}\}$/),
    ),
  );
});

it('sets a broken catalogue aside, refuses other calls, and starts over on request', async () => {
  const { app, log } = await openApp({
    prepare: (userData) => writeFileSync(join(userData, 'coffer.db'), 'this is no database'),
  });
  const info = await app.router('app.info', undefined);
  expect(info).toMatchObject({
    ok: true,
    value: { catalogue: { state: 'broken', setAsideName: expect.stringContaining('broken'), copies: [] } },
  });
  expect(await app.router('services.list', undefined)).toEqual({ ok: false, error: { code: 'notReady' } });
  await app.setPaused(true);
  expect(log.lines.at(-1)).toMatch(/pausing by the icon failed.*notReady/);
  expect(await app.router('catalogue.recover', { copyId: null })).toEqual({ ok: true, value: undefined });
  expect(await app.router('services.list', undefined)).toMatchObject({ ok: true, value: { services: [] } });
});

it('closes what it had started, and its list, when a part of it cannot start', async () => {
  const closed: string[] = [];
  const { app, userData, log } = await openApp({
    async open(options) {
      const opened = await openDatabase(options);
      if (opened.state !== 'ready') throw new Error('a new list is ready');
      const { database } = opened;
      const watched: Partial<WatchedFiles> = { retain: () => Promise.reject(new Error('no room')) };
      const close = () => database.close().finally(() => closed.push('the list'));
      return { ...opened, database: { ...database, watched: watched as WatchedFiles, close } };
    },
  });
  expect(await app.router('services.list', undefined)).toMatchObject({ ok: false });
  expect(log.lines.filter((line) => line.includes('did not'))).toEqual([
    expect.stringMatching(/^Coffer did not start .*no room/),
  ]);
  expect(closed).toEqual(['the list']);
  const again = await openDatabase({ folder: userData, nowMs: () => 0 });
  if (again.state !== 'ready') throw new Error('the list is whole');
  await again.database.close();
});

it('runs the built-in service', async () => {
  const { app } = await openApp();
  const reply = await app.router('services.tryLocal', undefined);
  expect(reply).toMatchObject({
    ok: true,
    value: { isLocal: true, connection: 'ready', tokenStoredIn: 'keychain' },
  });
  const list = await app.router('classifications.list', { serviceId: 'local', folder: '', refresh: false });
  expect(list).toMatchObject({ ok: true, value: { error: null } });
});
