import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ImportReport, Reply } from '../../shared/contract.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import { eventually } from '../../../test-support/eventually.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { ServiceFacts } from '../connections/connections.ts';
import type { Clock, Dialogs, Publisher } from '../ports.ts';
import { createExchange } from './exchange-handlers.ts';

const count = 30_000;
const serviceId = 'local';
const gone = { ok: false, error: { code: 'notFound', what: 'service' } };

/** An application with a list to import, whose dialog answers under the test's control. @param lines in the list */
async function openWithList(lines = count) {
  const dialog = Promise.withResolvers<undefined>();
  let path = '';
  const world = await openApp({
    dialogs: {
      openFile: async () => {
        await dialog.promise;
        return path;
      },
    },
  });
  path = join(world.folder, 'in.jsonl');
  const write = (length: number) => {
    const rows = Array.from({ length }, (_, n) => `{"identifier":"f/${String(n)}"}\n`);
    writeFileSync(path, `{"cofferCatalogue":1}\n${rows.join('')}`);
  };
  write(lines);
  const call = (name: Parameters<typeof world.app.router>[0], input: unknown): Promise<Reply> =>
    world.app.router(name, input);
  return { call, write, choose: () => dialog.resolve(undefined), publisher: world.publisher };
}

const all = async (reply: Promise<Reply>): Promise<unknown> => {
  const answer = await reply;
  return answer.ok ? (answer.value as { all: number }).all : answer;
};

it(
  'an import ends when its service is removed, and the next service of this id has a list of its own',
  { tags: 'all' },
  async () => {
    // Enough lines that it is still running when the service is removed.
    const { call, write, choose } = await openWithList(400_000);
    await call('services.tryLocal', undefined);
    choose();
    const importing = call('objects.import', { serviceId });
    await eventually(
      async () => expect(await all(call('objects.collections', { serviceId }))).toBeGreaterThan(0),
      0,
    );
    expect(await call('services.remove', { id: serviceId, removeCatalogue: true })).toMatchObject({
      ok: true,
    });
    expect(await importing).toMatchObject(gone);
    await call('services.tryLocal', undefined);
    expect(await all(call('objects.collections', { serviceId }))).toBe(0);
    write(count);
    expect(await call('objects.import', { serviceId })).toMatchObject({ ok: true, value: { added: count } });
  },
);

it('imports nothing for a service that was removed while the dialog was open', async () => {
  const { call, choose } = await openWithList();
  await call('services.tryLocal', undefined);
  const importing = call('objects.import', { serviceId });
  expect(await call('services.remove', { id: serviceId, removeCatalogue: true })).toMatchObject({ ok: true });
  choose();
  expect(await importing).toMatchObject(gone);
});

it('an import reports its progress, and a cancelled one keeps the lines read so far', async () => {
  const { call, choose, publisher } = await openWithList();
  await call('services.tryLocal', undefined);
  choose();
  const begun = publisher.next('objects.importProgress');
  const importing = call('objects.import', { serviceId });
  const first = await begun;
  expect(first).toMatchObject({ serviceId, fileName: 'in.jsonl', isOver: false });
  // Cancel while the thread reads the first lines.
  await call('objects.cancelImport', { id: (first as { id: string }).id });
  const report = await importing;
  expect(report).toMatchObject({ ok: true, value: { isCancelled: true } });
  const added = report.ok ? (report.value as { added: number }).added : 0;
  expect(added).toBeLessThan(count);
  expect(await all(call('objects.collections', { serviceId }))).toBe(added);
  const last = publisher.events.findLast(({ event }) => event === 'objects.importProgress');
  expect(last?.payload).toMatchObject({ isOver: true });
  // The second import is complete.
  expect(await call('objects.import', { serviceId })).toMatchObject({
    value: { added: count - added, unchanged: added },
  });
});

it('reports no progress after the end of an import, even if a request was pending', async () => {
  const asked = Promise.withResolvers<undefined>();
  const imported = Promise.withResolvers<ImportReport>();
  const answered = Promise.withResolvers<null>();
  const told: boolean[] = [];
  const goesOn: string[][] = [];
  const exchange = createExchange({
    catalogue: {
      importFrom: () => imported.promise,
      importProgress: () => {
        asked.resolve(undefined);
        return answered.promise;
      },
    } as Partial<Catalogue> as Catalogue,
    connections: { factsOf: () => Promise.reject(new Error('not asked')) },
    dialogs: {} as Dialogs,
    clock: {
      delay: (_ms, signal) => (signal?.aborted ? Promise.reject(new Error('over')) : Promise.resolve()),
    } as Partial<Clock> as Clock,
    publisher: {
      publish: (_event, payload) => void told.push((payload as { isOver: boolean }).isOver),
    } satisfies Publisher,
    onChanged: () => goesOn.push(exchange.goingOn()),
  });
  const importing = exchange.importList(serviceId, 'in.jsonl', null);
  await asked.promise;
  imported.resolve({
    fileName: 'in.jsonl',
    added: 0,
    separator: null,
    merged: 0,
    unchanged: 0,
    skipped: 0,
    problemLines: 0,
    problems: [],
  });
  await importing;
  answered.resolve(null);
  await new Promise(setImmediate);
  expect([told, goesOn]).toEqual([
    [false, true],
    [['import'], []],
  ]);
});

it('counts an export as running from the dialog’s answer until it is written or has failed', async () => {
  let written = Promise.withResolvers<number>();
  let path: string | null = null;
  const goesOn: string[][] = [];
  const exchange = createExchange({
    catalogue: { exportTo: () => written.promise } as Partial<Catalogue> as Catalogue,
    connections: { factsOf: async () => ({ name: 'Mine' }) as ServiceFacts },
    dialogs: { saveFile: async () => path } as Partial<Dialogs> as Dialogs,
    clock: { nowMs: () => 0 } as Partial<Clock> as Clock,
    publisher: { publish: () => undefined },
    onChanged: () => goesOn.push(exchange.goingOn()),
  });
  const start = async () => exchange.handlers['objects.export']({ serviceId, format: 'jsonl' });
  expect(await start()).toBe(null);
  expect(goesOn).toEqual([]);
  path = '/somewhere/list.jsonl';
  const exporting = start();
  await expect.poll(() => goesOn).toEqual([['export']]);
  written.resolve(7);
  expect(await exporting).toEqual({ fileName: 'list.jsonl', count: 7 });
  expect(goesOn).toEqual([['export'], []]);
  written = Promise.withResolvers();
  const failing = start().catch(String);
  await expect.poll(() => exchange.goingOn()).toEqual(['export']);
  written.reject(new Error('no room'));
  expect(await failing).toBe('Error: no room');
  expect(exchange.goingOn()).toEqual([]);
});
