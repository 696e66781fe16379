import type { ObjectKind } from '../../shared/domain/object.ts';
import { factBits } from '../../shared/domain/unverified.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { Catalogue, NewObject } from '../objects/catalogue.ts';
import type { Connections } from '../connections/connections.ts';
import type { Clock } from '../ports.ts';
import type { createChangeWriter } from './change-writer.ts';
import { changeAfterHead, checkPresence } from './check-objects.ts';
import { mapConcurrent } from '../lib/async.ts';
import { mostRequests } from '../transfers/queue/limits/adaptive-limit.ts';
import type { RetryingRequest } from '../transfers/queue/retrying-request.ts';
import type { RunningTask } from './task-list.ts';

const batchSize = 200;
/** Row of an object whose existence only the person asserts. */
const byItsName = { state: 'unknown', unverified: factBits.presence } as const;

/**
 * Checks identifiers that a person knows, and adds those that exist to the list; known rows are checked too. Secrets
 * cannot be checked (section 4.3 shows no HEAD): they are added as unknown, and so is everything with `unseen`.
 */
export async function addKnown(
  deps: {
    catalogue: Pick<Catalogue, 'add' | 'findByIdentifiers'>;
    connections: Pick<Connections, 'momentOf'>;
    request: RetryingRequest;
    writer: ReturnType<typeof createChangeWriter>;
    clock: Clock;
  },
  wanted: { serviceId: string; kind: ObjectKind; identifiers: readonly string[]; unseen?: true },
  task: RunningTask,
): Promise<void> {
  const { catalogue, connections, request, writer, clock } = deps;
  const { serviceId, kind, unseen = kind === 'secret' } = wanted;
  const unique = new Set<string>();
  for (const identifier of wanted.identifiers) {
    const verdict = checkObjectId(identifier);
    if (!verdict.ok) task.count('failed', { code: 'badIdentifier', problem: verdict.problem }, identifier);
    else if (unique.has(identifier)) task.count('failed');
    else unique.add(identifier);
  }
  const all = [...unique];
  for (let index = 0; index < all.length; index += batchSize) {
    await addBatch(all.slice(index, index + batchSize));
  }

  async function addBatch(identifiers: string[]): Promise<void> {
    const known = await catalogue.findByIdentifiers(serviceId, kind, identifiers);
    const found: NewObject[] = [];
    try {
      await mapConcurrent(identifiers, mostRequests, async (identifier) => {
        task.signal.throwIfAborted();
        if (unseen) {
          if (known.has(identifier)) task.countListed();
          else found.push({ kind, identifier, patch: byItsName, history: { action: 'added' } });
          return task.count('ignored');
        }
        try {
          const seen = await checkPresence(request, { serviceId, identifier }, task.signal);
          const record = known.get(identifier);
          const checkedAtMs = connections.momentOf(serviceId, clock.nowMs());
          const change = record && changeAfterHead(record, seen, checkedAtMs);
          if (change) writer.add({ ...change, ifState: record.state });
          if (!record && seen.present) {
            const { lengthBytes } = seen;
            const patch = { state: 'stored', lengthBytes, checkedAtMs } as const;
            found.push({ kind, identifier, patch, history: { action: 'added' } });
          }
          if (record && seen.present) task.countListed();
          if (!seen.present) task.noteNotFound(identifier);
          task.count(seen.present ? 'present' : 'missing');
        } catch (cause) {
          const error = toAppError(cause);
          if (!error || task.signal.aborted) throw cause;
          task.count('failed', error, identifier);
        }
      });
    } finally {
      if (found.length > 0) await catalogue.add(serviceId, found);
    }
  }
}
