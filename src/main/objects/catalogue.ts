import type {
  Collections,
  Folder,
  FolderRow,
  FrozenSelection,
  HistoryEntry,
  ObjectKind,
  ObjectQuery,
  ObjectRecord,
  ObjectState,
  LiveSelection,
  Selection,
} from '../../shared/domain/object.ts';
import type { HistoryNote, ListedVersion, ObjectPatch } from '../../shared/domain/object-changes.ts';
import type { FolderChange } from '../../shared/domain/folder.ts';
import type { VersionNaming } from '../../shared/domain/versions.ts';
import type { Input, SelectionMix, SelectionSummary, ImportReport } from '../../shared/contract.ts';

export interface ObjectChange {
  readonly id: number;
  readonly patch: ObjectPatch;
  readonly history?: HistoryNote;
  /** The manifest stored under the identifier; set together with `parts`. */
  readonly manifest?: string;
  /** Parts that the last check did not find, by number, from 0. */
  readonly missingParts?: readonly number[];
  /** Skips the change if the row has another state by then: that state is newer. */
  readonly ifState?: ObjectState;
}

export interface NewObject {
  readonly kind: ObjectKind;
  readonly identifier: string;
  readonly patch: ObjectPatch;
  readonly history?: HistoryNote;
}

export interface CataloguePage {
  readonly revision: number;
  readonly total: number;
  readonly totalBytes: number;
  /** How many older versions are hidden behind the rows, and how many versions each row stands for. */
  readonly folded: number;
  readonly families: readonly { readonly id: number; readonly base: string; readonly count: number }[];
  /** Only for a search: the number of rows without it. */
  readonly outOf?: number;
  /** Folders, listed before the rows, if the query asks for them. */
  readonly folders?: { readonly total: number; readonly rows: FolderRow[]; readonly isKept?: true };
  /** Index of the first row among the objects. */
  readonly offset: number;
  readonly rows: ObjectRecord[];
}

export interface FrozenRange {
  readonly selection: FrozenSelection;
  readonly count: number;
  /** Bit `n` (lowest bit of each byte first) is the row `firstId + n`. */
  readonly firstId: number;
  readonly bits: Uint8Array;
}

export interface ImportProgress {
  doneBytes: number;
  totalBytes: number;
  lines: number;
}

/**
 * The person's only list of what they own (the service has no listing). Asynchronous, so that it may run in a worker
 * today and elsewhere later. Every write is durable when its promise resolves; a write of several rows is one
 * transaction. `revision` grows with every change and is what `objects.changed` carries.
 */
export interface Catalogue {
  page(query: ObjectQuery, offset: number, limit: number): Promise<CataloguePage>;
  indexOf(query: ObjectQuery, id: number): Promise<number | null>;
  /** Position of a folder among those before the objects; null: not among them. */
  folderIndex(query: ObjectQuery, path: string): Promise<number | null>;
  /** For each row, itself or the row that it is hidden behind, in the same order. */
  shownAs(query: ObjectQuery, ids: readonly number[]): Promise<number[]>;
  /**
   * The next row from `from`, wrapping around, whose name begins with `typed`: the name inside the current folder,
   * otherwise the last path segment. Folders before the objects have negative indices up to -1, and no id.
   */
  findName(
    query: ObjectQuery,
    typed: string,
    from: number,
  ): Promise<{ index: number; id: number | null } | null>;
  /** Freezes the current result, so that a question about it stays valid. Only the last few are kept. */
  freeze(selection: LiveSelection): Promise<FrozenSelection>;
  /** Like `freeze`, with the older versions of each row. Rejects like `summarize`. */
  freezeVersions(selection: Selection): Promise<{ selection: FrozenSelection; older: number }>;
  /** Like `freeze`, for the rows of a range and those of `and`. Rejects like `summarize`. */
  keepRange(range: Input<'objects.selectRange'>): Promise<FrozenRange>;
  /** Rejects with notFound (selection) if the frozen selection has been discarded. */
  summarize(selection: Selection): Promise<SelectionSummary>;
  /** What the selection consists of. Rejects like `summarize`. */
  mixOf(selection: Selection): Promise<SelectionMix>;
  /**
   * The ids of a selection at this moment, in its order, so that long operations are not affected by later changes. A
   * million ids take 8 MB. Rejects like `summarize`.
   */
  idsOf(selection: Selection): Promise<Float64Array>;
  /** In the order of `ids`; unknown ids are left out. */
  getMany(ids: readonly number[]): Promise<ObjectRecord[]>;
  findByIdentifiers(
    serviceId: string,
    kind: ObjectKind,
    identifiers: readonly string[],
  ): Promise<Map<string, ObjectRecord>>;
  /** The known versions of an identifier, oldest first. */
  versions(
    serviceId: string,
    kind: ObjectKind,
    identifier: string,
  ): Promise<{ base: string; versions: ListedVersion[] }>;
  history(id: number, limit: number): Promise<HistoryEntry[]>;
  /** The manifest of an object in parts; null: unknown. */
  manifestOf(id: number): Promise<string | null>;
  /** Parts that the last check did not find, by number, from 0. */
  missingPartsOf(id: number): Promise<number[]>;
  /** Secrets of all services that are due for renewal on or before this day. */
  renewals(untilDate: string): Promise<ObjectRecord[]>;
  /** Rows in these states: work to resume after a restart. */
  idsInStates(serviceId: string, states: readonly ObjectRecord['state'][]): Promise<number[]>;

  /**
   * Adds rows; existing identifiers are left unchanged. Resolves to all of them, in the order given. Rejects with
   * notFound (service) after `removeService` or `closeService`.
   */
  add(serviceId: string, objects: readonly NewObject[]): Promise<{ record: ObjectRecord; added: boolean }[]>;
  /** Ignores ids that no longer exist. */
  update(changes: readonly ObjectChange[]): Promise<void>;
  /** Notes a use of the object that does not belong in its history. Ignores an id that no longer exists. */
  noteUse(id: number): Promise<void>;
  /**
   * Removes rows and their history.
   * @param removal unique, for `putBack`; given several times for rows of one service
   * @returns whether `putBack` can undo the removal: not of too many rows, nor on a list that others have heard of
   */
  remove(ids: readonly number[], removal?: string): Promise<boolean>;
  /**
   * Puts removed rows back as they were, but those whose identifier the list has again. Rejects with notFound (removal) if that
   * is no longer possible. @returns how many
   */
  putBack(removal: string): Promise<number>;
  /** Removes all rows. `add` rejects until `setNaming` restores the service. */
  removeService(serviceId: string): Promise<void>;
  /** Like `removeService`, but keeps the rows for when the service is set up again. */
  closeService(serviceId: string): Promise<void>;

  collections(serviceId: string): Promise<Collections>;
  folders(serviceId: string, parent: string): Promise<{ folders: Folder[]; more: number }>;
  /** Paths of the folders that are kept without objects, until something is stored in them. */
  madeFolders(serviceId: string): Promise<string[]>;
  /** Keeps a folder without objects. Resolves to what has that name already; null: nothing has, and it is made. */
  makeFolder(serviceId: string, path: string): Promise<'folder' | 'object' | null>;
  /** Resolves to the changes that were made: only kept folders move or go. */
  changeFolders(serviceId: string, changes: readonly FolderChange[]): Promise<FolderChange[]>;
  /** Declares the service with its folder separator and version mark. A change rebuilds folders and versions. */
  setNaming(serviceId: string, naming: VersionNaming): Promise<void>;

  /** Writes through a temporary file beside `path`. Resolves to the number of objects. */
  exportTo(serviceId: string, format: 'jsonl' | 'csv', path: string): Promise<number>;
  /**
   * Merges without overwriting: known values stay, unknown ones are filled in. Rejects with badImportFile, and with
   * notFound (service) like `add`, even if the service is removed during the import.
   * @param importId unique; `importProgress` and `cancelImport` take it
   * @param encoding of the file; omitted: as its byte order mark says, or UTF-8
   */
  importFrom(
    serviceId: string,
    path: string,
    importId: string,
    encoding?: string | null,
  ): Promise<ImportReport>;
  /** null: not begun, or finished. */
  importProgress(importId: string): Promise<ImportProgress | null>;
  /** The import stops soon; what it has merged stays. */
  cancelImport(importId: string): Promise<void>;

  onChanged(listener: (serviceId: string, revision: number) => void): () => void;
}
