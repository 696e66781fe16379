import type { Documents } from '../catalogue/catalogue.ts';
import type { Clock, Log } from '../ports.ts';
import { newEntry, recordSchema, type Entry, type JobRecord } from './entry.ts';
import { createSteadyTime, momentSchema, type Moment } from './steady-time.ts';

const collection = 'jobs';
/** Beside the jobs: the last moment known. */
const timeKey = 'time';
const retryMs = 1000;

/** The jobs as they are on the disk. */
export interface Journal {
  /**
   * Resolves when it is durable. What gathers while one write is under way goes together into the next; a write that
   * fails (a full disk) is tried again until it succeeds or everything ends: then it rejects.
   */
  readonly write: (records: readonly JobRecord[]) => Promise<void>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  readonly now: () => Moment;
}

/** Reads what an earlier run has left. One that cannot be read is passed over, not deleted. */
export async function openJournal(deps: {
  documents: Documents;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
}): Promise<{ journal: Journal; entries: Entry[] }> {
  const { documents, clock, log, closing } = deps;
  const entries: Entry[] = [];
  let before: Moment | null = null;
  for (const { key, value } of await documents.list(collection)) {
    if (key === timeKey) {
      before = momentSchema.nullable().catch(null).parse(value);
      continue;
    }
    const record = recordSchema.safeParse(value);
    if (record.success) entries.push(newEntry(record.data));
    else log.error('a job cannot be read', { jobId: key, issue: record.error.issues[0]?.path });
  }
  const time = createSteadyTime(clock, before);
  let gathering: { changes: Map<string, unknown>; written: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();

  function gather(changes: Iterable<readonly [string, unknown]>): Promise<void> {
    if (!gathering) {
      const gathered = new Map<string, unknown>();
      const written = last.then(() => {
        gathering = null;
        return persist(gathered);
      });
      gathering = { changes: gathered, written };
      last = written.catch(() => undefined);
    }
    for (const [key, value] of changes) gathering.changes.set(key, value);
    return gathering.written;
  }

  async function persist(changes: ReadonlyMap<string, unknown>): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const given = [...changes].map(([key, value]) => ({ key, value }));
        return await documents.write(collection, [...given, { key: timeKey, value: time.now() }]);
      } catch (cause) {
        if (isFirst) log.error('jobs cannot be written down', { cause });
        if (closing.aborted) throw cause;
        await clock.delay(retryMs, closing).catch(() => undefined);
      }
    }
  }

  return {
    entries: entries.toSorted((a, b) => a.record.number - b.record.number),
    journal: {
      now: () => time.now(),
      write: (records) => gather(records.map((record) => [record.id, structuredClone(record)])),
      remove: (ids) => gather(ids.map((id) => [id, undefined])),
    },
  };
}
