import { folderAbove } from '../../../shared/domain/folder.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import { provenDigest } from '../../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { IfExists, RequestKind } from '../../../shared/domain/service.ts';
import type { UndoCopy } from '../undo/undo-store.ts';
import { newReplace } from '../model/replace.ts';
import type { Base } from '../model/state.ts';
import type { NewTransfer, Watched } from '../model/store-types.ts';
import type { WorkOf } from '../model/next.ts';

/** Builds records for what the person asks for, before they are in the database. */

/** A file to upload, as the upload sheet saw it. */
export interface UploadItem {
  readonly path: string;
  readonly fileName: string;
  readonly identifier: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** null: the service's default policy. */
  readonly classification: string | null;
  /** Without: `classification` is only a default, and a replaced object or a new version keeps its own. */
  readonly classificationChosen?: boolean;
  readonly ifExists: IfExists;
  /** The bytes believed to be stored: if others are found, the person is asked before they are replaced. Without: unknown. */
  readonly base?: Base | undefined;
  /** In a watched folder, which remembers that it was sent. */
  readonly watched?: Omit<Watched, 'sizeBytes' | 'mtimeMs'> | undefined;
  readonly isByCommand?: true | undefined;
}

export interface SecretToStore {
  readonly identifier: string;
  readonly classification: string | null;
  /** Copied; held only in memory, until the service has answered. */
  readonly value: Uint8Array;
  readonly sourceName: string | null;
  /** Use the next number if the list has this identifier. */
  readonly asNewVersion?: boolean;
  /** The day by which it should be renewed. */
  readonly renewBy?: string;
  /** Store it even if the list has it, unless somebody here has seen it. */
  readonly storesUnseen?: boolean;
}

/** The service of a request, its origin at that time, and the time. */
export interface Asked {
  readonly serviceId: string;
  readonly origin: string;
  readonly createdAtMs: number;
}

function base(asked: Asked) {
  return { ...asked, priority: 'normal', isPaused: false } as const;
}

export function fileUpload(asked: Asked, item: UploadItem, route: RequestKind): NewTransfer {
  const { path, fileName, identifier, sizeBytes, mtimeMs, classification, ifExists } = item;
  const { base: believed, classificationChosen = false, watched, isByCommand } = item;
  return {
    ...base(asked),
    kind: 'data',
    route,
    direction: 'upload',
    identifier,
    objectId: null,
    totalBytes: sizeBytes,
    work: {
      kind: 'upload',
      path,
      fileName,
      expected: { sizeBytes, mtimeMs },
      modifiedAtMs: mtimeMs,
      classification,
      ifExists,
      addedRow: false,
      mayBeThere: false,
      ...(classificationChosen && { classificationChosen }),
      ...(believed && { base: believed }),
      ...(watched && { isWatched: true as const }),
      ...(isByCommand && { isByCommand }),
    },
    newRow: { state: 'uploading', lengthBytes: sizeBytes, classification, sourceName: fileName },
    ...(watched && { watched: { ...watched, sizeBytes, mtimeMs } }),
  };
}

/** Replaces what is stored now by an undo copy. */
export function undoUpload(asked: Asked, version: UndoCopy): NewTransfer {
  const { identifier, classification, sourceName, file, lengthBytes, sha256, replacedBy } = version;
  const fileName = sourceName ?? identifier;
  return withoutFile(
    asked,
    { identifier, lengthBytes },
    {
      fileName,
      modifiedAtMs: version.keptAtMs,
      classification,
      ifExists: 'replace',
      kept: { file, lengthBytes, sha256 },
      base: replacedBy,
    },
    { classification, sourceName: fileName },
  );
}

/** Stores an object again as it is, with another classification. */
export function reclassification(
  asked: Asked,
  row: ObjectRecord,
  classification: string | null,
): NewTransfer {
  const { identifier, sourceName, storedAtMs } = row;
  const known = bytesOf(row);
  return withoutFile(
    asked,
    row,
    {
      fileName: sourceName ?? identifier,
      modifiedAtMs: storedAtMs ?? asked.createdAtMs,
      classification,
      classificationChosen: true,
      ifExists: 'replace',
      reclassifies: true,
      replace: newReplace('service'),
      ...(known && { base: known }),
    },
    { sourceName },
  );
}

/** Stores an object under another identifier, and deletes it once that is verified. */
export function move(asked: Asked, row: ObjectRecord, identifier: string, separator: string): NewTransfer {
  const { lengthBytes, classification, storedAtMs, sourceName, note } = row;
  const firstStoredAtMs = row.firstStoredAtMs ?? storedAtMs;
  const isRename = folderAbove(row.identifier, separator) === folderAbove(identifier, separator);
  return withoutFile(
    asked,
    { identifier, lengthBytes },
    {
      fileName: sourceName ?? identifier,
      modifiedAtMs: storedAtMs ?? asked.createdAtMs,
      classification,
      classificationChosen: true,
      // Never prompts: a move fails if the identifier exists.
      ifExists: 'skip',
      moves: {
        objectId: row.id,
        identifier: row.identifier,
        base: bytesOf(row),
        sourceName,
        note,
        ...(isRename && { isRename }),
        ...(firstStoredAtMs !== null && { firstStoredAtMs }),
      },
    },
    { classification, sourceName },
  );
}

/** The bytes that the list knows for certain; null: unknown. */
function bytesOf(row: ObjectRecord): Base | null {
  const sha256 = provenDigest(row);
  return sha256 !== null && row.lengthBytes !== null ? { lengthBytes: row.lengthBytes, sha256 } : null;
}

/** An upload that does not come from a person's file. @param known about the object, in case its row is added */
function withoutFile(
  asked: Asked,
  { identifier, lengthBytes }: Pick<ObjectRecord, 'identifier' | 'lengthBytes'>,
  work: Omit<WorkOf<'upload'>, 'kind' | 'path' | 'expected' | 'addedRow' | 'mayBeThere'>,
  known: ObjectPatch,
): NewTransfer {
  return {
    ...base(asked),
    kind: 'data',
    route: 'direct',
    direction: 'upload',
    identifier,
    objectId: null,
    totalBytes: lengthBytes,
    work: { kind: 'upload', path: '', expected: null, addedRow: false, mayBeThere: false, ...work },
    newRow: { state: 'uploading', lengthBytes, ...known },
  };
}

export function download(
  asked: Asked,
  { id, identifier, lengthBytes }: ObjectRecord,
  work: Omit<WorkOf<'download'>, 'kind'>,
  route: RequestKind,
): NewTransfer {
  return {
    ...base(asked),
    kind: 'data',
    route,
    direction: 'download',
    identifier,
    objectId: id,
    totalBytes: lengthBytes,
    work: { kind: 'download', ...work },
    newRow: null,
  };
}

export function deletion(
  asked: Asked,
  { id, identifier }: ObjectRecord,
  { unseen = false, isHeld = false }: { unseen?: boolean; isHeld?: boolean },
): NewTransfer {
  return {
    ...base(asked),
    isPaused: isHeld,
    kind: 'data',
    route: 'direct',
    direction: 'delete',
    identifier,
    objectId: id,
    totalBytes: null,
    work: { kind: 'delete', ...(unseen && { unseen }) },
    newRow: null,
  };
}

/** The value is held in memory only. */
export function secretUpload(
  asked: Asked,
  {
    identifier,
    classification,
    value,
    sourceName,
    asNewVersion,
    renewBy,
    storesUnseen = false,
  }: SecretToStore,
): NewTransfer {
  return {
    ...base(asked),
    priority: 'now',
    kind: 'secret',
    route: 'deferred',
    direction: 'upload',
    identifier,
    objectId: null,
    totalBytes: value.length,
    work: {
      kind: 'storeSecret',
      classification,
      sourceName,
      addedRow: false,
      ...(asNewVersion === true && { asNewVersion }),
    },
    newRow: {
      state: 'uploading',
      lengthBytes: value.length,
      classification,
      sourceName,
      ...(renewBy !== undefined && { renewBy }),
    },
    storesUnseen,
  };
}

export function secretRead(asked: Asked, { id, identifier, lengthBytes }: ObjectRecord): NewTransfer {
  return {
    ...base(asked),
    priority: 'now',
    kind: 'secret',
    route: 'deferred',
    direction: 'download',
    identifier,
    objectId: id,
    totalBytes: lengthBytes,
    work: { kind: 'readSecret' },
    newRow: null,
  };
}
