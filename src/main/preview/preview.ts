import { randomUUID } from 'node:crypto';
import type { Handlers, Output } from '../../shared/contract.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import {
  isPlayedFromFile,
  pictureMaxPixels,
  previewMaxBytes,
  previewProblem,
} from '../../shared/domain/preview.ts';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import { isUntouched } from '../local-files/file-state.ts';
import { constants, open } from '../local-files/fs.ts';
import type { FoundFile, LocalCopies } from '../local-files/local-copies.ts';
import { Alarm } from '../lib/timers.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { requireObject } from '../objects/require-object.ts';
import type { Clock } from '../ports.ts';
import { verdictOf, type Connections } from '../connections/connections.ts';
import type { Edits } from '../edits/edits.ts';
import type { Host } from '../host.ts';
import { statOf } from '../local-files/file-bytes.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Manifest } from '../transfers/parts/manifest.ts';
import type { Engine } from '../transfers/engine.ts';
import { contentTypeOf, couldBeText, signedType } from './content.ts';
import { pictureSizeOf } from './picture-size.ts';
import type { PreviewChoices } from './preview-choices.ts';
import { sniffManifest } from '../transfers/parts/read-manifest.ts';
import { createUploadedFiles, thumbnails } from './thumbnails.ts';

/** Bytes read at a time, when the player wants more. */
const pieceBytes = 256 * 1024;

/** A file that a player reads piece by piece. */
interface PlayedFile extends FoundFile {
  readonly mediaType: string;
}

/** Bytes of a file; null: it has changed since it was found, or is a link. */
async function readPiece(
  { path, stats }: FoundFile,
  startBytes: number,
  lengthBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => null);
  if (handle === null) return null;
  try {
    const piece = new Uint8Array(lengthBytes);
    const { bytesRead } = await handle.read(piece, 0, lengthBytes, startBytes);
    // Checked after reading, because the file may change meanwhile.
    return isUntouched(stats, await handle.stat({ bigint: true })) ? piece.subarray(0, bytesRead) : null;
  } catch {
    return null; // its drive is gone
  } finally {
    await handle.close();
  }
}

/** Opens the file anew for each piece, so that an answer that nobody reads to its end keeps nothing open. */
async function* readPieces(file: FoundFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const piece = await readPiece(file, at, Math.min(pieceBytes, end - at));
    if (piece === null || piece.length === 0) throw new Error('the file has changed since it was found');
    yield piece;
    at += piece.length;
  }
}

/**
 * Answers a player with everything from where it asks. Outside http Chromium ignores status and `content-range`: for it a file ends
 * `content-length` bytes after the start of the range (`ResourceMultiBufferDataProvider::DidReceiveResponse`), so a shorter answer would end
 * the file. It stops reading when it has enough, and seeks by another request. Electron's `net.fetch` answers no ranges of a file
 * (electron/electron#38749).
 * @param range the request's header: `bytes=0-`, which is what no header means here, or `bytes=100-200`
 */
async function answerRange(file: PlayedFile, range: string | null): Promise<Response> {
  const sizeBytes = Number(file.stats.size);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? 'bytes=0-') ?? [];
  const start = Number(from);
  const end = Math.min(to ? Number(to) + 1 : sizeBytes, sizeBytes);
  if (from === undefined || start >= end)
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${String(sizeBytes)}` } });
  if ((await readPiece(file, start, 1)) === null) return new Response(null, { status: 404 });
  // Reads nothing ahead: its `highWaterMark` is 0.
  return new Response(ReadableStream.from(readPieces(file, start, end)), {
    status: 206,
    headers: {
      'accept-ranges': 'bytes',
      'content-length': String(end - start),
      'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(sizeBytes)}`,
      'content-type': file.mediaType,
    },
  });
}

/** Enough bytes to recognise types that have a preview. */
const sniffBytes = 4096;
const ticketMs = 60_000;
const maxTickets = 8;
/** Total size of the previews whose tickets are unused. */
const maxWaitingBytes = 32 * 1024 * 1024;
/** Number of files that can be played: the latest, which the window may still show. */
const maxPlayed = 4;

type Preview = NonNullable<Output<'objects.preview'>['preview']>;

export interface Previews {
  readonly handlers: Pick<Handlers, 'objects.preview'>;
  /** null: only a download would do. @throws AppFailure previewUnavailable, pictureTooLarge, and those of a download */
  readonly find: (record: ObjectRecord, mayFetch: boolean) => Promise<Preview | null>;
  /**
   * The preview for a ticket, once; or a piece of a played file, any number of times. 404 if the ticket was used, has expired or never
   * existed, or the file has changed.
   * @param range header of the request
   */
  readonly respond: (ticket: string, range?: string | null) => Promise<Response>;
  close(): void;
}

/**
 * Previews of stored objects, from files of this computer or fetched into memory, and recognised by content. Only audio and video too large
 * for memory are fetched into a file: a private copy, like one for another program. Text is always text/plain, SVG and HTML included; all
 * other types cannot contain scripts.
 */
export function createPreviews(deps: {
  catalogue: Pick<Catalogue, 'getMany' | 'update'>;
  connections: Pick<Connections, 'clientOf' | 'factsOf' | 'momentOf' | 'report'>;
  engine: Pick<Engine, 'localFilesOf'>;
  localCopies: Pick<LocalCopies, 'read' | 'find'>;
  copies: Pick<Edits['copies'], 'fileNameOf' | 'find' | 'take'>;
  clock: Clock;
}): Previews {
  const { catalogue, connections, engine, localCopies, copies, clock } = deps;
  const tickets = new Map<string, { bytes: Uint8Array<ArrayBuffer>; mediaType: string; endMs: number }>();

  const played = new Map<string, PlayedFile>();

  /** Frees the memory of unused previews even if no other is requested. */
  const forgetting = new Alarm(clock, forgetOld);

  /** Drops expired tickets, and the oldest while there are too many. */
  function forgetOld(): void {
    const waitingBytes = () => [...tickets.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    const tooMany = () => tickets.size > maxTickets || waitingBytes() > maxWaitingBytes;
    for (const [ticket, { endMs }] of tickets) {
      if (endMs <= clock.monotonicMs() || tooMany()) tickets.delete(ticket);
    }
    const [oldest] = tickets.values();
    if (oldest) forgetting.setBy(oldest.endMs);
  }

  function offer(bytes: Uint8Array<ArrayBuffer>): Preview {
    const { kind, mediaType } = contentTypeOf(bytes) ?? refuse('type');
    if (kind === 'image') checkPicture(bytes, mediaType);
    const ticket = randomUUID();
    tickets.set(ticket, { bytes, mediaType, endMs: clock.monotonicMs() + ticketMs });
    forgetOld();
    return { kind, url: `preview/${ticket}` };
  }

  async function fetchBytes(record: ObjectRecord): Promise<Uint8Array<ArrayBuffer>> {
    const { id, serviceId, identifier, state } = record;
    const client = await connections.clientOf(serviceId);
    try {
      const { body } = await client.downloadData(identifier);
      const { reading, pieces } = await sniffManifest(body, identifier);
      if (reading.kind === 'manifest') return await readPreview(bytesOfParts(client, reading.manifest));
      if (reading.kind !== 'none') refuse('type');
      return await readPreview(pieces);
    } catch (cause) {
      const error = toAppError(cause);
      const verdict = error && verdictOf(error);
      if (verdict) connections.report(serviceId, verdict, error);
      if (error?.code === 'missing' && (state === 'stored' || state === 'unknown')) {
        const checkedAtMs = connections.momentOf(serviceId, clock.nowMs());
        const patch = { state: 'missing', checkedAtMs } as const;
        await catalogue.update([{ id, ifState: state, patch, history: { action: 'checkedMissing' } }]);
      }
      throw cause;
    }
  }

  async function offerFile(file: FoundFile): Promise<Preview> {
    const { kind, mediaType } =
      signedType((await readPiece(file, 0, sniffBytes)) ?? refuse('type')) ?? refuse('type');
    if (kind !== 'audio' && kind !== 'video') refuse('type');
    const ticket = randomUUID();
    played.set(ticket, { ...file, mediaType });
    for (const oldest of played.keys()) if (played.size > maxPlayed) played.delete(oldest);
    return { kind, url: `preview/${ticket}`, isInPieces: true };
  }

  async function findFile(record: ObjectRecord, mayFetch: boolean): Promise<FoundFile | null> {
    const own = await localCopies.find(record, engine.localFilesOf);
    if (own !== null) return own;
    const fileName = await copies.fileNameOf(record);
    const path = mayFetch
      ? await copies.take(record, fileName, true, 'look')
      : await copies.find(record, fileName);
    const stats = path === null ? null : await statOf(path);
    return path === null || stats === null ? null : { path, stats };
  }

  async function play(record: ObjectRecord, mayFetch: boolean): Promise<Preview | null> {
    const problem = previewProblem(record, Infinity);
    if (problem !== null) refuse(problem);
    const file = await findFile(record, mayFetch);
    return file && offerFile(file);
  }

  async function find(record: ObjectRecord, mayFetch: boolean): Promise<Preview | null> {
    if (isPlayedFromFile(record)) return play(record, mayFetch);
    const bytes = record.kind === 'data' ? await localCopies.read(record, engine.localFilesOf) : null;
    if (bytes !== null) return offer(bytes);
    if (!mayFetch) return null;
    const problem = previewProblem(record);
    if (problem !== null) refuse(problem);
    return { ...offer(await fetchBytes(record)), isFetched: true };
  }

  return {
    handlers: {
      'objects.preview': async ({ id, mayFetch }) => ({
        preview: await find(await requireObject(catalogue, id), mayFetch),
      }),
    },
    find,
    async respond(ticket, range = null) {
      const file = played.get(ticket);
      if (file) return answerRange(file, range);
      const found = tickets.get(ticket);
      tickets.delete(ticket);
      if (!found) return new Response(null, { status: 404 });
      return new Response(found.bytes, { headers: { 'content-type': found.mediaType } });
    },
    close: () => forgetting.cancel(),
  };
}

/** The content of a chunked file. */
async function* bytesOfParts(
  client: Pick<ServiceClient, 'downloadData'>,
  { size, parts }: Manifest,
): AsyncGenerator<Uint8Array> {
  if (size > previewMaxBytes) refuse('size');
  for (const { id } of parts) yield* (await client.downloadData(id)).body as AsyncIterable<Uint8Array>;
}

/** Stops as soon as the object turns out to have no preview; leaving the loop destroys the body and frees the connection. */
async function readPreview(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  let isSniffed = false;
  for await (const chunk of body) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > previewMaxBytes) refuse('size');
    if (isSniffed || sizeBytes < sniffBytes) continue;
    isSniffed = true;
    const start = Buffer.concat(chunks);
    if (!signedType(start) && !couldBeText(start)) refuse('type');
  }
  return Buffer.concat(chunks);
}

/** Small files can hold huge pictures: 31 KB of PNG took 1.4 GB. */
function checkPicture(bytes: Uint8Array, mediaType: string): void {
  const { pixels, isDouble } = pictureSizeOf(bytes, mediaType) ?? refuse('header');
  const maxPixels = isDouble ? pictureMaxPixels / 2 : pictureMaxPixels;
  if (pixels > maxPixels) throw new AppFailure({ code: 'pictureTooLarge', pixels, maxPixels });
}

function refuse(problem: 'type' | 'size' | 'header' | 'state' | 'storing'): never {
  throw new AppFailure({ code: 'previewUnavailable', problem });
}

/** @param edits the copies for other programs, of which a played file is one */
export async function previews(host: Host, { copies }: Pick<Edits, 'copies'>, choices: PreviewChoices) {
  const { engine } = host;
  const uploaded = createUploadedFiles();
  const own = createPreviews({
    ...host,
    engine: { localFilesOf: async (id) => [...(await engine.localFilesOf(id)), ...uploaded.pathsOf(id)] },
    copies,
  });
  host.onClose(() => own.close());
  const ofThumbnails = await thumbnails(host, own.find, choices, uploaded);
  return { ...own, handlers: { ...own.handlers, ...ofThumbnails } };
}
