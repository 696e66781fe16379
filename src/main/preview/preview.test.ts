import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NewObject } from '../objects/catalogue.ts';
import type { ConnectionVerdict, ServiceFacts } from '../connections/connections.ts';
import { createServiceClient } from '../service/client.ts';
import { factBits } from '../../shared/domain/unverified.ts';
import { blackPng, lyingAvif, smallAvif } from '../../../test-support/preview-bombs.ts';
import { serve } from '../../../test-support/main/service/test-server.ts';
import { openTestDatabase } from '../../../test-support/main/test-ports.ts';
import { createVirtualClock } from '../../../test-support/main/transfers/virtual-clock.ts';
import { openLocalCopies } from '../local-files/local-copies.ts';
import { createPreviews } from './preview.ts';

const maxBytes = 16 * 1024 * 1024;

async function open(
  bytes: Uint8Array | string,
  changes: Partial<NewObject> & {
    hideLength?: boolean;
    localFiles?: string[];
    copy?: string;
    /** How the service fails. */
    fails?: 'missing' | 'breaksOff';
  } = {},
) {
  const { sockets, address } = await serve((request, response) => {
    // So that the type, which is ignored, doesn't make the bytes those of a sign-in page.
    if (request.url !== '/api/data/a')
      return void response.writeHead(request.headers.authorization === undefined ? 401 : 404).end();
    if (changes.fails === 'missing') return void response.writeHead(404).end();
    if (changes.fails === 'breaksOff') return void request.socket.destroy();
    if (!changes.hideLength) response.setHeader('content-length', Buffer.byteLength(bytes));
    response.setHeader('content-type', 'text/html');
    response.end(bytes);
  });
  const { catalogue } = await openTestDatabase();
  const [added] = await catalogue.add('p', [
    { kind: 'data', identifier: 'a', patch: { state: 'stored' }, ...changes },
  ]);
  const client = createServiceClient({ baseAddress: address, getToken: () => 'token' });
  onTestFinished(() => client.close());
  const clock = createVirtualClock();
  // A thread on a busy machine may need this long.
  const localCopies = openLocalCopies(30_000);
  const verdicts: ConnectionVerdict[] = [];
  const previews = createPreviews({
    catalogue,
    clock,
    localCopies,
    copies: {
      fileNameOf: async () => 'a',
      find: async () => null,
      async take(_row, _name, mayFetch) {
        return mayFetch ? (changes.copy ?? null) : null;
      },
    },
    engine: { localFilesOf: async () => changes.localFiles ?? [] },
    connections: {
      factsOf: async () => ({ separator: '/' }) as ServiceFacts,
      clientOf: async () => client,
      momentOf: (_serviceId, ownMs) => ownMs,
      report: (_serviceId, verdict) => void verdicts.push(verdict),
    },
  });
  const look = async (mayFetch = false) =>
    (await previews.handlers['objects.preview']({ id: added?.record.id ?? 0, mayFetch })).preview;
  const ticketOf = ({ url }: { url: string }) => url.replace('preview/', '');
  const show = async () => (await look(true)) ?? { kind: 'none', url: '' };
  onTestFinished(localCopies.close);
  onTestFinished(() => previews.close());
  const row = async () => (await catalogue.getMany([added?.record.id ?? 0]))[0];
  return { previews, clock, show, look, ticketOf, sockets, row, verdicts };
}

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'coffer-thumbnail-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return (name: string, bytes: Uint8Array) => {
    writeFileSync(join(path, name), bytes);
    return join(path, name);
  };
}
const storedAs = (bytes: Uint8Array) => ({
  patch: { state: 'stored', lengthBytes: bytes.length, sha256: hash('sha256', bytes) } as const,
});

it('shows at once that the service no longer has the object', async () => {
  const { show, row, clock } = await open('', { fails: 'missing' });
  await expect(show()).rejects.toMatchObject({ error: { code: 'missing' } });
  expect(await row()).toMatchObject({ state: 'missing', checkedAtMs: clock.nowMs() });
});

it('reports a connection that breaks off', async () => {
  const { show, row, verdicts } = await open('', { fails: 'breaksOff' });
  await expect(show()).rejects.toMatchObject({ error: { code: 'connectionLost' } });
  expect(verdicts).toEqual(['unstable']);
  expect(await row()).toMatchObject({ state: 'stored' });
});

describe('what is shown', () => {
  it.each([
    ['text', 'grüße\n', 'text/plain; charset=utf-8'],
    ['text', '', 'text/plain; charset=utf-8'],
    ['text', '<html><script>alert(1)</script>', 'text/plain; charset=utf-8'],
    ['text', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain; charset=utf-8'],
    ['text', 'BMW and other makers', 'text/plain; charset=utf-8'],
    ['image', blackPng(4, 3), 'image/png'],
    ['image', Buffer.from('ffd8ffc0001108000300040301220002110103110177ffda0008010100', 'hex'), 'image/jpeg'],
    ['image', Buffer.from('GIF89a\x04\0\x03\0\0\0\0'), 'image/gif'],
    ['image', Buffer.from('RIFF\x01\0\0\0WEBPVP8L\x05\0\0\0\x2f\x04\0\0\0'), 'image/webp'],
    ['image', smallAvif, 'image/avif'],
    ['image', Buffer.from('BM\x01\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x04\0\x03\0\x01\0\x18\0'), 'image/bmp'],
    ['pdf', '%PDF-1.4\n1 0 obj', 'application/pdf'],
    ['pdf', '\ufeff%PDF-1.4\n1 0 obj', 'application/pdf'],
    ['text', 'ID3 tags, and how to read them', 'text/plain; charset=utf-8'],
    ['audio', Buffer.from('RIFF\x01\0\0\0WAVEfmt '), 'audio/wav'],
    ['audio', Buffer.from('ID3\x04\0\0'), 'audio/mpeg'],
    ['audio', Buffer.from('fffb9064', 'hex'), 'audio/mpeg'],
    ['audio', Buffer.from('fff15080', 'hex'), 'audio/aac'],
    ['audio', Buffer.from('fLaC\0\0'), 'audio/flac'],
    ['audio', Buffer.from('OggS\0\x02'), 'audio/ogg'],
    ['audio', Buffer.from('\0\0\0\x20ftypM4A \0'), 'audio/mp4'],
    ['video', Buffer.from('\0\0\0\x20ftypisom\0'), 'video/mp4'],
    ['video', Buffer.from('\0\0\0\x14ftypqt  \0'), 'video/mp4'],
    ['video', Buffer.from('1a45dfa3010000', 'hex'), 'video/webm'],
  ])('%s: %j', async (kind, bytes, mediaType) => {
    const { previews, show, ticketOf } = await open(bytes);
    const preview = await show();
    expect(preview.kind).toBe(kind);
    const response = await previews.respond(ticketOf(preview));
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(bytes));
  });

  it.each([
    ['type', Buffer.from('PK\x03\x04\0\0'), {}],
    ['type', Buffer.from('\0\0\0\x18ftypheic\0'), {}],
    ['type', Buffer.from([0xc3, 0x28]), {}],
    ['type', Buffer.concat([Buffer.alloc(5000, 'a'), Buffer.from([0xff, 0x00])]), {}],
    ['type', 'a', { kind: 'secret' }],
    ['header', Buffer.from('89504e470d0a1a0a0000', 'hex'), {}],
    ['state', 'a', { patch: { state: 'missing' } }],
    ['storing', 'a', { patch: { state: 'uploading' } }],
    ['size', 'a', { patch: { state: 'stored', lengthBytes: maxBytes + 1 } }],
    ['size', Buffer.alloc(maxBytes + 1, 'a'), {}],
    ['size', Buffer.alloc(maxBytes + 1, 'a'), { hideLength: true }],
  ] as const)('nothing, because of its %s', async (problem, bytes, changes) => {
    const { show } = await open(bytes, changes);
    await expect(show()).rejects.toMatchObject({ error: { code: 'previewUnavailable', problem } });
  });
});

it.each([
  ['a PNG of 31 KB', blackPng(16_000, 16_000), 256_000_000, 100_000_000],
  ['an AVIF that says it is small', lyingAvif, 268_435_456, 50_000_000],
])('of %s, which would take gigabytes, there is none', async (_, bytes, pixels, maxPixels) => {
  const error = { code: 'pictureTooLarge', pixels, maxPixels };
  const { show } = await open(bytes);
  await expect(show()).rejects.toMatchObject({ error });
  const here = await open('other', { localFiles: [folder()('a', bytes)], ...storedAs(bytes) });
  await expect(here.look()).rejects.toMatchObject({ error });
});

it('shows a picture of 100 megapixels', async () => {
  const { show } = await open(blackPng(10_000, 10_000));
  expect((await show()).kind).toBe('image');
});

describe('tickets', () => {
  it('are good once', async () => {
    const { previews, show, ticketOf } = await open('a');
    const ticket = ticketOf(await show());
    expect((await previews.respond(ticket)).status).toBe(200);
    expect((await previews.respond(ticket)).status).toBe(404);
    expect((await previews.respond('__proto__')).status).toBe(404);
  });

  it('end after a minute, and when there are many newer ones', async () => {
    const { previews, show, ticketOf, clock } = await open('a');
    const old = ticketOf(await show());
    await clock.advance(59_000);
    const newer = ticketOf(await show());
    await clock.advance(1_000);
    expect((await previews.respond(old)).status).toBe(404);
    expect((await previews.respond(newer)).status).toBe(200);
    const tickets: string[] = [];
    for (let count = 0; count < 9; count += 1) tickets.push(ticketOf(await show()));
    const statuses = await Promise.all(
      tickets.map(async (ticket) => (await previews.respond(ticket)).status),
    );
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200, 200, 200, 200]);
  });
});

describe('without a request', () => {
  const picture = Buffer.concat([blackPng(4, 3), Buffer.alloc(9000, 1)]);

  it('comes what the newest file has that still has the bytes', async () => {
    const write = folder();
    const localFiles = [
      join(write('gone', picture), 'not-there'),
      write('shorter', picture.subarray(1)),
      write('changed', Buffer.concat([picture.subarray(0, -1), Buffer.from('x')])),
      write('same.png', picture),
    ];
    const { look, previews, ticketOf, sockets } = await open('other', {
      localFiles,
      ...storedAs(picture),
    });
    const preview = await look();
    expect(preview?.kind).toBe('image');
    const response = await previews.respond(ticketOf(preview ?? { url: '' }));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture);
    expect(sockets.size).toBe(0);
  });

  it('comes neither what a link leads to, nor another type, nor a secret', async () => {
    const write = folder();
    const [target, zip] = [write('target', picture), write('zip', Buffer.from('PK\x03\x04\0\0'))];
    symlinkSync(target, `${target}-link`);
    const linked = await open('a', { localFiles: [`${target}-link`], ...storedAs(picture) });
    expect(await linked.look()).toBeNull();
    const zipped = await open('a', { localFiles: [zip], ...storedAs(Buffer.from('PK\x03\x04\0\0')) });
    await expect(zipped.look()).rejects.toMatchObject({ error: { problem: 'type' } });
    const secret = await open('a', {
      localFiles: [target],
      kind: 'secret',
      ...storedAs(picture),
    });
    expect(await secret.look()).toBeNull();
  });

  it.each([
    ['picture', 'a', picture],
    ['sound', 'a.flac', Buffer.concat([Buffer.from('fLaC\0'), Buffer.alloc(maxBytes)])],
  ])('comes no %s for a digest that is somebody’s word', async (_, identifier, bytes) => {
    const { patch } = storedAs(bytes);
    const unverified = { patch: { ...patch, unverified: factBits.digest } };
    const { look } = await open('a', { identifier, localFiles: [folder()('a', bytes)], ...unverified });
    expect(await look()).toBeNull();
  });

  it('comes nothing if there is no such file, or if it is too large', async () => {
    const { look, sockets } = await open('text');
    expect(await look()).toBeNull();
    const large = Buffer.alloc(maxBytes + 1, 'a');
    const other = await open('a', { localFiles: [folder()('large', large)], ...storedAs(large) });
    expect(await other.look()).toBeNull();
    expect(sockets.size).toBe(0);
  });

  it('plays a sound of any size by ranges of a file that has its bytes, while it still has', async () => {
    const tune = Buffer.concat([Buffer.from('RIFF\x01\0\0\0WAVEfmt '), Buffer.alloc(maxBytes, 'tune')]);
    const write = folder();
    const other = write('other.wav', Buffer.alloc(tune.length, 1));
    const path = write('tune.wav', tune);
    const { look, previews, ticketOf, sockets } = await open('other', {
      identifier: 'tune.wav',
      localFiles: [join(other, 'not-there'), other, path],
      ...storedAs(tune),
    });
    const preview = await look();
    expect(preview).toMatchObject({ kind: 'audio', isInPieces: true });
    const ticket = ticketOf(preview ?? { url: '' });
    const ask = (range: string | null) => previews.respond(ticket, range);
    const first = await ask('bytes=0-');
    expect([first.status, first.headers.get('content-type')]).toEqual([206, 'audio/wav']);
    // Chromium's player ends where the length of the answer ends, whatever `content-range` says.
    expect(first.headers.get('content-length')).toBe(String(tune.length));
    expect(first.headers.get('content-range')).toBe(`bytes 0-${tune.length - 1}/${tune.length}`);
    expect(Buffer.from(await first.arrayBuffer())).toEqual(tune);
    const later = await ask('bytes=16777000-16777009');
    expect(Buffer.from(await later.arrayBuffer())).toEqual(tune.subarray(16777000, 16777010));
    const last = await ask(`bytes=${tune.length - 5}-`);
    expect(last.headers.get('content-length')).toBe('5');
    expect(Buffer.from(await last.arrayBuffer())).toEqual(tune.subarray(-5));
    const half = (await ask('bytes=0-')).body?.getReader();
    expect((await half?.read())?.value?.length).toBe(262144);
    for (const range of [`bytes=${tune.length}-`, 'bytes=5-4', 'lines=1-2'])
      expect((await ask(range)).status).toBe(416);
    writeFileSync(path, Buffer.alloc(tune.length, 2));
    expect((await ask('bytes=0-')).status).toBe(404);
    await expect(half?.read()).rejects.toThrow('has changed');
    expect(sockets.size).toBe(0);
  });

  it('ends the search for a file when another one is looked for, and fetches nothing instead', async () => {
    const tune = Buffer.concat([Buffer.from('fLaC\0'), Buffer.alloc(maxBytes)]);
    const write = folder();
    const localFiles = [write('changed', Buffer.alloc(tune.length, 1)), write('same', tune)];
    const { look } = await open('other', {
      identifier: 'a.flac',
      copy: 'none',
      localFiles,
      ...storedAs(tune),
    });
    const [first, second] = await Promise.allSettled([look(true), look()]);
    expect(first).toMatchObject({ reason: { error: { code: 'cancelled' } } });
    expect(second).toMatchObject({ value: { kind: 'audio' } });
  });

  it('plays a sound that is only at the service from a private copy, made on request', async () => {
    const tune = Buffer.concat([Buffer.from('fLaC\0'), Buffer.alloc(maxBytes)]);
    const copy = folder()('copy', tune);
    const { look, previews, ticketOf } = await open('other', {
      identifier: 'a.flac',
      copy,
      ...storedAs(tune),
    });
    expect(await look()).toBeNull();
    const preview = await look(true);
    expect(preview).toMatchObject({ kind: 'audio', isInPieces: true });
    expect((await previews.respond(ticketOf(preview ?? { url: '' }))).status).toBe(206);
    const noSound = folder()('copy', Buffer.alloc(tune.length, 'a'));
    const text = await open('other', { identifier: 'a.flac', copy: noSound, ...storedAs(tune) });
    await expect(text.look(true)).rejects.toMatchObject({ error: { problem: 'type' } });
  });

  it.skipIf(process.platform === 'win32')('comes nothing from a pipe, which is not waited for', async () => {
    const pipe = join(folder()('a', picture), '..', 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { look } = await open('a', { localFiles: [pipe], ...storedAs(picture) });
    expect(await look()).toBeNull();
  });
});
