import type { ObjectRecord } from '../../shared/domain/object.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Catalogue, ObjectChange } from '../catalogue/catalogue.ts';
import type { ProfileFacts } from '../profiles/connections.ts';
import { newRowOf } from './conflict.ts';
import type { Downloaded, Known } from './download.ts';
import { isDownload, isUpload, type DownloadJob, type Entry, type Seen, type Upload } from './entry.ts';
import { batches } from './records.ts';
import { targetOfPath, type Target } from './target-file.ts';
import type { AnsweredUpload } from './upload.ts';

/** What the catalogue learns from what transfers come to. */

/** After success was answered. What is there is recorded as HEAD saw it, also when it is not what was sent. */
export async function changesOfUpload(
  catalogue: Catalogue,
  entry: Upload,
  { answered, seen, error }: AnsweredUpload,
  nowMs: number,
): Promise<ObjectChange[]> {
  const { job, transfer } = entry;
  const { activityToken } = answered;
  // An older row may have been taken off the list meanwhile; what is stored must not be forgotten.
  const [added] = job.ownsRow ? [] : await catalogue.add(transfer.profileId, [newRowOf(entry)]);
  const id = added?.record.id ?? transfer.objectId;
  if (id === null) return [];
  const isWhole = error?.code !== 'storedLengthDiffers';
  return [
    {
      id,
      patch: {
        state: isWhole ? 'stored' : stateOfUnproven(seen),
        lengthBytes: seen.present ? seen.lengthBytes : null,
        sha256: isWhole ? answered.sha256 : null,
        classification: job.classification,
        sourceName: job.fileName,
        storedAtMs: nowMs,
        checkedAtMs: nowMs,
        activityToken,
      },
      history: { action: error ? 'uploadFailed' : 'uploaded', detail: error?.code ?? null, activityToken },
    },
  ];
}

/** Success was answered, and HEAD does not agree: never green by itself. */
function stateOfUnproven(seen: Seen): ObjectRecord['state'] {
  if (!seen.present) return 'missing';
  return seen.lengthBytes === null ? 'unknown' : 'failed';
}

/** Something went out, and what became of it is not known. */
export function isLeftOpen({ job }: Pick<Upload, 'job'>): boolean {
  return job.ownsRow && (job.mayBeThere || job.answered !== null);
}

/** Another upload of the same identifier may have filled the row meanwhile: then there is something in it to lose. */
export async function isStillOurs(catalogue: Catalogue, objectId: number | null): Promise<boolean> {
  const [row] = objectId === null ? [] : await catalogue.getMany([objectId]);
  return row?.state === 'uploading';
}

/**
 * What giving up does to the list. A new row whose upload a person cancelled before anything could be there was never an
 * object: it goes. One that failed stays, so that the person knows of it after a restart too.
 * @param error null: a person cancelled them
 */
export async function changesOfGivingUp(
  catalogue: Catalogue,
  entries: readonly Entry[],
  error: AppError | null,
): Promise<{ changes: ObjectChange[]; abandoned: number[] }> {
  const detail = error?.code ?? 'cancelled';
  const changes: ObjectChange[] = [];
  const abandoned: number[] = [];
  for (const batch of batches(entries.filter(isUpload))) {
    const ids = batch.map(({ transfer }) => transfer.objectId).filter((id) => id !== null);
    const states = new Map((await catalogue.getMany(ids)).map(({ id, state }) => [id, state]));
    for (const entry of batch) {
      const id = entry.transfer.objectId;
      if (id === null) continue;
      const isOurs = entry.job.ownsRow && states.get(id) === 'uploading';
      if (isOurs && error === null && !isLeftOpen(entry)) {
        abandoned.push(id);
        continue;
      }
      const patch = isOurs ? ({ state: isLeftOpen(entry) ? 'unknown' : 'failed' } as const) : {};
      changes.push({ id, patch, history: { action: 'uploadFailed', detail } });
    }
  }
  // That a person did not want a download is no history of the object.
  for (const { transfer } of error ? entries.filter(isDownload) : []) {
    if (transfer.objectId === null) continue;
    changes.push({ id: transfer.objectId, patch: {}, history: { action: 'downloadFailed', detail } });
  }
  return { changes, abandoned };
}

/** A download met 404. A row that is being deleted belongs to who deletes it. */
export function changesOfMissing(row: ObjectRecord | undefined, nowMs: number): ObjectChange[] {
  if (row?.state !== 'stored' && row?.state !== 'unknown') return [];
  return [{ id: row.id, patch: { state: 'missing', checkedAtMs: nowMs } }];
}

/** After HEAD on something that was left open. */
export function changeOfSettling(id: number, seen: Seen, nowMs: number): ObjectChange {
  if (!seen.present)
    return { id, patch: { state: 'failed', checkedAtMs: nowMs }, history: { action: 'checkedMissing' } };
  const patch = { state: 'stored', lengthBytes: seen.lengthBytes, checkedAtMs: nowMs } as const;
  return { id, patch, history: { action: 'checkedPresent' } };
}

export function changesOfDownload(row: ObjectRecord, downloaded: Downloaded, nowMs: number): ObjectChange[] {
  const { lengthBytes, sha256 } = downloaded;
  const isElsewhere = row.state === 'uploading' || row.state === 'deleting';
  const patch = {
    lengthBytes,
    sha256,
    checkedAtMs: nowMs,
    ...(!isElsewhere && { state: 'stored' as const }),
  };
  return [{ id: row.id, patch, history: { action: 'downloaded' } }];
}

/** The row of an upload that never arrived holds what was to be stored, not what is. */
export function knownOf(row: ObjectRecord): Known {
  if (row.state === 'uploading' || row.state === 'failed') return { lengthBytes: null, sha256: null };
  return { lengthBytes: row.lengthBytes, sha256: row.sha256 };
}

/** The identifier's last segment is the name; one that ends with the separator has none. */
export function targetOf(
  row: Pick<ObjectRecord, 'identifier' | 'sourceName'>,
  job: Pick<DownloadJob, 'saveAsPath'>,
  facts: ProfileFacts,
): Target {
  if (job.saveAsPath !== null) return targetOfPath(job.saveAsPath);
  const name = row.identifier.split(facts.separator).at(-1) || row.sourceName || '';
  return {
    folder: facts.downloadFolder,
    makesFolder: facts.downloadFolderIsDefault,
    fileName: safeFileName(name),
    replaces: false,
  };
}
