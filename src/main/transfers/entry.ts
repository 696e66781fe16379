import type { Transfer, TransferState } from '../../shared/domain/transfer.ts';
import type { IfExists } from '../../shared/domain/profile.ts';
import type { Pace } from '../../shared/domain/progress.ts';

/** A file to upload, as the sheet saw it. */
export interface UploadItem {
  readonly path: string;
  readonly fileName: string;
  readonly identifier: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** null: the service's default policy. */
  readonly classification: string | null;
  readonly ifExists: IfExists;
}

/** What a POST that was answered with success came to. */
export interface Answered {
  readonly sentBytes: number;
  /** null: the service answered before it had everything. */
  readonly sha256: string | null;
  /** null: it was in the answer that got lost. */
  readonly activityToken: string | null;
  /** The file is not the same any more. */
  readonly fileChanged: boolean;
}

/** Plain data: what is left to do could be written down and taken up again. */
export interface UploadJob {
  readonly kind: 'upload';
  readonly path: string;
  readonly fileName: string;
  /** What the file must be when it is opened; null: as it is, a person tried again. */
  expected: { readonly sizeBytes: number; readonly mtimeMs: number } | null;
  readonly modifiedAtMs: number;
  readonly classification: string | null;
  ifExists: IfExists;
  /** The row was added for this upload: before success there is nothing in it to lose. */
  ownsRow: boolean;
  /** A POST went out whose answer never came: the object may be there, and be ours. */
  mayBeThere: boolean;
  /** The POST succeeded; only the comparison is left. */
  answered: Answered | null;
  /** The identifier exists and the object is not ours: what HEAD said of it. */
  conflict: Seen | null;
  /** Of the file, once it was read to its end. */
  sha256: string | null;
}

/** What is to be done for a file of a sheet, before anything was tried. */
export function newUploadJob(item: UploadItem): UploadJob {
  const { path, fileName, sizeBytes, mtimeMs, classification, ifExists } = item;
  return {
    kind: 'upload',
    path,
    fileName,
    expected: { sizeBytes, mtimeMs },
    modifiedAtMs: mtimeMs,
    classification,
    ifExists,
    ownsRow: false,
    mayBeThere: false,
    answered: null,
    conflict: null,
    sha256: null,
  };
}

export interface DownloadJob {
  readonly kind: 'download';
  /** null: into the profile's folder under a free name. */
  readonly saveAsPath: string | null;
  savedPath: string | null;
}

/** What HEAD said. */
export type Seen =
  { readonly present: false } | { readonly present: true; readonly lengthBytes: number | null };

/** A transfer and what is needed to carry it out. Its state changes in transfer-list.ts only. */
export interface Entry {
  readonly transfer: Transfer;
  readonly job: UploadJob | DownloadJob;
  tries: number;
  pace: Pace | null;
  /** While it runs. */
  run: Run | null;
}

export interface Run {
  readonly entry: Entry;
  readonly abort: AbortController;
  /** Why it is being stopped from here; null: it is not. */
  stop: 'cancel' | 'token' | 'close' | null;
}

export interface UploadEntry extends Entry {
  readonly job: UploadJob;
}
/** What the catalogue is told of uploads, be they one request or deferred. */
export interface Upload {
  readonly transfer: Pick<Transfer, 'profileId' | 'identifier' | 'objectId' | 'totalBytes'>;
  readonly job: UploadJob;
}
export interface DownloadEntry extends Entry {
  readonly job: DownloadJob;
}

export function isUpload(entry: Entry): entry is UploadEntry {
  return entry.job.kind === 'upload';
}

export function isDownload(entry: Entry): entry is DownloadEntry {
  return entry.job.kind === 'download';
}

/** The state in which an entry's bytes move. */
export function movingStateOf(entry: Entry): TransferState {
  return isUpload(entry) ? 'uploading' : 'downloading';
}
