import { z } from 'zod';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import {
  dateOf,
  dueReminder,
  remindDays,
  renewBySchema,
  type RemindDay,
} from '../../shared/domain/secret.ts';
import { versionMeant } from '../../shared/domain/versions.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Documents } from '../database/documents.ts';
import { readCollection } from '../database/collection.ts';
import type { Host } from '../host.ts';
import { everyHour } from '../lib/timers.ts';
import type { Clock, Log } from '../ports.ts';

const firstCheckAfterMs = 30_000;
const dayMs = 86_400_000;
const collection = 'renewals';
const earliestDays = Math.max(...remindDays);

/** The last reminder sent for a secret. Another `renewBy` or `days` means that a new one is due. */
const toldSchema = z.object({ renewBy: renewBySchema, days: z.literal(remindDays) });

/**
 * Reminds of secrets that need a new value: 30 and 7 days before the day, and on that day. Only the newest version counts.
 */
export function createRenewals(deps: {
  catalogue: Pick<Catalogue, 'renewals' | 'versions'>;
  documents: Pick<Documents, 'list' | 'write'>;
  clock: Clock;
  log: Log;
  /** Lists of removed services stay, without reminders. */
  isSetUp: (serviceId: string) => boolean;
  onDue: (due: readonly ObjectRecord[]) => void;
}) {
  const { catalogue, documents, clock, log, isSetUp, onDue } = deps;

  async function isNewest({ serviceId, identifier, id }: ObjectRecord): Promise<boolean> {
    const { base, versions } = await catalogue.versions(serviceId, 'secret', identifier);
    const records = versions.map(({ record }) => record);
    return versionMeant(base, base, records)?.id === id;
  }

  /** Sends reminders that are due. */
  async function check(): Promise<void> {
    const nowMs = clock.nowMs();
    const told = await readCollection(documents, collection, toldSchema);
    const due: { record: ObjectRecord; renewBy: string; days: RemindDay }[] = [];
    for (const record of await catalogue.renewals(dateOf(nowMs + earliestDays * dayMs))) {
      const { renewBy } = record;
      const days = renewBy == null ? null : dueReminder(renewBy, nowMs);
      if (renewBy == null || days === null || !isSetUp(record.serviceId)) continue;
      const before = told.get(String(record.id));
      // A later reminder was sent while the clock was ahead.
      const isTold = before?.renewBy === renewBy && before.days === days;
      if (!isTold && (await isNewest(record))) due.push({ record, renewBy, days });
    }
    if (due.length === 0) return;
    await documents.write(
      collection,
      due.map(({ record, renewBy, days }) => ({ key: String(record.id), value: { renewBy, days } })),
    );
    onDue(due.map(({ record }) => record));
  }

  const looking = everyHour(
    clock,
    check,
    (cause) => log.warn('it is not known which secrets are to be renewed', { cause }),
    firstCheckAfterMs,
  );
  return { look: check, close: looking.close };
}

export function renewals(host: Host): void {
  const { notifications, repository } = host;
  const own = createRenewals({
    ...host,
    isSetUp: (serviceId) => repository.find(serviceId) !== undefined,
    onDue: (due) => notifications.secretsDue(due.map(({ identifier }) => identifier)),
  });
  host.onClose(() => own.close());
}
