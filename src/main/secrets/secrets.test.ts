import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Input } from '../../shared/contract.ts';
import { factBits } from '../../shared/domain/unverified.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { systemClock } from '../clock.ts';
import type { SecretToStore } from '../transfers/queue/record-factory.ts';
import { createGrants } from '../local-files/grants.ts';
import {
  createTestClipboard,
  createTestLog,
  createTestPublisher,
  makeTestFolder,
  openTestDatabase,
} from '../../../test-support/main/test-ports.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { anyCharacter } from '../../../test-support/any-character.ts';

/** The service's answer to a read: one value, a failure, or none at all. */
let there: Uint8Array | AppFailure | 'never';
let asked: number;
let given: Uint8Array | null;
let stored: SecretToStore[];
let used: (string | null)[];
let exactLimitBytes: number | null;
/** By how much the service's clock is ahead of this computer's. */
const aheadMs = 600_000;
let clipboard: ReturnType<typeof createTestClipboard>;
let notified: string[];
let savePath: string | null;
let catalogue: Catalogue;
let folder: string;
let id: number;
let secrets: Secrets;
const grants = createGrants();

beforeEach(async () => {
  folder = await makeTestFolder();
  ({ catalogue } = await openTestDatabase());
  [there, given, stored, used, exactLimitBytes] = [new Uint8Array(), null, [], [], null];
  [savePath, asked, notified] = [null, 0, []];
  clipboard = createTestClipboard();
  const [row] = await catalogue.add('p', [
    { kind: 'secret', identifier: 'keys/db', patch: { state: 'unknown' } },
  ]);
  id = row?.record.id ?? 0;
  secrets = createSecrets({
    engine: {
      enqueue: {
        storeSecret: async (_serviceId, secret) => {
          stored.push({ ...secret, value: Uint8Array.from(secret.value) });
          return { id: stored.length, identifier: secret.identifier };
        },
      },
      readSecret: async (_id, signal) => {
        asked += 1;
        if (there === 'never') {
          await once(signal, 'abort');
          throw new Error('aborted');
        }
        if (there instanceof AppFailure) throw there;
        given = Uint8Array.from(there);
        return given;
      },
    },
    catalogue,
    connections: {
      momentOf: (serviceId, ownMs) => (serviceId === 'p' ? ownMs + aheadMs : ownMs),
      factsOf: async (serviceId) => ({
        id: serviceId,
        name: 'Archive',
        maxObjectBytes: null,
        allowsParts: true,
        maxSecretBytes: exactLimitBytes,
        identifierTemplate: '{path}',
        separator: '/',
        versionMark: '@{number}',
        downloadFolder: folder,
        downloadFolderIsDefault: false,
      }),
    },
    grants,
    dialogs: { saveFile: async ({ defaultName }) => savePath && join(folder, savePath || defaultName) },
    desktop: { ...clipboard, notify: ({ title }) => void notified.push(title) },
    clock: systemClock,
    log: createTestLog(),
    publisher: createTestPublisher(),
    onStored: async (_serviceId, classification) => void used.push(classification),
  });
  return () => secrets.close();
});

async function store(source: Input<'secrets.store'>['source']) {
  return secrets.handlers['secrets.store']({
    serviceId: 'p',
    identifier: 'keys/new',
    classification: 'Restricted',
    source,
  });
}
it("returns the name of a secret's next version", async () => {
  const nextOf = (identifier: string) =>
    secrets.handlers['secrets.nextVersion']({ serviceId: 'p', identifier });
  expect(await nextOf('keys/new')).toEqual({ identifier: 'keys/new' });
  expect(await nextOf('keys/db')).toEqual({ identifier: 'keys/db@2' });
  await catalogue.add('p', [
    { kind: 'secret', identifier: 'keys/db@2', patch: { state: 'stored' } },
    { kind: 'secret', identifier: 'keys/db@3', patch: { state: 'failed' } },
    { kind: 'data', identifier: 'keys/db@7', patch: { state: 'stored' } },
  ]);
  expect(await nextOf('keys/db@2')).toEqual({ identifier: 'keys/db@3' });
});

it('numbers and classifies a new version by what was seen, not by what a list claims', async () => {
  const claim = { state: 'stored', unverified: factBits.presence, classification: 'Public' } as const;
  await catalogue.add('p', [
    { kind: 'secret', identifier: 'keys/db@2', patch: { state: 'stored', classification: 'Restricted' } },
    { kind: 'secret', identifier: 'keys/db@7', patch: claim },
    // The number after it would be no version of the same secret any more.
    { kind: 'secret', identifier: 'keys/db@999999999', patch: claim },
  ]);
  const next = { serviceId: 'p', identifier: 'keys/db' };
  expect(await secrets.handlers['secrets.nextVersion'](next)).toEqual({ identifier: 'keys/db@8' });
  const source = { kind: 'text', text: 'new' } as const;
  await secrets.handlers['secrets.store']({ ...next, source, asNewVersion: true });
  expect(stored.map(({ classification }) => classification)).toEqual(['Restricted']);
});

it('a new version has the classification of the newest one, unless another is given', async () => {
  await catalogue.add('p', [
    { kind: 'secret', identifier: 'keys/db@2', patch: { state: 'stored', classification: 'Restricted' } },
  ]);
  const source = { kind: 'text', text: 'new' } as const;
  const rotate = (given: object) =>
    secrets.handlers['secrets.store']({
      serviceId: 'p',
      identifier: 'keys/db',
      source,
      asNewVersion: true,
      ...given,
    });
  await rotate({});
  await rotate({ classification: null });
  await rotate({ classification: 'Internal' });
  expect(stored.map(({ classification }) => classification)).toEqual(['Restricted', null, 'Internal']);
});

async function storeFile(path: string) {
  const [grant = ''] = grants.grant([path]);
  return store({ kind: 'grant', grant });
}
/** Creates a file in the test's folder. */
function write(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
const reveal = async () => secrets.handlers['secrets.reveal']({ id });
const copy = async () => secrets.handlers['secrets.copy']({ id });
const saveAs = async () => secrets.handlers['secrets.saveAs']({ id });
const failureOf = (work: Promise<unknown>) => work.then(() => null, toAppError);

it('stores what was typed as UTF-8, and remembers the classification', async () => {
  expect(await store({ kind: 'text', text: 'Schlüssel 🔑' })).toEqual({
    transferId: 1,
    identifier: 'keys/new',
  });
  expect(stored[0]).toEqual({
    identifier: 'keys/new',
    classification: 'Restricted',
    value: Uint8Array.from(Buffer.from('Schlüssel 🔑')),
    sourceName: null,
  });
  expect(used).toEqual(['Restricted']);
});

it.each([
  [null, 10_240],
  [10_000, 10_000],
  [64, 64],
  [20_000, 20_000],
])('with the limit %s takes %i bytes, and refuses one more before sending', async (limit, most) => {
  exactLimitBytes = limit;
  const tooLarge = { code: 'tooLarge', limitBytes: most };
  await store({ kind: 'text', text: 'x'.repeat(most) });
  await storeFile(write('fits.key', new Uint8Array(most)));
  expect(stored.map(({ value }) => value.length)).toEqual([most, most]);
  // Two bytes per letter: the limit counts bytes.
  const letters = { kind: 'text', text: 'ü'.repeat(Math.floor(most / 2) + 1) } as const;
  expect(await failureOf(store(letters))).toEqual(tooLarge);
  expect(await failureOf(storeFile(write('over.key', new Uint8Array(most + 1))))).toEqual(tooLarge);
  expect(stored).toHaveLength(2);
});

it('does not read a file that is too large', async () => {
  const path = write('huge', new Uint8Array(1));
  truncateSync(path, 2 ** 40);
  expect(await failureOf(storeFile(path))).toMatchObject({ code: 'tooLarge' });
});

it('copies what the page shows without asking the service', async () => {
  await secrets.handlers['secrets.copy']({ id, revealed: 'shown' });
  expect([await clipboard.readClipboardText(), asked]).toEqual(['shown', 0]);
});

it('takes a file by its bytes and its name, once', async () => {
  const bytes = Uint8Array.from({ length: 9_000 }, (_, index) => index % 256);
  const [grant = ''] = grants.grant([write('server.key', bytes)]);
  await store({ kind: 'grant', grant });
  expect(stored[0]).toMatchObject({ value: bytes, sourceName: 'server.key' });
  expect(await failureOf(store({ kind: 'grant', grant }))).toEqual({ code: 'notFound', what: 'grant' });
});

it.runIf(process.platform !== 'win32')('refuses what is no plain file, and what is not there', async () => {
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')];
  execFileSync('mkfifo', [pipe]);
  symlinkSync(write('real', new Uint8Array(3)), link);
  for (const path of [pipe, link, folder, '/dev/zero']) {
    expect([path, await failureOf(storeFile(path))]).toMatchObject([path, { code: 'fileSpecial' }]);
  }
  expect(await failureOf(storeFile(join(folder, 'none')))).toEqual({ code: 'fileGone', fileName: 'none' });
});

it('refuses values that cannot travel', async () => {
  const refused = (problem: string) => ({ code: 'invalidInput', field: 'source', problem });
  expect(await failureOf(store({ kind: 'text', text: 'half \ud83d' }))).toEqual(refused('loneSurrogate'));
  expect(await failureOf(storeFile(write('empty', new Uint8Array())))).toEqual(refused('emptySecret'));
  expect(stored).toEqual([]);
});

it('reveals text as text and anything else as hex, without a loss', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.string({ unit: anyCharacter })), async (value) => {
      there = typeof value === 'string' ? Buffer.from(value) : value;
      const shown = await reveal();
      const back = shown.kind === 'text' ? Buffer.from(shown.text) : Buffer.from(shown.hex, 'hex');
      expect(back.equals(there)).toBe(true);
      expect(shown.lengthBytes).toBe(there.length);
      expect(shown.kind === 'text' || typeof value !== 'string').toBe(true);
    }),
    { numRuns: 50 },
  );
  there = Buffer.from('\ufeffwith a mark');
  expect(await reveal()).toMatchObject({ kind: 'text', text: '\ufeffwith a mark' });
  there = Uint8Array.of(0x61, 0xff);
  expect(await reveal()).toEqual({ kind: 'binary', hex: '61ff', lengthBytes: 2 });
});

it('copies text and never answers it', async () => {
  there = Buffer.from('hunter2');
  const state = await copy();
  expect(clipboard.text).toBe('hunter2');
  expect(state).toEqual({ objectId: id, clearsAtMs: expect.any(Number), waitsForFocus: false });
  expect(secrets.handlers['secrets.clipboard'](undefined)).toEqual(state);
  await secrets.handlers['secrets.clearClipboard'](undefined);
  expect(clipboard.text).toBe('');
});

it.each([
  ['binary', Uint8Array.of(0xff, 0xfe)],
  ['with a NUL, at which many clipboards end', Buffer.from('a\0b')],
])('does not copy a value that is %s', async (_how, bytes) => {
  there = bytes;
  expect(await failureOf(copy())).toEqual({ code: 'secretNotText' });
  expect(clipboard.text).toBe('');
});

it('saves for the owner only, replacing the old file, and leaves no other file', async () => {
  there = Uint8Array.of(1, 2, 255);
  savePath = 'db.key';
  const path = write('db.key', Buffer.from('older'));
  expect(await saveAs()).toEqual({ fileName: 'db.key' });
  expect(readFileSync(path)).toEqual(Buffer.from(there));
  const { mode } = statSync(path);
  expect(process.platform === 'win32' || (mode & 0o777) === 0o600).toBe(true);
  expect(readdirSync(folder)).toEqual(['db.key']);
});

it('sends no request if no file was chosen, and reports where it cannot save', async () => {
  there = Buffer.from('x');
  expect(await saveAs()).toBeNull();
  expect(given).toBeNull();
  savePath = join('gone', 'db.key');
  expect(await failureOf(saveAs())).toEqual({ code: 'folderGone', folderName: 'gone' });
});

it('notes each use without the value, and overwrites its bytes', async () => {
  there = Buffer.from('hunter2');
  savePath = 'db.key';
  await reveal();
  expect(given).toEqual(new Uint8Array(7));
  await copy();
  await saveAs();
  expect(given).toEqual(new Uint8Array(7));
  const history = await catalogue.history(id, 10);
  expect(history.map(({ action, detail }) => `${action} ${detail}`).toSorted()).toEqual([
    'secretRead copied',
    'secretRead revealed',
    'secretRead saved',
  ]);
});

it('records the last use of a value: only successful reads count', async () => {
  const usedAtMs = async () => (await catalogue.getMany([id]))[0]?.checkedAtMs;
  there = Buffer.from([0xff]);
  expect(await failureOf(copy())).toEqual({ code: 'secretNotText' });
  expect(await usedAtMs()).toBeNull();
  await reveal();
  // By the service's clock.
  expect(await usedAtMs()).toBeGreaterThan(Date.now() + aheadMs / 2);
});

it('reports whether a file is text, with the same refusals as storing', async () => {
  const inspect = async (name: string, bytes: Uint8Array) => {
    const [grant = ''] = grants.grant([write(name, bytes)]);
    return secrets.handlers['secrets.inspect']({ serviceId: 'p', grant });
  };
  expect(await inspect('a.pem', Buffer.from('-----BEGIN'))).toEqual({ isText: true });
  expect(await inspect('a.der', Buffer.from([0x30, 0x82, 0xff]))).toEqual({ isText: false });
  expect(await inspect('a.nul', Buffer.from('a\0b'))).toEqual({ isText: false });
  expect(await failureOf(inspect('large', Buffer.alloc(10_241, 'a')))).toMatchObject({ code: 'tooLarge' });
});

it('cancels reading one secret only', async () => {
  there = 'never';
  const revealed = failureOf(reveal());
  await eventually(() => expect(asked).toBe(1));
  await secrets.handlers['secrets.stop']({ id: id + 1 });
  await secrets.handlers['secrets.stop']({ id });
  expect(await revealed).toEqual({ code: 'cancelled' });
  expect(await catalogue.history(id, 10)).toEqual([]);
});

it('refuses a copy that the clipboard did not take', async () => {
  clipboard.refuses = true;
  there = Buffer.from('hunter2');
  expect(await failureOf(copy())).toEqual({ code: 'clipboardRefused', problem: 'notKept' });
  expect(secrets.handlers['secrets.clipboard'](undefined)).toMatchObject({ objectId: null });
});

it('copies an invitation to a team as it copies values', async () => {
  const invitation = 'coffer-team:abc';
  const state = await secrets.handlers['secrets.copyInvitation']({ invitation });
  expect(clipboard.text).toBe(invitation);
  expect(state).toMatchObject({ objectId: null, clearsAtMs: expect.any(Number) });
  expect(secrets.handlers['secrets.clipboard'](undefined)).toEqual(state);
  await secrets.handlers['secrets.clearClipboard'](undefined);
  expect(clipboard.text).toBe('');
  expect(secrets.handlers['secrets.clipboard'](undefined)).toMatchObject({ clearsAtMs: null });
});

it('tells the person about a copy that waits for the focus, and clears it then', async () => {
  there = Buffer.from('hunter2');
  await copy();
  clipboard.waits = true;
  await secrets.handlers['secrets.clearClipboard'](undefined);
  expect(notified).toEqual(['A secret is still on the clipboard']);
  clipboard.waits = false;
  secrets.focused();
  await eventually(() => expect(clipboard.text).toBe(''));
});

it('ends what runs and clears the clipboard when it closes', async () => {
  there = Buffer.from('hunter2');
  await copy();
  there = 'never';
  const revealed = failureOf(reveal());
  await eventually(() => expect(asked).toBe(2));
  await secrets.close();
  expect([await revealed, clipboard.text]).toEqual([{ code: 'cancelled' }, '']);
});

it("passes on the service's errors", async () => {
  there = new AppFailure({ code: 'missing', status: 404 });
  expect(await failureOf(reveal())).toEqual({ code: 'missing', status: 404 });
});

it('marks what is saved as come from elsewhere', async () => {
  there = Buffer.from('start calc');
  savePath = 'secret.cmd';
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { value: 'win32' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform));
  await saveAs();
  // The stream of NTFS is a file here.
  expect(readdirSync(folder)).toContainEqual(
    expect.stringMatching(/^secret\.cmd\.[0-9a-f]{8}\.part:Zone\.Identifier$/),
  );
});
