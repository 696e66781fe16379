import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Outcome } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Download } from '../service/data.ts';
import { look, type Way } from './look.ts';
import { createPart, type Target } from './target-file.ts';

/** What the catalogue knows of the object; null: nothing. */
export interface Known {
  readonly lengthBytes: number | null;
  readonly sha256: string | null;
}

/** A part file that only lacks its name. */
export interface Whole {
  /** Absolute. */
  readonly partPath: string;
  /** The name it is to get. */
  readonly fileName: string;
  readonly lengthBytes: number;
  readonly sha256: string;
}

export interface Downloaded {
  readonly path: string;
  readonly lengthBytes: number;
  readonly sha256: string;
  readonly outcome: Outcome;
}

/**
 * One attempt of a download (section 4.1, Download Data; Check Data when the answer does not carry the length). The file
 * gets its name when everything that is known of the object agrees: its length as announced, as stored and as the
 * catalogue has it, and its digest. @throws AppFailure; then nothing is left behind
 */
export async function attemptDownload(
  identifier: string,
  target: Target,
  known: Known,
  way: Way,
): Promise<Downloaded> {
  way.onState('moving');
  await way.turn();
  const { client, signal } = way;
  return save(identifier, await client.downloadData(identifier, { signal }), target, known, way);
}

export interface SaveOptions {
  /** The part file is there, with nothing in it. */
  readonly onPart?: (path: string) => Promise<void>;
  /** The part file is whole and on the disk; it gets its name after this. */
  readonly onWhole?: (whole: Whole) => Promise<void>;
  /** HEAD is asked for the length, when the answer has not said it. */
  readonly looks?: boolean;
}

/** Takes in what a request answered, and gives the file its name when all agrees. @throws AppFailure */
export async function save(
  identifier: string,
  { body, lengthBytes, originalLengthBytes }: Download,
  target: Target,
  known: Known,
  way: Way,
  { onPart, onWhole, looks = true }: SaveOptions = {},
): Promise<Downloaded> {
  // What is known before the first byte also bounds what is taken in: a body that goes on and on fills no disk.
  const announced = [lengthBytes, originalLengthBytes, known.lengthBytes].filter((length) => length !== null);
  const part = await createPart(target).catch((cause: unknown) => {
    body.destroy();
    throw cause;
  });
  try {
    await onPart?.(part.path);
    const hash = createHash('sha256');
    const mostBytes = Math.min(...announced, Number.MAX_SAFE_INTEGER);
    let receivedBytes = 0;
    way.onProgress(0, lengthBytes ?? originalLengthBytes ?? known.lengthBytes);
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      receivedBytes += piece.length;
      if (receivedBytes > mostBytes) break;
      hash.update(piece);
      await part.write(piece);
      way.onProgress(receivedBytes, lengthBytes ?? originalLengthBytes ?? known.lengthBytes);
    }

    way.onState('verifying');
    if (looks && originalLengthBytes === null) {
      const seen = await look(way, identifier);
      if (seen.present && seen.lengthBytes !== null) announced.push(seen.lengthBytes);
    }
    const expectedBytes = announced.find((length) => length !== receivedBytes);
    if (expectedBytes !== undefined) {
      throw new AppFailure({ code: 'downloadLengthDiffers', expectedBytes, receivedBytes });
    }
    const sha256 = hash.digest('hex');
    if (known.sha256 !== null && known.sha256 !== sha256) {
      throw new AppFailure({ code: 'digestDiffers', expected: known.sha256, actual: sha256 });
    }
    way.signal.throwIfAborted();
    if (onWhole) {
      await part.sync();
      await onWhole({ partPath: part.path, fileName: target.fileName, lengthBytes: receivedBytes, sha256 });
    }
    const path = await part.publish();
    const verifiedBy = known.sha256 !== null ? 'digest' : announced.length > 0 ? 'length' : 'end';
    return {
      path,
      lengthBytes: receivedBytes,
      sha256,
      outcome: { kind: 'saved', fileName: basename(path), verifiedBy },
    };
  } finally {
    // After publishing there is nothing of it left.
    await part.discard();
  }
}
