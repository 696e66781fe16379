import { hash } from 'node:crypto';
import { isUnverified } from '../../../shared/domain/unverified.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { ObjectRow } from '../parts/step-context.ts';
import type { StoredManifest } from '../parts/receive-parts.ts';
import type { WorkOf } from '../model/next.ts';
import type { TransferRecord } from '../model/record.ts';

interface Known {
  readonly lengthBytes: number | null;
  readonly sha256: string | null;
}

/** The row of an upload that never arrived describes what was to be stored, not what is. */
export function knownOf({ work }: TransferRecord, row: ObjectRow | null): Known {
  const isOfElsewhere = work.kind === 'download' && work.isMoved === true;
  if (!row || isOfElsewhere || row.record.state === 'uploading' || row.record.state === 'failed') {
    return { lengthBytes: null, sha256: null };
  }
  const { parts } = row.record;
  if (parts && work.kind === 'download' && work.asItIs)
    return { lengthBytes: parts.manifestBytes, sha256: parts.manifestSha256 };
  return row.record;
}

/**
 * The row must describe this manifest, or the file: a row that was imported, or added by its identifier alone, does
 * not say that the object is in parts. @throws AppFailure downloadLengthDiffers, digestDiffers
 */
export function requireKnown(
  work: WorkOf<'download'>,
  row: ObjectRow | null,
  { manifest, text }: StoredManifest,
): void {
  if (work.isMoved) return;
  const { lengthBytes = null, sha256 = null, parts } = row?.record ?? {};
  if (row?.record.state === 'uploading' || row?.record.state === 'failed') return;
  const isOfManifest =
    !parts &&
    lengthBytes === Buffer.byteLength(text) &&
    (sha256 === null || sha256 === hash('sha256', text, 'hex'));
  if (isOfManifest) return;
  if (lengthBytes !== null && lengthBytes !== manifest.size)
    throw new AppFailure(lengthDiffers(row, lengthBytes, manifest.size));
  if (sha256 !== null && sha256 !== manifest.sha256)
    throw new AppFailure(digestDiffers(row, sha256, manifest.sha256));
}

/**
 * Verifies received bytes by the lengths that the service has announced, then by what the list knows.
 * @returns what they were verified by. @throws AppFailure downloadLengthDiffers, digestDiffers, or as claimed
 */
export function requireReceived(
  record: TransferRecord,
  row: ObjectRow | null,
  announced: readonly number[],
  { lengthBytes: receivedBytes, sha256 }: { lengthBytes: number; sha256: string },
): 'digest' | 'length' | 'end' {
  const known = knownOf(record, row);
  const expectedBytes = announced.find((length) => length !== receivedBytes);
  if (expectedBytes !== undefined)
    throw new AppFailure({ code: 'downloadLengthDiffers', expectedBytes, receivedBytes });
  if (known.lengthBytes !== null && known.lengthBytes !== receivedBytes)
    throw new AppFailure(lengthDiffers(row, known.lengthBytes, receivedBytes));
  if (known.sha256 !== null && known.sha256 !== sha256)
    throw new AppFailure(digestDiffers(row, known.sha256, sha256));
  if (known.sha256 !== null) return 'digest';
  return announced.length > 0 || known.lengthBytes !== null ? 'length' : 'end';
}

/** The error for a length that differs from the list's. */
function lengthDiffers(row: ObjectRow | null, expectedBytes: number, receivedBytes: number): AppError {
  const code = row && isLengthUnverified(row) ? 'claimedLengthDiffers' : 'downloadLengthDiffers';
  return { code, expectedBytes, receivedBytes };
}

/** An unverified digest of an object in parts implies an unverified manifest length. */
export function isLengthUnverified({ record }: ObjectRow): boolean {
  return isUnverified(record, 'length') || (record.parts !== undefined && isUnverified(record, 'digest'));
}

function digestDiffers(row: ObjectRow | null, expected: string, actual: string): AppError {
  const code = row && isUnverified(row.record, 'digest') ? 'claimedDigestDiffers' : 'digestDiffers';
  return { code, expected, actual };
}
