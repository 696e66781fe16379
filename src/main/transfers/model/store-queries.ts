import type { AppError } from '../../../shared/errors.ts';
import type { BatchAction } from '../../../shared/domain/transfer-summary.ts';
import type { Tab } from '../../../shared/domain/transfer.ts';
import type { EngineDirection, TransferRecord } from './record.ts';
import type { StateName, StateTraits } from './state.ts';

export type StoredGroup = StateTraits['group'];

/** Records held up by one error of their own; `code` null: all of the service. */
export interface Held {
  readonly serviceId: string;
  readonly code: string | null;
}

export interface PageGroup {
  readonly group: StoredGroup;
  /** Number of active transfers shown between it and the previous group. */
  readonly after?: number;
  /** `only`: limits the group to what this holds up. `except`: leaves out what these hold up. */
  readonly only?: Held | undefined;
  readonly except?: readonly Held[] | undefined;
}

/** Transfers that one action of a person started, counted by their states. */
export interface StoredBatch {
  readonly id: number;
  readonly serviceId: string;
  readonly action: BatchAction;
  /** The innermost folder of all its identifiers; '': there is none. */
  readonly folder: string;
  readonly createdAtMs: number;
  /** Waiting or running. */
  readonly open: number;
  /** Of the open ones. */
  readonly paused: number;
  readonly asking: number;
  readonly failed: number;
  readonly done: number;
  readonly cancelled: number;
  readonly openBytes: number;
  readonly doneBytes: number;
  /** Done and cancelled ones that are still in the history. */
  readonly listed: number;
  /** When the last one ended. */
  readonly finishedAtMs: number | null;
  /** The first open one in the queue. */
  readonly next: TransferRecord | null;
}

export type DockRow = { readonly transfer: TransferRecord } | { readonly batch: StoredBatch };

export interface DockSection {
  readonly total: number;
  /** Without the transfers of opened batches. */
  readonly entries: number;
  readonly rows: readonly DockRow[];
}

export interface TransferCounts {
  readonly serviceId: string;
  readonly tab: Tab | 'none';
  readonly direction: EngineDirection;
  readonly state: StateName;
  /** Conflict prompts of watched folders, which do not open by themselves. */
  readonly asksForWatched: boolean;
  /** Paused individually, not with their service. */
  readonly isPaused: boolean;
  /** Belong to no batch. */
  readonly isAlone: boolean;
  readonly count: number;
  readonly totalBytes: number;
}

/** Reads stored transfers. */
export interface StoreQueries {
  /**
   * Pages through groups as one list, in one snapshot. In display order: newest first for done and needsYou, starting
   * order for waiting. `offset` and `limit` count over all groups.
   */
  page(query: {
    tab: Tab;
    groups: readonly PageGroup[];
    offset: number;
    limit: number;
    /** A substring of the identifier, '' for all. */
    filter: string;
    /** Records in work, which are shown elsewhere. */
    exceptIds: readonly number[];
  }): Promise<{ total: number; records: TransferRecord[] }[]>;
  /**
   * A snapshot of the direct transfers in which a batch is one row: in its place among the waiting or done ones, or
   * before the moving ones. Failed and asking transfers always have rows of their own.
   */
  dockPage(query: {
    offset: number;
    limit: number;
    /** Active records, which are shown elsewhere, and their number of rows before each section. */
    exceptIds: readonly number[];
    before: { readonly needsYou: number; readonly waiting: number; readonly done: number };
    /** Batches with a transfer in work. */
    moving: readonly number[];
    /** By batch: number of open transfers shown as cancelled or failed while their outcome is checked. */
    givenUp: ReadonlyMap<number, number>;
    /** Active records shown as failed or asking, and therefore not below their batches. */
    failing: readonly number[];
    /** Expanded batches. */
    opened: readonly number[];
    /** Causes that are shown elsewhere. */
    except: { readonly needsYou: readonly Held[]; readonly waiting: readonly Held[] };
  }): Promise<Readonly<Record<'needsYou' | 'moving' | 'waiting' | 'done', DockSection>>>;
  batch(id: number): Promise<StoredBatch | null>;
  /** The transfers of a batch that are done or cancelled, newest first. */
  doneOfBatch(id: number, limit: number): Promise<TransferRecord[]>;
  counts(): Promise<TransferCounts[]>;
  /** Waiting records with an error, and failed ones, by cause. */
  causes(): Promise<
    {
      serviceId: string;
      tab: Tab;
      group: 'waiting' | 'needsYou';
      code: string;
      count: number;
      error: AppError;
    }[]
  >;
  /** When the first pending retry is due, wall clock, ms; null: none. */
  nextDueMs(): Promise<number | null>;
  /** The newest unfinished record of each object, shown over its row. */
  ofObjects(objectIds: readonly number[]): Promise<TransferRecord[]>;
  /**
   * Whether an object is to get another classification, as was asked before a record: not if that is paused, and may stay so.
   * @param before id of the record
   */
  isBeingReclassified(objectId: number, before: number): Promise<boolean>;
  /** The newest unfinished deletion of data of this identifier; null: none. */
  deletionOf(serviceId: string, identifier: string): Promise<TransferRecord | null>;
  /** The newest upload or download of an object that failed or was lost for a known reason; null: none. */
  failedOf(objectId: number): Promise<TransferRecord | null>;
  /** The transfers of an object that are done and still in the history, newest first. */
  doneOf(objectId: number): Promise<TransferRecord[]>;
  /** The newest upload of the file at this path, or download to it as a private copy; null: none. */
  ofPath(path: string): Promise<TransferRecord | null>;
  /** The oldest open prompt, without those of watched folders; null: none. */
  firstAsking(serviceId: string | null): Promise<TransferRecord | null>;
  /** Number of uploads created since then (wall clock, ms) that are done because the same bytes were stored already. */
  sameBytes(serviceId: string, createdFromMs: number): Promise<number>;
  /** Number of unfinished records; used before quitting and before a change of address. */
  unfinished(serviceId: string): Promise<number>;
  /** Identifiers of objects whose deletion has not ended. */
  deletions(serviceId: string): Promise<string[]>;
  /** The unfinished records of a tab or of a batch, or those of a batch that were cancelled. */
  openIds(
    which: { readonly tab: Tab } | { readonly batch: number } | { readonly cancelledOf: number },
  ): Promise<number[]>;
  /** Deletions that were never sent, because Coffer ended while they were held. */
  unsentDeletions(serviceId: string): Promise<TransferRecord[]>;
  /** Unfinished and failed Replaces whose object may have been changed. */
  halfReplaced(serviceId: string): Promise<TransferRecord[]>;
}
