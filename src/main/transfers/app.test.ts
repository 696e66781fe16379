import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { tabOf } from '../../shared/domain/transfer.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import { createQuickClock } from '../../../test-support/main/test-ports.ts';
import { eventually } from '../../../test-support/eventually.ts';

test.each(['deferred', 'direct'] as const)(
  'uploads of a sheet and downloads of a selection through the whole application: %s',
  async (request) => {
    const { app, folder, publisher, log } = await openApp({ clock: createQuickClock(20) });
    async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
      const reply = await app.router(name, input);
      if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
      return reply.value as Output<N>;
    }
    const tab = tabOf({ route: request });
    const rows = async () => (await call('transfers.page', { tab, offset: 0, limit: 100 })).rows;
    const allDone = (count: number) =>
      eventually(async () => {
        expect((await rows()).map(({ state }) => state)).toEqual(Array(count).fill('done'));
      });

    const { id: serviceId } = await call('services.tryLocal', undefined);
    const source = join(folder, 'top');
    mkdirSync(source);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(source, name), `bytes of ${name}`);
    const plan = await call('uploadPlans.open', {
      serviceId,
      intoFolder: 'tree/reports',
      grants: app.grant([source]),
    });
    await call('uploadPlans.upload', { id: plan.id, classification: null, ifExists: 'ask', request });
    await allDone(3);

    const [first] = await rows();
    if (request === 'deferred') await call('transfers.copyActivityToken', { id: first?.id ?? 0 });
    await call('transfers.clear', { tab, group: 'done' });
    const query = { serviceId, kind: 'data', place: { kind: 'all' }, search: '' } as const;
    const page = await call('objects.page', {
      query: { ...query, sort: { column: 'identifier', direction: 'ascending' } },
      offset: 0,
      limit: 10,
    });
    const selection = { kind: 'ids', ids: page.rows.map(({ id }) => id) } as const;
    const found = {
      kind: 'query',
      query: {
        ...query,
        place: { kind: 'folder', path: 'tree' },
        sort: { column: 'size', direction: 'ascending' },
      },
      exceptIds: [] as number[],
    } as const;
    expect(await call('objects.downloadEstimate', { selection: found })).toEqual({
      count: 3,
      totalBytes: 42,
      unknownLengths: 0,
      freeBytes: expect.any(Number),
    });
    if (request === 'deferred') await call('objects.downloadDeferred', { selection: found });
    else await call('objects.download', { selection, saveAs: false, below: 'tree' });
    await allDone(3);
    const [saved] = readdirSync(join(folder, 'Downloads'));
    // A folder keeps its structure, whether it was requested by a query or by its rows.
    const downloads = join(folder, 'Downloads', saved ?? '', 'reports/top');
    expect(readdirSync(downloads).toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(readFileSync(join(downloads, 'b.txt'), 'utf8')).toBe('bytes of b.txt');
    await eventually(() => {
      const events = publisher.events.map(({ event }) => event);
      expect(events).toContain('transfers.changed');
      expect(events).toContain('transfers.ended');
    });
    expect(log.lines.filter((line) => line.includes('unexpectedly'))).toEqual([]);

    // Removing the service removes everything of it.
    await call('services.remove', { id: serviceId, removeCatalogue: true });
    expect(await rows()).toEqual([]);
  },
);
