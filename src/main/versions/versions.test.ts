import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { factBits } from '../../shared/domain/unverified.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import { serviceId, startBench } from '../../../test-support/main/transfers/bench.ts';
import { connectTo } from '../../../test-support/main/transfers/connect.ts';
import { createServiceClient } from '../service/client.ts';
import { compareLines, createVersions } from './versions.ts';
import { eventually } from '../../../test-support/eventually.ts';

const names = ({ versions = [] }: Output<'objects.get'>) =>
  versions.map(({ number, object }) => `${number} ${object.identifier} ${object.state}`);

test('compares a version with another, and stores the older again as the newest', async () => {
  const { app, folder, userData } = await openApp({
    prepare(data) {
      mkdirSync(join(data, 'versions', 'left'), { recursive: true, mode: 0o700 });
      writeFileSync(join(data, 'versions', 'left', 'version'), 'newer than the database');
      mkdirSync(join(data, 'versions', 'empty'));
    },
  });
  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
    return reply.value as Output<N>;
  }
  const { id: serviceId } = await call('services.tryLocal', undefined);
  async function upload(text: string): Promise<void> {
    const source = join(folder, 'note.txt');
    writeFileSync(source, text);
    const plan = await call('uploadPlans.open', { serviceId, intoFolder: '', grants: app.grant([source]) });
    const choices = { classification: null, ifExists: 'newVersion', request: 'direct' } as const;
    await call('uploadPlans.upload', { id: plan.id, ...choices });
    await settled();
  }
  const settled = () =>
    eventually(async () => {
      const { rows } = await call('transfers.page', { tab: 'transfers', offset: 0, limit: 100 });
      expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'done'));
    });
  const query = {
    serviceId,
    kind: 'data',
    place: { kind: 'all' },
    search: '',
    sort: { column: 'identifier', direction: 'ascending' },
  } as const;
  const page = (change: { allVersions?: true } = {}) =>
    call('objects.page', { query: { ...query, ...change }, offset: 0, limit: 10 });

  await upload('one\ntwo\nthree\n');
  await upload('one\n2\nthree\n');
  const folded = await page();
  expect(folded).toMatchObject({ total: 1, folded: 1 });
  expect(folded.rows[0]).toMatchObject({
    identifier: 'note@2.txt',
    versions: { base: 'note.txt', count: 2 },
  });
  const { rows } = await page({ allVersions: true });
  const [first = 0, second = 0] = rows.map(({ id }) => id);
  expect(names(await call('objects.get', { id: first }))).toEqual([
    '2 note@2.txt stored',
    '1 note.txt stored',
  ]);
  expect(await call('objects.compareVersions', { ids: [first, second] })).toEqual({
    digest: 'different',
    problem: null,
    lines: [
      { kind: 'same', text: 'one' },
      { kind: 'removed', text: 'two' },
      { kind: 'added', text: '2' },
      { kind: 'same', text: 'three' },
    ],
  });
  expect(await call('objects.makeCurrent', { id: first })).toEqual({ base: 'note.txt' });
  await eventually(async () =>
    expect(names(await call('objects.get', { id: second }))).toEqual([
      '3 note@3.txt stored',
      '2 note@2.txt stored',
      '1 note.txt stored',
    ]),
  );
  const again = await call('objects.get', { id: second });
  const [newest, , oldest] = again.versions ?? [];
  expect(newest?.object.sha256).toBe(oldest?.object.sha256);
  expect(newest?.object.sourceName).toBe('note.txt');
  const kept = join(userData, 'versions');
  expect(modeOf(kept)).toBe(modeHere(0o700));
  await eventually(() => expect(readdirSync(kept)).toEqual(['left']));
  expect(await call('undo.unknown', undefined)).toMatchObject({
    files: [{ name: join('versions', 'left', 'version'), isSealed: false }],
  });
});

test('finds versions of other clients and adds them to the list', async () => {
  const bench = await startBench();
  const client = createServiceClient({
    baseAddress: bench.server.baseAddress,
    getToken: () => bench.server.token,
  });
  const versions = createVersions({
    catalogue: bench.catalogue,
    connections: connectTo(client, bench.downloads, bench.server.baseAddress),
    engine: bench.engine,
    makeCurrent: { begin: async () => ({ base: '' }) },
    clock: bench.clock,
    settings: () => bench.settings,
  });
  try {
    const id = await bench.store('up/a.txt', 'first');
    await bench.store('up/a@3.txt', 'third');
    // Version 6 is missing.
    for (const number of [2, 4, 5, 7]) await bench.store(`up/a@${number}.txt`, `v${number}`, null);
    expect(await versions.handlers['objects.findVersions']({ id })).toEqual({ added: 4 });
    expect(await bench.rowOf('up/a@5.txt')).toMatchObject({
      state: 'stored',
      lengthBytes: 2,
      storedAtMs: null,
    });
    expect(await versions.handlers['objects.findVersions']({ id })).toEqual({ added: 0 });
    // Versions that only a list names are looked at, so that they count from then on, or not at all.
    const claim = { state: 'stored', unverified: factBits.presence } as const;
    await bench.store('up/a@8.txt', 'v8', claim);
    await bench.catalogue.add(serviceId, [{ kind: 'data', identifier: 'up/a@99.txt', patch: claim }]);
    expect(await versions.handlers['objects.findVersions']({ id })).toEqual({ added: 0 });
    expect(await bench.rowOf('up/a@8.txt')).toMatchObject({ state: 'stored', lengthBytes: 2 });
    expect(await bench.rowOf('up/a@8.txt')).not.toHaveProperty('unverified');
    expect(await bench.rowOf('up/a@99.txt')).toMatchObject({ state: 'missing' });
  } finally {
    versions.close();
    await client.close();
    await bench.close();
  }
});

test('leaves out lines far from a change, and cuts long differences', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const other = lines.map((line, at) => (at === 5 || at === 30 ? `${line}, changed` : line));
  const compared = compareLines(lines.join('\n'), other.join('\n')) ?? [];
  expect(compared.filter(({ kind }) => kind === 'skipped')).toHaveLength(1);
  expect(compared.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual([
    'line 5, changed',
    'line 30, changed',
  ]);
  const many = Array.from({ length: 3000 }, (_, at) => `a ${at}`).join('\n');
  expect(compareLines('', many)?.at(-1)).toEqual({ kind: 'skipped', text: '' });
});
