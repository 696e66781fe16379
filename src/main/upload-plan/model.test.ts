import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkObjectId } from '../../shared/domain/object-id.ts';
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

/** The files below a folder; some have the same content, and some the same name. */
const contents = new Map([
  ['a', 'one'],
  ['b', 'two'],
  ['c', 'one'],
  ['d', ''],
  ['in/a', 'three'],
  ['in/b', 'two'],
  ['in/e', 'four'],
  ['in/f', 'five'],
  ['in/deep/a', 'six'],
]);
const drops = ['a', 'b', 'c', 'd', 'in'];

type Step =
  | { do: 'add'; name: string }
  | { do: 'rename'; at: number; identifier: string | null }
  | { do: 'template'; template: string; resetEdited: boolean }
  | { do: 'remove'; at: number }
  | { do: 'removeProblems' }
  | { do: 'upload'; failsAt: number }
  | { do: 'discard' }
  | { do: 'wait'; turns: number };

const at = fc.nat({ max: 8 });
const add = fc.record({ do: fc.constant('add' as const), name: fc.constantFrom(...drops) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: add, weight: 4 },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      at,
      identifier: fc.option(fc.constantFrom('x', 'y', 'a', '..', '')),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('template' as const),
      template: fc.constantFrom('{path}', '{name}', '{hash8}', '{hash8}/{name}', 'same'),
      resetEdited: fc.boolean(),
    }),
  },
  { arbitrary: fc.record({ do: fc.constant('remove' as const), at }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant('removeProblems' as const) }), weight: 1 },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('upload' as const), failsAt: fc.integer({ min: 1, max: 6 }) }),
  },
  { arbitrary: fc.record({ do: fc.constant('discard' as const) }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat({ max: 40 }) }), weight: 4 },
);

/** A simple model of a sheet: its files, each with the identifier entered for it. */
interface Model {
  readonly id: string;
  template: string;
  /** The dropped paths, without duplicates. */
  readonly added: Set<string>;
  readonly own: Map<string, string | null>;
  readonly handedOver: Map<string, string>;
}

function identifierOf({ own, template }: Model, file: string): string {
  const hash8 = createHash('sha256')
    .update(contents.get(file) ?? '')
    .digest('hex')
    .slice(0, 8);
  const filled = template.replace('{path}', file).replace('{hash8}', hash8);
  return own.get(file) ?? filled.replace('{name}', file.split('/').at(-1) ?? '');
}

/** Expects that every uploadable file of the sheet was uploaded: one for each identifier. */
function expectAllGone(model: Model): void {
  const taken = new Set(model.handedOver.values());
  expect(taken.size).toBe(model.handedOver.size);
  for (const file of model.own.keys()) {
    const identifier = identifierOf(model, file);
    if (!model.handedOver.has(file) && checkObjectId(identifier).ok) expect(taken).toContain(identifier);
  }
}

const uploading = new AppFailure({ code: 'invalidInput', field: 'sheet', problem: 'uploading' });
const closed = new AppFailure({ code: 'notFound', what: 'uploadPlan' });

function createWorld(folder: string) {
  const grants = createGrants();
  const log = createTestLog();
  let model: Model | null = null;
  let failsIn = 0;
  let uploadsRunning = 0;
  const plans = createUploadPlans({
    documents: createTestDocuments(),
    grants,
    log,
    publisher: createTestPublisher(),
    clock: createTestClock(),
    batchSize: 2,
    onUploading: () => undefined,
    connections: {
      originOf: () => 'https://one',
      factsOf: async () => ({
        id: 'p',
        name: 'P',
        maxObjectBytes: null,
        maxSecretBytes: null,
        allowsParts: true,
        identifierTemplate: '{path}',
        separator: '/',
        versionMark: '@{number}',
        downloadFolder: folder,
        downloadFolderIsDefault: false,
      }),
    },
    async enqueueUploads(_serviceId, items) {
      const mine = model;
      if (mine === null) throw new Error('an upload of no sheet');
      expectAsShown(mine, items);
      await setImmediate();
      failsIn -= 1;
      if (failsIn === 0) throw new AppFailure({ code: 'tokenMissing' });
      for (const { path, identifier } of items) mine.handedOver.set(relative(folder, path), identifier);
      return items.map((_, index) => index + 1);
    },
    onUpload: async () => undefined,
    catalogue: {
      findByIdentifiers: async () => new Map(),
      versions: async (_service, _kind, base) => ({ base, versions: [] }),
    },
  });
  const { handlers } = plans;

  function shown(id: string) {
    const page = handlers['uploadPlans.page']({ id, offset: 0, limit: 100 });
    if (page instanceof Promise) throw new Error('a page takes no time');
    const fileOf = (below: string, fileName: string) => (below === '' ? fileName : `${below}/${fileName}`);
    const entries = page.entries.map((entry) => ({ ...entry, file: fileOf(entry.folder, entry.fileName) }));
    return { plan: page.plan, entries };
  }

  function expectAsShown(mine: Model, items: readonly UploadItem[]): void {
    const { plan, entries } = shown(mine.id);
    expect(plan).toMatchObject({ reading: false, naming: false, handedOver: mine.handedOver.size });
    for (const { path, identifier } of items) {
      const file = relative(folder, path);
      expect(mine.own.has(file)).toBe(true);
      expect(mine.handedOver.has(file)).toBe(false);
      expect(identifier).toBe(identifierOf(mine, file));
      expect(entries.find((entry) => entry.file === file)).toMatchObject({ identifier, problem: null });
    }
  }

  async function upload(mine: Model, failsAt: number): Promise<'open' | 'closed'> {
    uploadsRunning += 1;
    try {
      return await uploadNow(mine, failsAt);
    } finally {
      uploadsRunning -= 1;
    }
  }

  async function uploadNow(mine: Model, failsAt: number): Promise<'open' | 'closed'> {
    const { plan, entries } = shown(mine.id);
    const wasSettled = !plan.reading && !plan.naming;
    const seen = entries.filter(({ problem }) => problem !== null).map(({ file }) => file);
    const before = mine.handedOver.size;
    failsIn = failsAt;
    let left: number;
    try {
      const outcome = await handlers['uploadPlans.upload']({
        id: mine.id,
        classification: null,
        ifExists: 'ask',
        request: 'direct',
      });
      expect(outcome.count).toBe(mine.handedOver.size - before);
      left = outcome.left;
    } catch (cause) {
      expect(cause).toEqual(new AppFailure({ code: 'tokenMissing' }));
      return 'open';
    }
    // The sheet was discarded meanwhile.
    if (model !== mine) return 'closed';
    expectAllGone(mine);
    const staying = [...mine.own.keys()].filter((file) => !mine.handedOver.has(file));
    expect(left).toBe(wasSettled ? 0 : staying.length);
    if (left > 0) return 'open';
    expect(staying.filter((file) => !seen.includes(file))).toEqual([]);
    model = null;
    return 'closed';
  }

  async function addFiles(name: string): Promise<void> {
    if (model?.added.has(name)) return;
    const granted = grants.grant([join(folder, name)]);
    if (model !== null) await handlers['uploadPlans.addFiles']({ id: model.id, grants: granted });
    else {
      const opening = { serviceId: 'p', intoFolder: '', grants: granted };
      const { id, template } = await handlers['uploadPlans.open'](opening);
      model = { id, template, added: new Set(), own: new Map(), handedOver: new Map() };
    }
    model.added.add(name);
    for (const file of contents.keys()) {
      if (file === name || file.startsWith(`${name}/`)) model.own.set(file, null);
    }
  }

  /** One change of the sheet; a refused change has no effect. */
  async function change(each: Exclude<Step, { do: 'add' | 'upload' | 'wait' }>, mine: Model): Promise<void> {
    const { id } = mine;
    const { entries } = shown(id);
    const entry = 'at' in each ? entries[each.at % Math.max(1, entries.length)] : undefined;
    if (each.do === 'rename' && entry) {
      const { identifier } = each;
      await handlers['uploadPlans.setIdentifier']({ id, entryId: entry.id, identifier });
      mine.own.set(entry.file, identifier);
    } else if (each.do === 'remove' && entry) {
      await handlers['uploadPlans.removeEntries']({ id, entries: [entry.id] });
      mine.own.delete(entry.file);
    } else if (each.do === 'removeProblems') {
      await handlers['uploadPlans.removeEntries']({ id, entries: 'problems' });
      for (const { file, problem } of entries) if (problem !== null) mine.own.delete(file);
    } else if (each.do === 'template') {
      const { template, resetEdited } = each;
      await handlers['uploadPlans.setTemplate']({ id, template, resetEdited });
      mine.template = template;
      if (resetEdited) for (const file of mine.own.keys()) mine.own.set(file, null);
    } else if (each.do === 'discard') {
      await handlers['uploadPlans.discard']({ id });
      model = null;
    }
  }

  async function run(each: Exclude<Step, { do: 'upload' | 'wait' }>): Promise<void> {
    try {
      if (each.do === 'add') await addFiles(each.name);
      else if (model !== null) await change(each, model);
    } catch (cause) {
      // The upload has begun, or has just closed the sheet.
      expect(uploadsRunning).toBe(1);
      expect([uploading, closed]).toContainEqual(cause);
    }
  }

  return {
    run,
    upload,
    log,
    sheet: () => model,
    isUploading: () => uploadsRunning > 0,
    close: () => plans.close(),
  };
}

it('uploads every ready file exactly once, under the identifier shown last, in any order of operations', async () => {
  const folder = await makeTestFolder();
  await mkdir(join(folder, 'in/deep'), { recursive: true });
  await Promise.all([...contents].map(([file, text]) => writeFile(join(folder, file), text)));

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const world = createWorld(folder);
      const uploads: Promise<unknown>[] = [];
      for (const each of steps) {
        const sheet = world.sheet();
        if (each.do === 'wait') for (let turn = 0; turn < each.turns; turn += 1) await setImmediate();
        else if (each.do !== 'upload') await world.run(each);
        else if (sheet !== null && !world.isUploading()) {
          const upload = world.upload(sheet, each.failsAt);
          upload.catch(() => undefined);
          uploads.push(upload);
        }
      }
      await Promise.all(uploads);
      const last = world.sheet();
      // The second upload also closes a sheet whose problems the first one showed.
      if (last !== null && (await world.upload(last, 0)) === 'open') await world.upload(last, 0);
      expect(world.sheet()).toBeNull();
      expect(world.log.lines).toEqual([]);
      await world.close();
    }),
    { numRuns: 200 },
  );
});
