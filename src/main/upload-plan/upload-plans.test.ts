import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planEntrySchema, uploadPlanSchema, type UploadPlan } from '../../shared/domain/upload-plan.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { createGrants } from '../local-files/grants.ts';
import {
  createTestClock,
  createTestDocuments,
  createTestLog,
  createTestPublisher,
  makeTestFolder,
} from '../../../test-support/main/test-ports.ts';
import type { UploadItem } from '../transfers/queue/record-factory.ts';
import { createUploadPlans } from './upload-plans.ts';
import { eventually } from '../../../test-support/eventually.ts';

const facts = {
  id: 'p',
  name: 'P',
  maxObjectBytes: null,
  maxSecretBytes: null,
  allowsParts: true,
  identifierTemplate: '{name}',
  separator: '/',
  versionMark: '@{number}',
  downloadFolder: '/downloads',
  downloadFolderIsDefault: false,
};

async function open(template = '{path}', changes: Partial<Parameters<typeof createUploadPlans>[0]> = {}) {
  const folder = await makeTestFolder();
  const grants = createGrants();
  const publisher = createTestPublisher();
  const log = createTestLog();
  const uploads: { serviceId: string; items: UploadItem[] }[] = [];
  const choices: unknown[] = [];
  const plans = createUploadPlans({
    documents: createTestDocuments(),
    grants,
    publisher,
    log,
    clock: createTestClock(),
    connections: {
      originOf: () => 'https://one',
      factsOf: async () => ({ ...facts, identifierTemplate: template }),
    },
    enqueueUploads: async (serviceId, items) => {
      uploads.push({ serviceId, items });
      return idsOf(items);
    },
    onUpload: async (...args) => void choices.push(args),
    onUploading: () => undefined,
    catalogue: {
      findByIdentifiers: async () => new Map(),
      versions: async (_service, _kind, base) => ({ base, versions: [] }),
    },
    ...changes,
  });
  onTestFinished(() => plans.close());
  const { handlers } = plans;
  const drop = async (...names: string[]) =>
    handlers['uploadPlans.open']({
      serviceId: 'p',
      intoFolder: '',
      grants: grants.grant(names.map((name) => join(folder, name))),
    });
  const page = async (id: string) => handlers['uploadPlans.page']({ id, offset: 0, limit: 500 });
  const settled = async ({ id }: UploadPlan) => {
    await eventually(async () =>
      expect((await page(id)).plan).toMatchObject({ reading: false, naming: false }),
    );
    return page(id);
  };
  /** Drops files that contain their own names, one by one. */
  const dropMany = async (names: readonly string[]) => {
    await Promise.all(names.map((name) => writeFile(join(folder, name), name)));
    return drop(...names);
  };
  const identifiers = () => uploads.flatMap(({ items }) => items.map((item) => item.identifier));
  return {
    folder,
    grants,
    publisher,
    log,
    uploads,
    identifiers,
    choices,
    plans,
    handlers,
    drop,
    dropMany,
    page,
    settled,
  };
}

const choice = { classification: null, ifExists: 'ask', request: 'direct' } as const;
const idsOf = (items: readonly unknown[]) => items.map((_, index) => index + 1);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
const sum8 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const closed = new AppFailure({ code: 'notFound', what: 'uploadPlan' });

describe('reading', () => {
  it('streams folders into the sheet; empty files count, empty folders do not', async () => {
    const { folder, drop, settled } = await open();
    await mkdir(join(folder, 'top/inner/empty'), { recursive: true });
    await writeFile(join(folder, 'top/b.txt'), 'bb');
    await writeFile(join(folder, 'top/a.txt'), '');
    await writeFile(join(folder, 'top/inner/c.txt'), 'c');
    await writeFile(join(folder, 'alone.txt'), 'x');
    const plan = await drop('top', 'alone.txt');
    expect(uploadPlanSchema.parse(plan)).toMatchObject({ reading: true, total: 0 });
    const { plan: done, entries, total } = await settled(plan);
    expect(entries.map((entry) => planEntrySchema.parse(entry).identifier)).toEqual([
      'top/a.txt',
      'top/b.txt',
      'top/inner/c.txt',
      'alone.txt',
    ]);
    expect(entries.map((entry) => entry.folder)).toEqual(['top', 'top', 'top/inner', '']);
    expect(total).toBe(4);
    expect(done).toMatchObject({
      total: 4,
      totalBytes: 4,
      ready: 4,
      readyBytes: 4,
      problems: 0,
      refused: [],
    });
  });

  it.skipIf(process.platform === 'win32')(
    'follows no links, opens no pipes, and skips missing files',
    async () => {
      const { folder, drop, settled } = await open();
      await mkdir(join(folder, 'top'));
      await symlink('..', join(folder, 'top/loop'));
      await symlink('/etc/passwd', join(folder, 'top/file-link'));
      execFileSync('mkfifo', [join(folder, 'top/pipe')]);
      await writeFile(join(folder, 'top/z.txt'), 'z');
      await symlink('top', join(folder, 'link-to-top'));
      const { entries } = await settled(await drop('top', 'link-to-top', 'nothing'));
      expect(entries.map((entry) => [entry.fileName, entry.problem?.code])).toEqual([
        ['file-link', 'symbolicLink'],
        ['loop', 'symbolicLink'],
        ['pipe', 'special'],
        ['link-to-top', 'symbolicLink'],
        ['nothing', 'gone'],
        ['z.txt', undefined],
      ]);
    },
  );

  it('sends few events for many files, and stays responsive', async () => {
    const { folder, publisher, drop, page, settled } = await open();
    await mkdir(join(folder, 'many'));
    const names = Array.from({ length: 3000 }, (_, index) => join(folder, 'many', `${index}.txt`));
    for (let index = 0; index < names.length; index += 100) {
      await Promise.all(names.slice(index, index + 100).map((name) => writeFile(name, '')));
    }
    const plan = await drop('many');
    expect((await page(plan.id)).plan.total).toBeLessThan(3000);
    const done = await settled(plan);
    expect(done.plan).toMatchObject({ total: 3000, ready: 3000 });
    await eventually(() =>
      expect(publisher.events.at(-1)).toMatchObject({
        event: 'uploadPlans.changed',
        payload: { reading: false, total: 3000, revision: done.plan.revision },
      }),
    );
    expect(publisher.events.length).toBeLessThan(300);
  });

  it('makes identifiers from the bytes of files', async () => {
    const { folder, drop, settled, handlers } = await open('{hash8}.{ext}');
    await writeFile(join(folder, 'a.txt'), 'hello');
    await writeFile(join(folder, 'b.txt'), 'other');
    const plan = await drop('a.txt', 'b.txt');
    expect((await settled(plan)).entries.map((entry) => entry.identifier)).toEqual([
      `${sum8('hello')}.txt`,
      `${sum8('other')}.txt`,
    ]);
    await handlers['uploadPlans.setTemplate']({ id: plan.id, template: '{name}', resetEdited: false });
    expect((await settled(plan)).entries.map((entry) => entry.identifier)).toEqual(['a.txt', 'b.txt']);
  });

  it('reports a sheet as uploading while its files are still being named', async () => {
    const goesOn: boolean[] = [];
    const { folder, drop, handlers, plans, identifiers } = await open('{hash8}', {
      onUploading: () => goesOn.push(plans.isUploading()),
    });
    await writeFile(join(folder, 'a.txt'), 'hello');
    const { id, naming, reading } = await drop('a.txt');
    expect([naming || reading, plans.isUploading()]).toEqual([true, false]);
    await handlers['uploadPlans.upload']({ id, ...choice });
    expect(identifiers()).toEqual([sum8('hello')]);
    expect(goesOn).toEqual([true, false]);
  });

  it('no longer reports it after the upload has failed', async () => {
    const goesOn: boolean[] = [];
    const { folder, drop, settled, handlers, plans } = await open('{name}', {
      onUploading: () => goesOn.push(plans.isUploading()),
      enqueueUploads: () => Promise.reject(new Error('no room')),
    });
    await writeFile(join(folder, 'a.txt'), 'hello');
    const plan = await drop('a.txt');
    await settled(plan);
    await expect(async () => handlers['uploadPlans.upload']({ id: plan.id, ...choice })).rejects.toThrow(
      'no room',
    );
    expect(goesOn).toEqual([true, false]);
  });

  it('refuses a template with an unknown placeholder', async () => {
    const { folder, drop, settled, handlers } = await open('{name}');
    await writeFile(join(folder, 'a.txt'), 'hello');
    const plan = await drop('a.txt');
    const { id } = plan;
    await settled(plan);
    const change = handlers['uploadPlans.setTemplate'];
    const template = '{nope}/{name}{nope}{Name}';
    await expect(async () => change({ id, template, resetEdited: true })).rejects.toMatchObject({
      error: { code: 'invalidInput', field: 'template', problem: 'unknownPart', values: ['nope', 'Name'] },
    });
    expect((await settled(plan)).entries.map(({ identifier }) => identifier)).toEqual(['a.txt']);
  });

  it('uploads nothing if the service has such a template', async () => {
    const { folder, drop, settled, handlers, uploads } = await open('{nope}/{name}');
    await writeFile(join(folder, 'a.txt'), 'hello');
    const plan = await drop('a.txt');
    const { id } = plan;
    await settled(plan);
    const choice = { classification: null, ifExists: 'ask', request: 'direct' } as const;
    await expect(handlers['uploadPlans.upload']({ id, ...choice })).rejects.toMatchObject({
      error: { code: 'invalidInput', field: 'template', values: ['nope'] },
    });
    expect(uploads).toEqual([]);
  });

  it('reports a file that disappears before it is read', async () => {
    const { folder, drop, settled, handlers } = await open();
    await writeFile(join(folder, 'a.txt'), 'hello');
    const plan = await drop('a.txt');
    await settled(plan);
    await rm(join(folder, 'a.txt'));
    await handlers['uploadPlans.setTemplate']({ id: plan.id, template: '{hash8}', resetEdited: false });
    expect((await settled(plan)).entries[0]?.problem).toEqual({ code: 'gone' });
  });
});

describe('uploading', () => {
  it('hands over what is ready, once everything is read, and remembers the choices', async () => {
    const { folder, drop, handlers, uploads, choices, page, settled } = await open('{name}');
    await mkdir(join(folder, 'top/in'), { recursive: true });
    await writeFile(join(folder, 'top/a.txt'), 'aa');
    await writeFile(join(folder, 'top/in/a.txt'), 'b');
    const plan = await drop('top');
    const { id } = plan;
    await settled(plan);
    const upload = {
      id,
      classification: 'Internal',
      classificationChosen: true,
      ifExists: 'keepBoth',
      request: 'deferred',
    } as const;
    expect(await handlers['uploadPlans.upload'](upload)).toEqual({ count: 1, left: 0 });
    expect(uploads).toMatchObject([
      {
        serviceId: 'p',
        items: [
          {
            path: join(folder, 'top/a.txt'),
            fileName: 'a.txt',
            identifier: 'a.txt',
            sizeBytes: 2,
            classification: 'Internal',
            classificationChosen: true,
            ifExists: 'keepBoth',
          },
        ],
      },
    ]);
    expect(choices).toMatchObject([
      ['p', '', { ifExists: 'keepBoth', request: 'deferred', classification: 'Internal' }],
    ]);
    await expect(page(id)).rejects.toThrow(closed);
  });

  it('adds files to a sheet, removes some, and discards it', async () => {
    const { folder, grants, drop, handlers, settled, page } = await open();
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, name), name);
    const plan = await drop('a', 'b');
    const more = grants.grant([join(folder, 'c')]);
    await handlers['uploadPlans.addFiles']({ id: plan.id, grants: more });
    const { entries } = await settled(plan);
    expect(entries.map((entry) => entry.fileName)).toEqual(['a', 'b', 'c']);
    const left = await handlers['uploadPlans.removeEntries']({ id: plan.id, entries: [entries[1]?.id ?? 0] });
    expect(left).toMatchObject({ total: 2, ready: 2 });
    const again = async () => handlers['uploadPlans.addFiles']({ id: plan.id, grants: more });
    await expect(again()).rejects.toThrow(new AppFailure({ code: 'notFound', what: 'grant' }));
    await handlers['uploadPlans.discard']({ id: plan.id });
    await expect(page(plan.id)).rejects.toThrow(AppFailure);
  });
});

describe('naming', () => {
  it('an upload waits until every file has the name of the new template', async () => {
    const names = numbered(40);
    const { dropMany, settled, handlers, identifiers } = await open('{name}', { batchSize: 5 });
    const plan = await dropMany(names);
    await settled(plan);
    const { id } = plan;
    const described = await handlers['uploadPlans.setTemplate']({
      id,
      template: 'new/{name}',
      resetEdited: false,
    });
    expect(uploadPlanSchema.parse(described)).toMatchObject({ naming: true, template: 'new/{name}' });
    expect(await handlers['uploadPlans.upload']({ id, ...choice })).toEqual({ count: 40, left: 0 });
    expect(identifiers()).toEqual(names.map((name) => `new/${name}`));
  });

  it('an upload waits until every file is named by its bytes', async () => {
    const names = numbered(40);
    const { dropMany, settled, handlers, identifiers } = await open('{name}', { batchSize: 5 });
    const plan = await dropMany(names);
    await settled(plan);
    const { id } = plan;
    await handlers['uploadPlans.setTemplate']({ id, template: '{hash8}', resetEdited: false });
    expect(await handlers['uploadPlans.upload']({ id, ...choice })).toEqual({ count: 40, left: 0 });
    expect(identifiers().toSorted()).toEqual(names.map(sum8).toSorted());
  });

  it('an entry found to have a problem while an upload waits stays in the sheet', async () => {
    const { folder, dropMany, settled, handlers, identifiers, page } = await open('{name}');
    const plan = await dropMany(['a', 'b']);
    await settled(plan);
    const { id } = plan;
    await rm(join(folder, 'a'));
    await handlers['uploadPlans.setTemplate']({ id, template: '{hash8}', resetEdited: false });
    expect(await handlers['uploadPlans.upload']({ id, ...choice })).toEqual({ count: 1, left: 1 });
    expect(identifiers()).toEqual([sum8('b')]);
    const { plan: after, entries } = await page(id);
    expect(after).toMatchObject({ total: 1, problems: 1, handedOver: 1 });
    expect(entries).toMatchObject([{ fileName: 'a', problem: { code: 'gone' } }]);
  });

  it('removing rows while digests are computed skips no other row', async () => {
    const { dropMany, handlers, page, settled } = await open('{hash8}');
    const plan = await dropMany(numbered(100));
    const { id } = plan;
    while ((await page(id)).plan.ready < 5) await setImmediate();
    const first = (await page(id)).entries.filter(({ identifier }) => !identifier.includes('{'));
    const entries = first.slice(0, 4).map((entry) => entry.id);
    await handlers['uploadPlans.removeEntries']({ id, entries });
    expect((await settled(plan)).plan).toMatchObject({ total: 96, ready: 96 });
  });

  it('cancelling a waiting upload sends nothing', async () => {
    const { dropMany, handlers, identifiers, page, log } = await open('{hash8}');
    const { id } = await dropMany(numbered(100));
    const uploading = handlers['uploadPlans.upload']({ id, ...choice });
    await handlers['uploadPlans.discard']({ id });
    expect(await uploading).toEqual({ count: 0, left: 0 });
    expect(identifiers()).toEqual([]);
    await expect(page(id)).rejects.toThrow(closed);
    expect(log.lines).toEqual([]);
  });
});

describe('handing over', () => {
  /** Fails once, before the batch with this number. */
  function failOnce(batchNumber: number) {
    const handedOver: string[] = [];
    let batches = 0;
    return {
      handedOver,
      enqueueUploads: async (_serviceId: string, items: UploadItem[]) => {
        batches += 1;
        await setImmediate();
        if (batches === batchNumber) throw new AppFailure({ code: 'diskFull', folderName: 'x' });
        for (const { identifier } of items) handedOver.push(identifier);
        return idsOf(items);
      },
    };
  }

  it('keeps the rest in the sheet after a failure half-way, and a second attempt sends only the rest', async () => {
    const names = numbered(12);
    const { handedOver, enqueueUploads } = failOnce(3);
    const { dropMany, handlers, settled, choices } = await open('{name}', { batchSize: 5, enqueueUploads });
    const plan = await dropMany(names);
    await settled(plan);
    const { id } = plan;
    const upload = async () => handlers['uploadPlans.upload']({ id, ...choice, classification: 'Secret' });
    await expect(upload()).rejects.toThrow('diskFull');
    expect(handedOver).toEqual(names.slice(0, 10));
    expect((await settled(plan)).plan).toMatchObject({ total: 2, ready: 2, handedOver: 10 });
    expect(choices).toEqual([['p', '', { ...choice, classification: 'Secret' }]]);
    expect(await upload()).toEqual({ count: 2, left: 0 });
    expect(handedOver).toEqual(names);
  });

  it('ends when its batch is cancelled, and none of its files return', async () => {
    const names = numbered(12);
    const handedOver: string[] = [];
    const { dropMany, handlers, settled } = await open('{name}', {
      batchSize: 5,
      enqueueUploads: async (_serviceId, items, _request, pendingBatch) => {
        handedOver.push(...items.map(({ identifier }) => identifier));
        pendingBatch.isStopped = true;
        return idsOf(items);
      },
    });
    const plan = await dropMany(names);
    await settled(plan);
    expect(await handlers['uploadPlans.upload']({ id: plan.id, ...choice })).toEqual({ count: 5, left: 0 });
    expect(handedOver).toEqual(names.slice(0, 5));
  });

  it('does not continue at another address', async () => {
    const names = numbered(12);
    const handedOver: string[] = [];
    const { dropMany, handlers, settled } = await open('{name}', {
      batchSize: 5,
      connections: {
        factsOf: async () => facts,
        originOf: () => (handedOver.length < 5 ? 'https://one' : 'https://two'),
      },
      enqueueUploads: async (_serviceId, items) => {
        handedOver.push(...items.map((item) => item.identifier));
        return idsOf(items);
      },
    });
    const plan = await dropMany(names);
    await settled(plan);
    const upload = async () => handlers['uploadPlans.upload']({ id: plan.id, ...choice });
    await expect(upload()).rejects.toThrow('cancelled');
    expect(handedOver).toEqual(names.slice(0, 5));
    expect((await settled(plan)).plan).toMatchObject({ total: 7, ready: 7, handedOver: 5 });
    expect(await upload()).toEqual({ count: 7, left: 0 });
  });

  it('refuses changes and a second start while it runs, and stops between two batches when cancelled', async () => {
    const handedOver: string[] = [];
    const breaker = Promise.withResolvers<void>();
    async function enqueueUploads(_serviceId: string, items: UploadItem[]) {
      await breaker.promise;
      for (const { identifier } of items) handedOver.push(identifier);
      return idsOf(items);
    }
    const { dropMany, handlers, settled, grants } = await open('{name}', { batchSize: 5, enqueueUploads });
    const plan = await dropMany(numbered(12));
    const { entries } = await settled(plan);
    const { id } = plan;
    const uploading = handlers['uploadPlans.upload']({ id, ...choice });
    const refused = new AppFailure({ code: 'invalidInput', field: 'sheet', problem: 'uploading' });
    const more = grants.grant(['/x']);
    const entryId = entries[0]?.id ?? 0;
    const changes = [
      async () => handlers['uploadPlans.upload']({ id, ...choice }),
      async () => handlers['uploadPlans.addFiles']({ id, grants: more }),
      async () => handlers['uploadPlans.setIdentifier']({ id, entryId, identifier: 'x' }),
      async () => handlers['uploadPlans.setTemplate']({ id, template: 'x', resetEdited: false }),
      async () => handlers['uploadPlans.setFolder']({ id, folder: 'x' }),
      async () => handlers['uploadPlans.removeEntries']({ id, entries: [entryId] }),
    ];
    for (const change of changes) await expect(change()).rejects.toThrow(refused);
    expect(grants.resolve(more[0] ?? '')).toBe('/x');
    await handlers['uploadPlans.discard']({ id });
    breaker.resolve();
    expect(await uploading).toEqual({ count: 5, left: 0 });
    expect(handedOver).toHaveLength(5);
  });

  it('rejects if the service was removed meanwhile, and loses nothing', async () => {
    const gone = new AppFailure({ code: 'notFound', what: 'service' });
    let isThere = true;
    const { dropMany, handlers, settled, identifiers } = await open('{name}', {
      connections: {
        originOf: () => 'https://one',
        async factsOf() {
          if (!isThere) throw gone;
          return facts;
        },
      },
    });
    const plan = await dropMany(['a', 'b']);
    await settled(plan);
    isThere = false;
    const { id } = plan;
    await expect((async () => handlers['uploadPlans.upload']({ id, ...choice }))()).rejects.toThrow(gone);
    expect(identifiers()).toEqual([]);
    expect((await settled(plan)).plan).toMatchObject({ ready: 2, handedOver: 0 });
  });
});

describe('a sheet that was open', () => {
  it('restores it after a kill, with its edits', async () => {
    const documents = createTestDocuments();
    const first = await open('{path}', { documents });
    await mkdir(join(first.folder, 'top'));
    for (const name of ['top/a', 'top/b', 'c', 'd', 'e', 'f'])
      await writeFile(join(first.folder, name), name);
    const { id } = (await first.settled(await first.drop('top', 'c', 'd', 'e', 'f'))).plan;
    const before = (await first.page(id)).entries;
    const idOf = (name: string) => before.find(({ fileName }) => fileName === name)?.id ?? 0;
    await first.handlers['uploadPlans.setTemplate']({ id, template: 'x-{name}', resetEdited: false });
    await first.handlers['uploadPlans.setIdentifier']({ id, entryId: idOf('c'), identifier: 'mine' });
    await first.handlers['uploadPlans.setFolder']({ id, folder: 'in' });
    await first.handlers['uploadPlans.removeEntries']({ id, entries: [idOf('b'), idOf('f')] });
    await first.handlers['uploadPlans.choose']({
      id,
      choices: { classification: 'Secret', ifExists: 'skip' },
    });
    await eventually(() => expect(documents.all.get(`uploadPlans/${id}`)).toContain('Secret'));
    await rm(join(first.folder, 'd'));
    await writeFile(join(first.folder, 'e'), 'longer than before');

    const second = await open('{path}', { documents });
    expect(await second.handlers['uploadPlans.current']({ serviceId: 'another' })).toBeNull();
    const plan = await second.handlers['uploadPlans.current']({ serviceId: 'p' });
    expect(plan).toMatchObject({ id, intoFolder: 'in', template: 'x-{name}', edited: true });
    if (plan === null) return;
    expect(plan.choices).toEqual({ classification: 'Secret', ifExists: 'skip' });
    const { entries } = await second.settled(plan);
    expect(
      entries.map((entry) => [entry.fileName, entry.identifier, entry.problem?.code, entry.changed]),
    ).toEqual([
      ['d', 'in/x-d', 'gone', false],
      ['e', 'in/x-e', undefined, true],
      ['a', 'in/x-a', undefined, false],
      ['c', 'in/mine', undefined, false],
    ]);
    // An entry added now must not reuse an id of the last run.
    const grants = second.grants.grant([join(first.folder, 'f')]);
    await second.handlers['uploadPlans.addFiles']({ id, grants });
    expect((await second.settled(plan)).entries.map((entry) => entry.id)).not.toContain(idOf('f'));
  });

  it('reads it completely after a kill during the reading', async () => {
    const documents = createTestDocuments();
    const first = await open('{path}', { documents });
    await mkdir(join(first.folder, 'top'));
    await writeFile(join(first.folder, 'top/a'), 'a');
    const { id } = (await first.settled(await first.drop('top'))).plan;
    await first.plans.close();
    const head: object = JSON.parse(documents.all.get(`uploadPlans/${id}`) ?? '');
    await documents.write('uploadPlans', [
      { key: id, value: { ...head, parts: 0, taken: [], unread: [join(first.folder, 'top')] } },
    ]);
    const second = await open('{path}', { documents });
    const plan = await second.handlers['uploadPlans.current']({ serviceId: 'p' });
    expect(plan?.edited).toBe(false);
    expect(plan && (await second.settled(plan)).entries).toMatchObject([{ identifier: 'top/a' }]);
  });

  it('restores it on the next page, and forgets it once discarded or uploaded', async () => {
    const documents = createTestDocuments();
    const { dropMany, handlers, settled } = await open('{path}', { documents });
    const current = async () => handlers['uploadPlans.current']({ serviceId: 'p' });
    expect(await current()).toBeNull();
    const plan = await dropMany(['a']);
    await settled(plan);
    expect((await current())?.id).toBe(plan.id);
    await handlers['uploadPlans.discard']({ id: plan.id });
    expect(await current()).toBeNull();
    const next = await dropMany(['b']);
    await handlers['uploadPlans.upload']({ id: next.id, ...choice });
    expect(await current()).toBeNull();
    expect(documents.all.size).toBe(0);
  });

  it('does not restore it on the next page while it is being uploaded', async () => {
    const { dropMany, handlers, identifiers } = await open('{hash8}');
    const going = await dropMany(['x']);
    const uploading = handlers['uploadPlans.upload']({ id: going.id, ...choice });
    expect(await handlers['uploadPlans.current']({ serviceId: 'p' })).toBeNull();
    expect(await uploading).toEqual({ count: 1, left: 0 });
    expect(identifiers()).toEqual([sum8('x')]);
  });

  it('does not exist for an upload without a sheet', async () => {
    const documents = createTestDocuments();
    const seen: unknown[] = [];
    const { folder, plans, handlers, publisher } = await open('{path}', {
      documents,
      batchSize: 1,
      enqueueUploads: async (_, items) => {
        seen.push(await handlers['uploadPlans.current']({ serviceId: 'p' }), documents.all.size);
        return idsOf(items);
      },
    });
    for (const name of ['a', 'b']) await writeFile(join(folder, name), name);
    const where = { intoFolder: '', as: null };
    const paths = [join(folder, 'a'), join(folder, 'b')];
    expect((await plans.put('p', paths, where, choice)).ids).toHaveLength(2);
    expect(seen).toEqual([null, 0, null, 0]);
    expect(publisher.events).toEqual([]);
  });
});
