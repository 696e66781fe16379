import type {
  Collections,
  Folder,
  FrozenSelection,
  HistoryEntry,
  ObjectKind,
  ObjectQuery,
  ObjectRecord,
  ObjectState,
  QuerySelection,
  Selection,
} from '../../shared/domain/object.ts';
import type { HistoryNote, ListedVersion, ObjectPatch } from '../../shared/domain/object-changes.ts';
import type { VersionNaming } from '../../shared/domain/versions.ts';
import type { Input, SelectionMix, SelectionSummary, ImportReport } from '../../shared/contract.ts';

export interface ObjectChange {
  readonly id: number;
  readonly patch: ObjectPatch;
  readonly history?: HistoryNote;
  /** What lies under the identifier, of a patch with `parts`. */
  readonly manifest?: string;
  /** Of an object in parts: those that a check did not find, by their numbers from 0. */
  readonly missingParts?: readonly number[];
  /** Dropped when the row has another state by then: somebody knows better. */
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
  /** How many older versions are folded under the rows, and which row stands for how many in all. */
  readonly folded: number;
  readonly families: readonly { readonly id: number; readonly base: string; readonly count: number }[];
  /** Of a search: how many there are without it. */
  readonly outOf?: number;
  readonly rows: ObjectRecord[];
}

export interface FrozenRange {
  readonly selection: FrozenSelection;
  readonly count: number;
  /** Bit `n`, the lowest of its byte first, is the row `firstId + n`. */
  readonly firstId: number;
  readonly bits: Uint8Array;
}

/** How far an import has read its file. */
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
  /** Each of these rows, or the one that it is folded under, in the same order. */
  shownAs(query: ObjectQuery, ids: readonly number[]): Promise<number[]>;
  /** The next row, from `from` on and round, whose name begins so: inside the folder of the place, else its last part. */
  findName(query: ObjectQuery, typed: string, from: number): Promise<{ index: number; id: number } | null>;
  /** Keeps what is found now, for a question about it; only the last few are kept. */
  freeze(selection: QuerySelection): Promise<FrozenSelection>;
  /** As `freeze`, with the older versions of each row; rejects as `summarize`. */
  freezeVersions(selection: Selection): Promise<{ selection: FrozenSelection; older: number }>;
  /** As `freeze`, of the rows from one to another and those of `and`; rejects as `summarize`. */
  keepRange(range: Input<'objects.selectRange'>): Promise<FrozenRange>;
  /** Rejects with notFound (selection) when a frozen one is not kept any more. */
  summarize(selection: Selection): Promise<SelectionSummary>;
  /** What a selection is made of; rejects as `summarize`. */
  mixOf(selection: Selection): Promise<SelectionMix>;
  /**
   * The ids of a selection as it is now, in its order, so that work over it does not follow later changes.
   * A million ids are one Float64Array of 8 MB. Rejects as `summarize`.
   */
  idsOf(selection: Selection): Promise<Float64Array>;
  /** In the order asked; ids that are not there are left out. */
  getMany(ids: readonly number[]): Promise<ObjectRecord[]>;
  findByIdentifiers(
    serviceId: string,
    kind: ObjectKind,
    identifiers: readonly string[],
  ): Promise<Map<string, ObjectRecord>>;
  /** What the list has of the family of an identifier, the first version first. */
  versions(
    serviceId: string,
    kind: ObjectKind,
    identifier: string,
  ): Promise<{ base: string; versions: ListedVersion[] }>;
  history(id: number, limit: number): Promise<HistoryEntry[]>;
  /** What lies under the identifier of an object that is known to lie in parts; null: it is not known. */
  manifestOf(id: number): Promise<string | null>;
  /** Parts that the last check of an object did not find, by their numbers from 0. */
  missingPartsOf(id: number): Promise<number[]>;
  /** Secrets, of every service, that are to have a new value by this day or an earlier one. */
  renewals(untilDate: string): Promise<ObjectRecord[]>;
  /** Rows of these states, for what has to go on after a restart. */
  idsInStates(serviceId: string, states: readonly ObjectRecord['state'][]): Promise<number[]>;

  /**
   * Adds rows; one whose identifier is there already is left as it is. Answers all of them, in the order given.
   * Rejects with notFound (service) after `removeService` or `closeService`.
   */
  add(serviceId: string, objects: readonly NewObject[]): Promise<{ record: ObjectRecord; added: boolean }[]>;
  /** Ids that are not there any more are passed over. */
  update(changes: readonly ObjectChange[]): Promise<void>;
  /** Takes rows off the list with their history. */
  remove(ids: readonly number[]): Promise<void>;
  /** Takes all rows away; nothing is added any more until `setNaming` says that there is such a service again. */
  removeService(serviceId: string): Promise<void>;
  /** As `removeService`, but the rows stay for when the service is set up again. */
  closeService(serviceId: string): Promise<void>;

  collections(serviceId: string): Promise<Collections>;
  folders(serviceId: string, parent: string): Promise<{ folders: Folder[]; more: number }>;
  /**
   * A service of this id is set up, with the separator that its folders are made from, and the mark of its versions; changing
   * them rebuilds both.
   */
  setNaming(serviceId: string, naming: VersionNaming): Promise<void>;

  /** Writes to `path` through a temporary file beside it; answers the number of objects. */
  exportTo(serviceId: string, format: 'jsonl' | 'csv', path: string): Promise<number>;
  /**
   * Merges, never clobbers: what the catalogue knows stays, what it does not know is filled in. Rejects with
   * badImportFile, and with notFound (service) as `add` does, also when the service is removed half-way.
   * @param importId any that no other import has; the two below know it by this
   */
  importFrom(serviceId: string, path: string, importId: string): Promise<ImportReport>;
  /** null: it has not begun, or is over. */
  importProgress(importId: string): Promise<ImportProgress | null>;
  /** It ends soon, with what it has done by then. */
  cancelImport(importId: string): Promise<void>;

  onChanged(listener: (serviceId: string, revision: number) => void): () => void;
}
