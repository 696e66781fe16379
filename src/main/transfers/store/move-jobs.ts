import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { ObjectStore } from '../../catalogue/object-store.ts';
import { kindCode, stateCode } from '../../catalogue/rows.ts';
import { separatorDefault } from '../../../shared/domain/profile.ts';
import { Statements } from '../../catalogue/statements.ts';
import { parseBaseAddress } from '../../service/base-address.ts';
import { isFinished, type TransferRecord } from '../record.ts';
import { earlierJobSchema, stateOf, workOf, type EarlierJob } from './earlier-jobs.ts';
import { changingValues, fixedValues, insertSql, type StoredTransfer } from './transfer-rows.ts';

const profileSchema = z.object({ baseAddress: z.string(), isLocal: z.boolean().default(false) });

/**
 * Turns what the first version has left under way into records: its jobs, which were documents, and deletions, which
 * were rows in `deleting`. A document that cannot be read stays where it is. It is part of a step of the file: when the
 * table changes later, it keeps the statements of today as its own.
 */
export function moveJobs(db: DatabaseSync, nowMs: number): void {
  const move = new Move(db, nowMs);
  move.time();
  for (const { key, job } of move.jobs()) move.job(key, job);
  move.deletions();
  move.leftOpen();
}

class Move {
  readonly #rows: Statements['rows'];
  readonly #objects: ObjectStore;
  readonly #nowMs: number;
  #lastId = 0;

  constructor(db: DatabaseSync, nowMs: number) {
    const statements = new Statements(db);
    this.#rows = statements.rows;
    this.#objects = new ObjectStore(statements);
    this.#nowMs = nowMs;
  }

  /** The last moment that was written down stood among the jobs. */
  time(): void {
    this.#rows(`UPDATE document SET collection = 'engine' WHERE collection = 'jobs' AND key = 'time'`);
  }

  /** In the order in which they came. */
  jobs(): { key: string; job: EarlierJob }[] {
    return this.#rows<[string, string]>(`SELECT key, value FROM document WHERE collection = 'jobs'`)
      .flatMap(([key, value]) => {
        const read = earlierJobSchema.safeParse(readJson(value));
        return read.success ? { key, job: read.data } : [];
      })
      .sort((a, b) => a.job.number - b.job.number);
  }

  job(key: string, job: EarlierJob): void {
    const origin = this.#originOf(job.profileId);
    if (origin === null) return;
    const work = workOf(job);
    const state = stateOf(job);
    const isOver = isFinished({ state });
    const { kind, direction, identifier, objectId, totalBytes, activityToken, createdAtMs } = job;
    const record = this.#insert({
      profileId: job.profileId,
      origin,
      kind,
      route: 'deferred',
      direction,
      identifier,
      objectId,
      totalBytes,
      work,
      state,
      activityToken,
      createdAtMs,
      finishedAtMs: isOver ? (job.finishedAtMs ?? this.#nowMs) : null,
    });
    if ('addedRow' in work && work.addedRow) this.#takeRow(record, job);
    this.#rows(`DELETE FROM document WHERE collection = 'jobs' AND key = ?`, key);
  }

  /** Nothing of them is sent again: that they are gone, only HEAD can say. */
  deletions(): void {
    const found = this.#rows<[number, string, string]>(
      `SELECT object.id, profile_id, identifier FROM object JOIN profile ON profile.id = object.profile
       WHERE state = ? AND kind = ? AND writer IS NULL ORDER BY object.id`,
      stateCode('deleting'),
      kindCode('data'),
    );
    for (const [objectId, profileId, identifier] of found) {
      const origin = this.#originOf(profileId);
      if (origin === null) continue;
      const { id } = this.#insert({
        profileId,
        origin,
        kind: 'data',
        route: 'direct',
        direction: 'delete',
        identifier,
        objectId,
        totalBytes: null,
        activityToken: null,
        createdAtMs: this.#nowMs,
        finishedAtMs: null,
        work: { kind: 'delete' },
        state: { name: 'deleting', isAnswered: false, looks: 0 },
      });
      this.#objects.setWriter(objectId, id);
    }
  }

  /** Direct transfers were in memory only, and a service that is not there any more is asked nothing. */
  leftOpen(): void {
    this.#rows(
      'UPDATE object SET state = ?, epoch = epoch + 1 WHERE state IN (?, ?) AND writer IS NULL',
      stateCode('unknown'),
      stateCode('uploading'),
      stateCode('deleting'),
    );
  }

  /** Its address as transfers name it; null: there is no such service, or its address cannot be read. */
  #originOf(profileId: string): string | null {
    const sql = `SELECT value FROM document WHERE collection = 'profiles' AND key = ?`;
    const [row] = this.#rows<[string]>(sql, profileId);
    const profile = profileSchema.safeParse(row && readJson(row[0]));
    if (!profile.success) return null;
    if (profile.data.isLocal) return 'local';
    try {
      const { origin, prefix } = parseBaseAddress(profile.data.baseAddress, true);
      return origin + prefix;
    } catch {
      return null;
    }
  }

  #profile(profileId: string): number {
    const [known] = this.#rows<[number]>('SELECT id FROM profile WHERE profile_id = ?', profileId);
    if (known) return known[0];
    this.#rows('INSERT INTO profile (profile_id, separator) VALUES (?, ?)', profileId, separatorDefault);
    return this.#profile(profileId);
  }

  #insert(
    given: Omit<
      TransferRecord,
      'id' | 'priority' | 'orderKey' | 'isPaused' | 'tries' | 'trouble' | 'nextAtMs'
    >,
  ): TransferRecord {
    this.#lastId += 1;
    const record: TransferRecord = {
      ...given,
      id: this.#lastId,
      priority: 'normal',
      orderKey: this.#lastId,
      isPaused: false,
      tries: 0,
      trouble: null,
      nextAtMs: null,
    };
    const stored: StoredTransfer = {
      record,
      profile: this.#profile(record.profileId),
      isClaimed: record.state.name !== 'waiting' && !isFinished(record),
      sweep: 0,
      rowBefore: record.direction === 'delete' ? 'unknown' : null,
    };
    this.#rows(
      insertSql,
      ...fixedValues(stored, this.#originNumber(record.origin)),
      ...changingValues(stored),
    );
    return record;
  }

  #originNumber(address: string): number {
    this.#rows('INSERT INTO origin (address) VALUES (?) ON CONFLICT DO NOTHING', address);
    return this.#rows<[number]>('SELECT id FROM origin WHERE address = ?', address)[0]?.[0] ?? 0;
  }

  /** A row that was added for it is its own while it goes on; when that has just ended, the row says so. */
  #takeRow(record: TransferRecord, { state, finishedAtMs }: EarlierJob): void {
    const { objectId } = record;
    // By this step's own columns: the file has none of the later ones yet.
    const [row] = this.#rows<[number]>('SELECT state FROM object WHERE id = ?', objectId);
    if (objectId === null || row?.[0] !== stateCode('uploading')) return;
    if (!isFinished(record)) {
      this.#objects.setWriter(objectId, record.id);
      return;
    }
    const ended = stateCode(state === 'waiting' ? 'failed' : 'unknown');
    this.#rows('UPDATE object SET epoch = epoch + 1, state = ? WHERE id = ?', ended, objectId);
    if (finishedAtMs !== null || record.state.name !== 'failed') return;
    const detail = record.state.error.code;
    this.#objects.addHistory(objectId, { action: 'uploadFailed', detail }, this.#nowMs);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
