import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import { startLocalService } from '../../local-service/service.ts';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import {
  createQuickClock,
  createTestClipboard,
  makeTestFolder,
} from '../../../test-support/main/test-ports.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { draftOf } from '../../command/services/draft.ts';

/*
 * The whole application with the real service. A value is stored, revealed, copied and saved; then every byte
 * written, logged, published or returned is searched for it.
 */

const letters = `Zq9-${randomBytes(18).toString('base64url')}-ÿ`;
const bytes = Buffer.concat([randomBytes(24), Buffer.of(0xff, 0xfe)]);

/** All encodings in which a value might be written, and its digest. */
function tracesOf(value: Buffer): Buffer[] {
  const text = value.toString('utf8');
  // Base64 depends on the preceding bytes; only the letters that do not are searched for.
  const shifted = [0, 1, 2].flatMap((before) =>
    (['base64', 'base64url'] as const).map((encoding) =>
      Buffer.concat([Buffer.alloc(before), value])
        .toString(encoding)
        .slice(4, -4),
    ),
  );
  const sha256 = createHash('sha256').update(value);
  const digest = sha256.digest();
  return [
    value,
    digest,
    ...[value.toString('hex'), value.toString('hex').toUpperCase(), digest.toString('hex')].map(toBytes),
    ...[digest.toString('base64'), encodeURIComponent(text), escape(text), ...shifted].map(toBytes),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
  ];
}
const toBytes = (text: string) => Buffer.from(text);
const escape = (text: string) => text.replaceAll('ÿ', '\\u00ff');
const traces = [...tracesOf(Buffer.from(letters)), ...tracesOf(bytes)];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const hasTrace = (content: Buffer) => traces.some((trace) => content.includes(trace));

async function open() {
  const service = await startLocalService({
    dataFolder: await makeTestFolder(),
    token: 'a-token',
    masterKey: new Uint8Array(32).fill(7),
    processingMs: 5,
  });
  onTestFinished(() => service.close());
  /** The person's own files. */
  const own = await makeTestFolder();
  const temporary = await makeTestFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const clipboard = createTestClipboard();
  let savePath: string | null = null;
  const opened = await openApp({
    dialogs: { saveFile: async () => savePath },
    desktop: clipboard,
    clock: createQuickClock(20),
  });
  const { app, log, publisher } = opened;

  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
    // Only this answer is meant to contain a value.
    if (name !== 'secrets.reveal')
      expect([name, hasTrace(toBytes(JSON.stringify(reply)))]).toEqual([name, false]);
    return reply.value as Output<N>;
  }

  /** No trace of a value in anything written (all of it is below the temporary folder) or sent. */
  function expectNoTrace(): void {
    const written = filesBelow(temporary);
    expect(written.map((path) => path.split('/').at(-1))).toContain('coffer.db');
    const said = [...log.lines, ...publisher.events.map((event) => JSON.stringify(event))].map(toBytes);
    expect(written.filter((path) => hasTrace(readFileSync(path)))).toEqual([]);
    expect(said.filter(hasTrace).map(String)).toEqual([]);
  }

  const { id: serviceId } = await call('services.add', {
    draft: draftOf('Archive', service.baseAddress),
    token: 'a-token',
  });
  const store = (identifier: string, source: Input<'secrets.store'>['source']) =>
    call('secrets.store', { serviceId, identifier, classification: 'Restricted', source });
  async function rowOf(identifier: string) {
    const query = { serviceId, kind: 'secret', place: { kind: 'all' }, search: '' } as const;
    const sort = { column: 'identifier', direction: 'ascending' } as const;
    const { rows } = await call('objects.page', { query: { ...query, sort }, offset: 0, limit: 10 });
    return rows.find((row) => row.identifier === identifier);
  }
  return {
    ...opened,
    call,
    expectNoTrace,
    serviceId,
    store,
    own,
    /** The id of a secret, once it is stored. */
    stored: (identifier: string) =>
      eventually(async () => {
        const row = await rowOf(identifier);
        expect(row?.state).toBe('stored');
        return row?.id ?? 0;
      }),
    clipboard: () => clipboard.text,
    saveTo: (path: string) => {
      savePath = path;
    },
  };
}

it('the search finds what it is looking for', () => {
  for (const trace of traces) {
    expect(hasTrace(Buffer.concat([Buffer.from('before'), trace, Buffer.from('after')]))).toBe(true);
  }
  expect(hasTrace(Buffer.from(`{"a":"${Buffer.from(`{"v":"${letters}"}`).toString('base64')}"}`))).toBe(true);
  expect(hasTrace(Buffer.from('something else'))).toBe(false);
});

it('stores, reveals, copies and saves a value, which is nowhere else', async () => {
  const opened = await open();
  const { app, own, call, store, stored, serviceId, clipboard, saveTo, expectNoTrace } = opened;
  writeFileSync(join(own, 'server.key'), bytes);
  const [grant = ''] = app.grant([join(own, 'server.key')]);

  await store('keys/text', { kind: 'text', text: letters });
  expectNoTrace();
  await store('keys/bytes', { kind: 'grant', grant });
  const [text, binary] = [await stored('keys/text'), await stored('keys/bytes')];
  expectNoTrace();

  const lengthBytes = Buffer.byteLength(letters);
  expect(await call('secrets.reveal', { id: text })).toEqual({ kind: 'text', text: letters, lengthBytes });
  expect(await call('secrets.reveal', { id: binary })).toMatchObject({ hex: bytes.toString('hex') });
  await call('secrets.copy', { id: text });
  expect(clipboard()).toBe(letters);
  expect(await app.router('secrets.copy', { id: binary })).toEqual({
    ok: false,
    error: { code: 'secretNotText' },
  });
  saveTo(join(own, 'saved.key'));
  await call('secrets.saveAs', { id: binary });
  expect(readFileSync(join(own, 'saved.key'))).toEqual(bytes);
  expect(modeOf(join(own, 'saved.key'))).toBe(modeHere(0o600));
  expectNoTrace();

  const query = { serviceId, kind: 'secret', place: { kind: 'all' }, search: letters } as const;
  const sort = { column: 'size', direction: 'descending' } as const;
  expect(await call('objects.page', { query: { ...query, sort }, offset: 0, limit: 9 })).toMatchObject({
    total: 0,
  });
  const { history, object } = await call('objects.get', { id: text });
  const usedAtMs = history.find(({ action }) => action === 'secretRead')?.atMs ?? 0;
  expect(Math.abs((object.checkedAtMs ?? 0) - usedAtMs)).toBeLessThan(1000);
  expect(history.map(({ action, detail }) => `${action} ${detail}`)).toContain('secretRead copied');
  for (const [name, input] of [
    ['transfers.page', { tab: 'jobs', offset: 0, limit: 50 }],
    ['transfers.page', { tab: 'transfers', offset: 0, limit: 50 }],
    ['tasks.list', undefined],
    ['app.info', undefined],
    ['settings.get', undefined],
    ['services.list', undefined],
    ['secrets.clipboard', undefined],
    ['objects.collections', { serviceId }],
  ] as const) {
    await call(name, input as Input<typeof name>);
  }
  saveTo(join(own, 'list.jsonl'));
  await call('objects.export', { serviceId, format: 'jsonl' });
  expect(hasTrace(readFileSync(join(own, 'list.jsonl')))).toBe(false);

  await opened.close();
  expect(clipboard()).toBe('');
  expectNoTrace();
});

it('leaves nothing either of a value that is refused, or whose job is stopped', async () => {
  const { app, call, close, store, serviceId, expectNoTrace } = await open();
  const refusalOf = async (change: object) => {
    const source = { kind: 'text', text: letters };
    const input = { serviceId, identifier: 'x', classification: null, source, ...change };
    return app.router('secrets.store', input);
  };
  await store('twice', { kind: 'text', text: letters });
  const refusals = [
    await refusalOf({ serviceId: 'unknown' }),
    await refusalOf({ identifier: '..' }),
    await refusalOf({ value: letters }),
    await refusalOf({ source: { kind: 'text', text: letters.repeat(1000) } }),
    await app.router('secrets.reveal', { id: 1, value: letters }),
    await app.router('secrets.reveal', { id: 99_999 }),
  ];
  expect(refusals.map((reply) => !reply.ok && reply.error.code)).toEqual([
    'notFound',
    'badIdentifier',
    'invalidInput',
    'invalidInput',
    'invalidInput',
    'notFound',
  ]);
  expect(hasTrace(toBytes(JSON.stringify(refusals)))).toBe(false);
  await call('transfers.cancel', { which: { tab: 'jobs' } });
  await close();
  expectNoTrace();
});
