import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { openApp } from '../test-app.ts';
import { eventually } from '../test-ports.ts';

test('uploads of a sheet and downloads of a selection, deferred, through the whole application', async () => {
  const { app, folder, publisher, log } = await openApp();
  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
    return reply.value as Output<N>;
  }
  const jobs = async () => (await call('jobs.page', { offset: 0, limit: 100, filter: '' })).rows;
  const allDone = (count: number) =>
    eventually(async () => {
      expect((await jobs()).map(({ state }) => state)).toEqual(Array(count).fill('done'));
    });

  const { id: profileId } = await call('profiles.tryLocal', undefined);
  const source = join(folder, 'top');
  mkdirSync(source);
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(source, name), `bytes of ${name}`);
  const draft = await call('drafts.open', { profileId, intoFolder: '', grants: app.grant([source]) });
  const upload = { id: draft.id, classification: null, ifExists: 'ask', request: 'deferred' } as const;
  expect(await call('drafts.upload', upload)).toEqual({ count: 3, left: 0 });
  await allDone(3);
  expect(await call('profiles.list', undefined)).toMatchObject({ profiles: [{ request: 'deferred' }] });

  const [first] = await jobs();
  await call('jobs.copyActivityToken', { id: first?.id ?? '' });
  await call('jobs.clear', { group: 'done' });
  const query = { profileId, kind: 'data', place: { kind: 'all' }, search: '' } as const;
  const page = await call('objects.page', {
    query: { ...query, sort: { column: 'identifier', direction: 'ascending' } },
    offset: 0,
    limit: 10,
  });
  const ids = page.rows.map(({ id }) => id);
  expect(await call('objects.downloadDeferred', { selection: { kind: 'ids', ids } })).toEqual({ count: 3 });
  await allDone(3);
  const [saved] = readdirSync(join(folder, 'Downloads'));
  const downloads = join(folder, 'Downloads', saved ?? '');
  expect(readdirSync(downloads).toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(readFileSync(join(downloads, 'b.txt'), 'utf8')).toBe('bytes of b.txt');
  expect(publisher.events.map(({ event }) => event)).toContain('jobs.changed');
  expect(log.lines.filter((line) => line.includes('unexpectedly'))).toEqual([]);

  // The profile goes, and its jobs with it.
  await call('profiles.remove', { id: profileId, removeCatalogue: true });
  expect(await jobs()).toEqual([]);
});
