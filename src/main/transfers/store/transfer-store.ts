import type { ObjectWriter } from '../../catalogue/object-writer.ts';
import type { Statements } from '../../catalogue/statements.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { VersionNaming } from '../../../shared/domain/versions.ts';
import type { Answer } from '../../../shared/domain/profile.ts';
import type { Priority } from '../../../shared/domain/transfer.ts';
import { isFinished, isIdle, type TransferRecord } from '../record.ts';
import type {
  Applied,
  ClaimWish,
  Mending,
  NewTransfer,
  Tab,
  Transition,
  TransferCounts,
  TransferStore,
  Which,
} from '../store-types.ts';
import { Actions } from './actions.ts';
import { Claiming } from './claiming.ts';
import { Clearing } from './clearing.ts';
import { Entering } from './entering.ts';
import { Listing } from './listing.ts';
import { RowChanges } from './row-changes.ts';
import { Selecting } from './selecting.ts';
import { Sweeps } from './sweeps.ts';
import type { StoredTransfer } from './transfer-rows.ts';
import { TransferTable } from './transfer-table.ts';

/** The records and the rows of the list in one file, on the thread of the catalogue. */
export class LocalTransferStore implements TransferStore {
  readonly #table: TransferTable;
  readonly #changes: RowChanges;
  readonly #sweeps: Sweeps;
  readonly #entering: Entering;
  readonly #claiming: Claiming;
  readonly #actions: Actions;
  readonly #clearing: Clearing;
  readonly #listing: Listing;
  readonly #writer: ObjectWriter;
  readonly #nowMs: () => number;

  constructor(statements: Statements, writer: ObjectWriter, nowMs: () => number) {
    this.#writer = writer;
    this.#nowMs = nowMs;
    this.#table = new TransferTable(statements, writer);
    this.#changes = new RowChanges(writer, nowMs);
    this.#sweeps = new Sweeps(this.#table, this.#changes);
    this.#entering = new Entering(this.#table, this.#sweeps, writer, this.#changes);
    this.#claiming = new Claiming(this.#table, this.#sweeps, this.#changes, nowMs);
    const selecting = new Selecting(this.#table, this.#sweeps, writer.rows);
    this.#actions = new Actions(this.#table, this.#sweeps, this.#entering, selecting, nowMs);
    this.#clearing = new Clearing(this.#table, this.#sweeps, selecting, nowMs);
    this.#listing = new Listing(
      this.#table,
      this.#sweeps,
      (profile) => writer.rows.profileId(profile),
      (profileId) => this.#profile(profileId),
    );
    writer.follow({
      profileRemoved: (_, profile) => {
        this.#sweeps.forgetProfile(profile);
      },
    });
  }

  async enqueue(profileId: string, transfers: readonly NewTransfer[]) {
    return this.#entering.enqueue(profileId, transfers);
  }

  async apply(transitions: readonly Transition[]): Promise<Applied[]> {
    return this.#table.transaction(() => transitions.map((transition) => this.#applyOne(transition)));
  }

  async claim(wish: ClaimWish): Promise<TransferRecord[]> {
    const profile = this.#profile(wish.profileId);
    return profile === null ? [] : recordsOf(this.#claiming.claim(profile, wish));
  }

  async unclaim(ids: readonly number[]): Promise<void> {
    this.#claiming.unclaim(ids);
  }

  async interrupted(): Promise<TransferRecord[]> {
    return recordsOf(this.#claiming.interrupted());
  }

  async getMany(ids: readonly number[]): Promise<TransferRecord[]> {
    return recordsOf(ids.flatMap((id) => this.#settled(id) ?? []));
  }

  async rows(objectIds: readonly number[]) {
    return objectIds.flatMap((id) => {
      const row = this.#writer.rows.row(id);
      return row === null ? [] : { record: row.record, epoch: row.epoch };
    });
  }

  async takeIdentifier(id: number, identifier: string): Promise<{ objectId: number } | null> {
    return this.#entering.takeIdentifier(id, identifier);
  }

  async versions(profileId: string, kind: ObjectKind, base: string, naming: VersionNaming) {
    const profile = this.#profile(profileId);
    if (profile === null) return [];
    const { rows } = this.#writer;
    return rows.versions(profile, kind, base, naming).flatMap((version) => {
      const row = rows.row(version.record.id);
      if (row === null) return [];
      return { ...version, epoch: row.epoch };
    });
  }

  async isBeingStored(id: number, identifier: string): Promise<boolean> {
    return this.#entering.isBeingStored(id, identifier);
  }

  async takeVersion(id: number, identifier: string, epoch: number | null, classification?: string | null) {
    return this.#entering.takeVersion(id, identifier, epoch, classification);
  }

  async takeRow(id: number): Promise<{ objectId: number } | null> {
    return this.#entering.takeRow(id);
  }

  async cancel(which: Which): Promise<number> {
    return this.#actions.cancel(which);
  }

  async retry(which: Which, origins: ReadonlyMap<string, string>): Promise<number> {
    return this.#actions.retry(which, origins);
  }

  async mend(id: number, change: Mending, origins: ReadonlyMap<string, string>): Promise<boolean> {
    return this.#actions.mend(id, change, origins);
  }

  async drop(which: Which): Promise<number> {
    return this.#actions.drop(which);
  }

  async hurry(which: Which): Promise<number> {
    return this.#actions.hurry(which);
  }

  async pause(which: Which, isPaused: boolean): Promise<number> {
    return this.#actions.pause(which, isPaused);
  }

  async setPriority(ids: readonly number[], priority: Priority): Promise<void> {
    await this.#actions.setPriority(ids, priority);
  }

  async move(ids: readonly number[], before: number | 'top' | null): Promise<void> {
    await this.#actions.move(ids, before);
  }

  async answer(profileId: string, ids: readonly number[] | 'all', answer: Answer): Promise<void> {
    await this.#actions.answer(profileId, ids, answer);
  }

  async clear(tab: Tab, group: 'done' | 'needsYou'): Promise<void> {
    // What was cancelled with all others is cancelled before it is cleared.
    await this.#sweeps.done();
    await this.#clearing.clear(tab, group);
  }

  async trim(mostDone: number, finishedBeforeMs: number): Promise<void> {
    await this.#clearing.trim(mostDone, finishedBeforeMs);
  }

  async removeProfile(profileId: string): Promise<void> {
    const profile = this.#profile(profileId);
    if (profile !== null) await this.#clearing.removeProfile(profile);
  }

  async page(query: Parameters<TransferStore['page']>[0]) {
    const { total, records } = await this.#listing.page(query);
    return { total, records: recordsOf(records) };
  }

  async counts(): Promise<TransferCounts[]> {
    return this.#listing.counts();
  }

  async causes() {
    return this.#listing.causes();
  }

  async nextDueMs(): Promise<number | null> {
    return this.#claiming.nextDueMs();
  }

  async ofObjects(objectIds: readonly number[]): Promise<TransferRecord[]> {
    return recordsOf(this.#listing.ofObjects(objectIds));
  }

  async failedOf(objectId: number): Promise<TransferRecord | null> {
    return this.#listing.failedOf(objectId)?.record ?? null;
  }

  async savedOf(objectId: number): Promise<TransferRecord | null> {
    return this.#listing.savedOf(objectId)?.record ?? null;
  }

  async ofPath(path: string): Promise<TransferRecord | null> {
    return this.#listing.ofPath(path)?.record ?? null;
  }

  async firstAsking(profileId: string | null): Promise<TransferRecord | null> {
    const profile = profileId === null ? null : this.#profile(profileId);
    if (profileId !== null && profile === null) return null;
    return this.#listing.firstAsking(profile)?.record ?? null;
  }

  async sameBytes(profileId: string, createdFromMs: number): Promise<number> {
    const profile = this.#profile(profileId);
    return profile === null ? 0 : this.#listing.sameBytes(profile, createdFromMs);
  }

  async unfinished(profileId: string): Promise<number> {
    const profile = this.#profile(profileId);
    return profile === null ? 0 : this.#listing.unfinished(profile);
  }

  /** Resolves when what was wanted of many has been done to each. */
  async settled(): Promise<void> {
    await this.#sweeps.done();
  }

  close(): void {
    this.#sweeps.stop();
    this.#table.counts.stop();
  }

  #applyOne({ id, change, row, keepsClaim = false, leftovers = [] }: Transition): Applied {
    const found = this.#table.get(id);
    if (found === null) return { isThere: false, rowChanged: false };
    const before = this.#sweeps.settle(found);
    const changed: StoredTransfer = { ...before, record: { ...before.record, ...change } };
    const outcome = row && this.#changes.apply(row, changed);
    const after = this.#ended({
      ...changed,
      ...(outcome && { rowBefore: outcome.rowBefore }),
      record: { ...changed.record, ...(outcome && { objectId: outcome.objectId }) },
    });
    const isWaiting = after.record.state.name === 'waiting';
    const isReleased = isIdle(after.record) && change.state !== undefined && !(isWaiting && keepsClaim);
    this.#table.save(before, {
      ...after,
      isClaimed: isIdle(after.record) ? before.isClaimed && !isReleased : true,
      sweep: isReleased ? this.#sweeps.stamp(before.profile) : before.sweep,
    });
    this.#changes.letGo(after.record);
    this.#entering.leave(after, leftovers, this.#nowMs());
    return { isThere: true, rowChanged: outcome?.held ?? false };
  }

  #ended(stored: StoredTransfer): StoredTransfer {
    const { record } = stored;
    if (!isFinished(record)) return { ...stored, record: { ...record, finishedAtMs: null } };
    const finishedAtMs = record.finishedAtMs ?? this.#nowMs();
    return { ...stored, record: { ...record, finishedAtMs, nextAtMs: null, isPaused: false } };
  }

  #settled(id: number): StoredTransfer | null {
    const stored = this.#table.get(id);
    if (stored === null || !this.#sweeps.arePending) return stored;
    return this.#table.transaction(() => this.#sweeps.settle(stored));
  }

  #profile(profileId: string): number | null {
    return this.#writer.rows.profile(profileId)?.number ?? null;
  }
}

function recordsOf(stored: readonly StoredTransfer[]): TransferRecord[] {
  return stored.map(({ record }) => record);
}
