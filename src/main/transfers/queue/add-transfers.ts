import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AppFailure, toAppError } from '../../../shared/app-failure.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { RequestKind } from '../../../shared/domain/service.ts';
import type { BatchAction } from '../../../shared/domain/transfer-summary.ts';
import { judgeSize, maxSecretBytes } from '../../../shared/domain/limits.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import { versionIdentifier, versionOf } from '../../../shared/domain/versions.ts';
import { stat } from '../../local-files/fs.ts';
import { sourceFailureOf } from '../../local-files/file-system.ts';
import type { Catalogue } from '../../objects/catalogue.ts';
import { requireObject } from '../../objects/require-object.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import type { ChosenFile, NewBatch, NewTransfer, TransferStore } from '../model/store-types.ts';
import { batchesOf } from '../model/batches.ts';
import { isFor } from './origin.ts';
import { type Asked, secretRead, type SecretToStore, secretUpload } from './record-factory.ts';
import { createBatches, type PendingBatch } from './pending-batch.ts';
import { nextListed } from './newest-version.ts';

/**
 * The present state of a file that a person chose to upload. @throws AppFailure fileGone, fileUnreadable, fileSpecial
 */
export async function chosenFile(path: string): Promise<ChosenFile> {
  const fileName = basename(path);
  const found = await stat(path).catch((cause: unknown) => {
    throw sourceFailureOf(cause, fileName);
  });
  if (!found.isFile()) throw new AppFailure({ code: 'fileSpecial', fileName });
  return { path, fileName, sizeBytes: found.size, mtimeMs: found.mtimeMs };
}

export type AddTransfers = ReturnType<typeof createAddTransfers>;

/** Writes new records to the database, in slices, so that other calls of the window run in between. */
export function createAddTransfers(deps: {
  store: Pick<TransferStore, 'enqueue' | 'newBatch'>;
  connections: Pick<Connections, 'originOf'>;
  clock: Clock;
  closing: AbortSignal;
  catalogue: Pick<Catalogue, 'getMany'>;
  onAdded: (serviceId: string) => void;
}) {
  const { store, connections, clock, closing, catalogue, onAdded } = deps;
  const { batchOf, stop, want, asWanted } = createBatches(store);

  function askedNow(serviceId: string, origin: string = connections.originOf(serviceId)): Asked {
    return { serviceId, origin, createdAtMs: clock.nowMs() };
  }

  /** @param onIds called before any of them can start */
  async function add(
    serviceId: string,
    transfers: readonly NewTransfer[],
    onIds: (ids: number[]) => void = () => undefined,
    batch?: NewBatch,
  ): Promise<number[]> {
    closing.throwIfAborted();
    if (transfers.length === 0) return [];
    const now = connections.originOf(serviceId);
    if (!transfers.every((transfer) => isFor(transfer, now))) throw new AppFailure({ code: 'cancelled' });
    const given = batch === undefined ? transfers : asWanted(batch, transfers);
    const added = await store.enqueue(serviceId, given, batch);
    onIds(added.map(({ id }) => id));
    onAdded(serviceId);
    // Let other calls of the window run between two slices.
    await setImmediate();
    return added.map(({ id }) => id);
  }

  async function addOne(transfer: NewTransfer): Promise<number> {
    const [id] = await add(transfer.serviceId, [transfer]);
    if (id === undefined) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    return id;
  }

  /** Enqueues a transfer for each wanted object, all in one batch unless `action` is null. */
  async function addForRows(
    serviceId: string,
    objectIds: ArrayLike<number>,
    of: {
      action: BatchAction | null;
      route?: RequestKind;
      pendingBatch?: PendingBatch | undefined;
      isWanted: (row: ObjectRecord) => boolean;
      /** Asked before each slice is enqueued. */
      isStopped?: () => boolean;
      make: (asked: Asked, row: ObjectRecord) => NewTransfer;
    },
  ): Promise<number[]> {
    const { action, route, pendingBatch = { count: objectIds.length }, isWanted, isStopped, make } = of;
    const origin = connections.originOf(serviceId);
    const ids: number[] = [];
    for (const slice of batchesOf(objectIds)) {
      const rows = (await catalogue.getMany(slice)).filter(isWanted);
      pendingBatch.count -= slice.length - rows.length;
      const batch = action === null ? undefined : await batchOf(action, pendingBatch, route);
      if (pendingBatch.isStopped === true || isStopped?.() === true) break;
      const asked = askedNow(serviceId, origin);
      const transfers = rows.map((row) => make(asked, row));
      ids.push(...(await add(serviceId, transfers, undefined, batch)));
    }
    return ids;
  }

  return { askedNow, add, addOne, addForRows, batchOf, stopBatch: stop, want };
}

/** Enqueues the requests for secrets, whose values stay in memory. */
export interface EnqueueSecrets {
  /** @throws AppFailure badIdentifier, tooLarge, exists (it is in the list already) */
  storeSecret(serviceId: string, secret: SecretToStore): Promise<{ id: number; identifier: string }>;
  /** `value` resolves when it was fetched. @throws AppFailure notFound */
  readSecret(objectId: number): Promise<{ id: number; serviceId: string; value: Promise<Uint8Array> }>;
}

export function createEnqueueSecrets(deps: {
  adding: Pick<AddTransfers, 'add' | 'askedNow'>;
  store: Pick<TransferStore, 'versions'>;
  connections: Pick<Connections, 'originOf' | 'factsOf'>;
  catalogue: Pick<Catalogue, 'getMany'>;
  /** Keeps a secret's value for its record. */
  keep: (id: number, value: Uint8Array) => void;
  /** Promises the value that a record will read. */
  expect: (id: number) => Promise<Uint8Array>;
}): EnqueueSecrets {
  const { store, connections, catalogue, keep, expect } = deps;
  const { add, askedNow } = deps.adding;

  async function storeOne(
    serviceId: string,
    secret: SecretToStore,
  ): Promise<{ id: number; identifier: string }> {
    const { identifier, value } = secret;
    const verdict = checkObjectId(identifier);
    if (!verdict.ok) throw new AppFailure({ code: 'badIdentifier', problem: verdict.problem });
    const origin = connections.originOf(serviceId);
    const exactBytes = (await connections.factsOf(serviceId)).maxSecretBytes;
    if (judgeSize(value.length, maxSecretBytes, exactBytes) === 'tooLarge') {
      throw new AppFailure({ code: 'tooLarge', limitBytes: exactBytes ?? maxSecretBytes.possible });
    }
    const upload = secretUpload(askedNow(serviceId, origin), secret);
    const [id] = await add(serviceId, [upload], ([added]) => {
      if (added !== undefined) keep(added, Uint8Array.from(value));
    });
    if (id === undefined) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    return { id, identifier };
  }

  return {
    async storeSecret(serviceId, { asNewVersion = false, ...secret }) {
      if (!asNewVersion) return storeOne(serviceId, secret);
      const { separator, versionMark } = await connections.factsOf(serviceId);
      const { base } = versionOf(secret.identifier, separator, versionMark);
      for (;;) {
        const listed = await store.versions(serviceId, 'secret', base, { separator, versionMark });
        const identifier = versionIdentifier(base, separator, versionMark, nextListed(listed));
        try {
          return await storeOne(serviceId, { ...secret, identifier, asNewVersion });
        } catch (cause) {
          // Another transfer has taken the number meanwhile.
          if (toAppError(cause)?.code !== 'exists') throw cause;
        }
      }
    },

    async readSecret(objectId) {
      const row = await requireObject(catalogue, objectId, 'secret');
      const { serviceId } = row;
      let value: Promise<Uint8Array> | null = null;
      const [id] = await add(serviceId, [secretRead(askedNow(serviceId), row)], ([added]) => {
        if (added !== undefined) value = expect(added);
      });
      if (id === undefined || value === null) throw new AppFailure({ code: 'notFound', what: 'transfer' });
      return { id, serviceId, value };
    },
  };
}
