import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { draftEntrySchema, draftSchema, type Draft } from '../../shared/domain/upload-draft.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { UploadItem } from '../engine/enqueue.ts';
import { createGrants } from '../files/grants.ts';
import {
  createTestClock,
  createTestLog,
  createTestPublisher,
  eventually,
  makeTestFolder,
} from '../test-ports.ts';
import { createDrafts } from './drafts.ts';

async function open(template = '{path}') {
  const folder = await makeTestFolder();
  const grants = createGrants();
  const publisher = createTestPublisher();
  const log = createTestLog();
  const uploads: { profileId: string; items: UploadItem[] }[] = [];
  const choices: unknown[] = [];
  const drafts = createDrafts({
    grants,
    publisher,
    log,
    clock: createTestClock(),
    connections: {
      factsOf: async (id) => ({
        id,
        name: 'P',
        maxObjectBytes: null,
        maxSecretBytes: null,
        identifierTemplate: template,
        separator: '/',
        downloadFolder: folder,
        downloadFolderIsDefault: false,
      }),
    },
    enqueueUploads: (profileId, items) => void uploads.push({ profileId, items }),
    onUpload: async (profileId, choice) => void choices.push([profileId, choice]),
  });
  onTestFinished(() => drafts.close());
  const { handlers } = drafts;
  const drop = async (...names: string[]) =>
    handlers['drafts.open']({
      profileId: 'p',
      intoFolder: '',
      grants: grants.grant(names.map((name) => join(folder, name))),
    });
  const page = async (id: string) => handlers['drafts.page']({ id, offset: 0, limit: 500 });
  const settled = async ({ id }: Draft) => {
    await eventually(async () => expect((await page(id)).draft.reading).toBe(false));
    return page(id);
  };
  return { folder, grants, publisher, log, uploads, choices, drafts, handlers, drop, page, settled };
}

describe('reading', () => {
  it('streams folders into the sheet; empty files count, empty folders do not', async () => {
    const { folder, drop, settled } = await open();
    await mkdir(join(folder, 'top/inner/empty'), { recursive: true });
    await writeFile(join(folder, 'top/b.txt'), 'bb');
    await writeFile(join(folder, 'top/a.txt'), '');
    await writeFile(join(folder, 'top/inner/c.txt'), 'c');
    await writeFile(join(folder, 'alone.txt'), 'x');
    const draft = await drop('top', 'alone.txt');
    expect(draftSchema.parse(draft)).toMatchObject({ reading: true, total: 0 });
    const { draft: done, entries, total } = await settled(draft);
    expect(entries.map((entry) => draftEntrySchema.parse(entry).identifier)).toEqual([
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

  it('follows no link, opens no pipe, and goes on past what is gone', async () => {
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
  });

  it('tells with few events about many files, and stays answerable', async () => {
    const { folder, publisher, drop, page, settled } = await open();
    await mkdir(join(folder, 'many'));
    const names = Array.from({ length: 3000 }, (_, index) => join(folder, 'many', `${index}.txt`));
    for (let index = 0; index < names.length; index += 100) {
      await Promise.all(names.slice(index, index + 100).map((name) => writeFile(name, '')));
    }
    const draft = await drop('many');
    expect((await page(draft.id)).draft.total).toBeLessThan(3000);
    const done = await settled(draft);
    expect(done.draft).toMatchObject({ total: 3000, ready: 3000 });
    await eventually(() =>
      expect(publisher.events.at(-1)).toMatchObject({
        event: 'drafts.changed',
        payload: { reading: false, total: 3000, revision: done.draft.revision },
      }),
    );
    expect(publisher.events.length).toBeLessThan(300);
  });

  it('names files by their bytes', async () => {
    const { folder, drop, settled, handlers } = await open('{hash8}.{ext}');
    await writeFile(join(folder, 'a.txt'), 'hello');
    await writeFile(join(folder, 'b.txt'), 'other');
    const draft = await drop('a.txt', 'b.txt');
    const sum = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
    expect((await settled(draft)).entries.map((entry) => entry.identifier)).toEqual([
      `${sum('hello')}.txt`,
      `${sum('other')}.txt`,
    ]);
    await handlers['drafts.setTemplate']({ id: draft.id, template: '{name}', resetEdited: false });
    expect((await settled(draft)).entries.map((entry) => entry.identifier)).toEqual(['a.txt', 'b.txt']);
  });

  it('a file that goes before its bytes are read is gone', async () => {
    const { folder, drop, settled, handlers } = await open();
    await writeFile(join(folder, 'a.txt'), 'hello');
    const draft = await drop('a.txt');
    await settled(draft);
    await rm(join(folder, 'a.txt'));
    await handlers['drafts.setTemplate']({ id: draft.id, template: '{hash8}', resetEdited: false });
    expect((await settled(draft)).entries[0]?.problem).toEqual({ code: 'gone' });
  });
});

describe('uploading', () => {
  it('hands over what is ready, once everything is read, and remembers the choices', async () => {
    const { folder, drop, handlers, uploads, choices, page } = await open('{name}');
    await mkdir(join(folder, 'top/in'), { recursive: true });
    await writeFile(join(folder, 'top/a.txt'), 'aa');
    await writeFile(join(folder, 'top/in/a.txt'), 'b');
    const { id } = await drop('top');
    const upload = { id, classification: 'Internal', ifExists: 'keepBoth', request: 'deferred' } as const;
    expect(await handlers['drafts.upload'](upload)).toEqual({ count: 1 });
    expect(uploads).toMatchObject([
      {
        profileId: 'p',
        items: [
          {
            path: join(folder, 'top/a.txt'),
            fileName: 'a.txt',
            identifier: 'a.txt',
            sizeBytes: 2,
            classification: 'Internal',
            ifExists: 'keepBoth',
          },
        ],
      },
    ]);
    expect(choices).toEqual([
      ['p', { ifExists: 'keepBoth', request: 'deferred', classification: 'Internal' }],
    ]);
    await expect(page(id)).rejects.toThrow(new AppFailure({ code: 'notFound', what: 'draft' }));
  });

  it('adds files to a sheet, takes some out, and discards it', async () => {
    const { folder, grants, drop, handlers, settled, page } = await open();
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, name), name);
    const draft = await drop('a', 'b');
    const more = grants.grant([join(folder, 'c')]);
    await handlers['drafts.addFiles']({ id: draft.id, grants: more });
    const { entries } = await settled(draft);
    expect(entries.map((entry) => entry.fileName)).toEqual(['a', 'b', 'c']);
    const left = await handlers['drafts.removeEntries']({ id: draft.id, entries: [entries[1]?.id ?? 0] });
    expect(left).toMatchObject({ total: 2, ready: 2 });
    const again = async () => handlers['drafts.addFiles']({ id: draft.id, grants: more });
    await expect(again()).rejects.toThrow(new AppFailure({ code: 'notFound', what: 'grant' }));
    await handlers['drafts.discard']({ id: draft.id });
    await expect(page(draft.id)).rejects.toThrow(AppFailure);
  });
});
