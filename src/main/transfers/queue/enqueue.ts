import { setImmediate } from 'node:timers/promises';
import { judgeSize, maxSecretBytes } from '../../../shared/domain/limits.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import {
  canMove,
  isClassificationKnown,
  isStoredWhole,
  type ObjectRecord,
} from '../../../shared/domain/object.ts';
import type { RequestKind } from '../../../shared/domain/service.ts';
import { tabOf, type BatchAction, type CopyFor } from '../../../shared/domain/transfer.ts';
import { versionIdentifier, versionOf } from '../../../shared/domain/versions.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { Catalogue } from '../../objects/catalogue.ts';
import type { UndoCopy } from '../undo/undo-store.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { batchesOf } from '../model/batches.ts';
import {
  deletion,
  download,
  fileUpload,
  move,
  reclassification,
  secretRead,
  secretUpload,
  undoUpload,
  type Asked,
  type SecretToStore,
  type UploadItem,
} from './record-factory.ts';
import { nextListed } from './newest-version.ts';
import { isFor } from './origin.ts';
import { createBatches, type Together, type Wanted } from './together.ts';
import type { Into } from '../model/record.ts';
import type { NewBatch, NewTransfer, Tab, TransferStore, Which } from '../model/store-types.ts';

/**
 * Creates transfers. They are on the disk when a call resolves. Each call is for the origin its service has at the start: it rejects
 * with `cancelled` if that changes before everything is enqueued.
 */
export interface Enqueue {
  /** Adds rows at once; existing ones stay as they are until success. @returns the ids */
  readonly uploads: (
    serviceId: string,
    items: readonly UploadItem[],
    route: RequestKind,
    together?: Together,
  ) => Promise<number[]>;
  /** Replaces the object by an undo copy, or asks first if the object has changed since. @returns the id */
  undo(version: UndoCopy): Promise<number>;
  /**
   * @param saveAsPath the path the user chose for one object, whose file is replaced; null: a folder, under free names
   * @param into that folder; without: the service's
   * @param asItIs download the manifest of a chunked object
   * @param below the identifier prefix below which paths are kept there as folders, '' for whole paths; without: names alone
   * @returns the ids; only those enqueued so far if the user cancels meanwhile
   */
  downloads(
    serviceId: string,
    objectIds: ArrayLike<number>,
    options: {
      saveAsPath: string | null;
      into?: Into | undefined;
      route: RequestKind;
      below?: string | undefined;
      asItIs?: boolean | undefined;
      /** One action that several calls enqueue. */
      together?: Together | undefined;
    },
  ): Promise<number[]>;
  /** Uploads one of Coffer's own files (edited, or made current) ahead of the queue. @returns the id */
  save(serviceId: string, item: UploadItem): Promise<number>;
  /**
   * Downloads a private copy of an object ahead of the queue, to a path in an existing folder of Coffer's own.
   * @returns the id
   * @throws AppFailure notFound
   */
  copy(objectId: number, path: string, copyFor: CopyFor): Promise<number>;
  /**
   * Enqueues deletions of the objects that can be deleted: data that exists or may exist. After an abort no more are enqueued.
   * @returns the ids
   */
  deletions(serviceId: string, objectIds: ArrayLike<number>, signal?: AbortSignal): Promise<number[]>;
  /**
   * Stores objects again as they are, with another classification. Leaves out those that have it, and what is not known to be stored
   * whole under its own identifier: secrets, chunked files, objects that are moving or missing. @returns the ids
   */
  reclassify(
    serviceId: string,
    objectIds: ArrayLike<number>,
    classification: string | null,
  ): Promise<number[]>;
  /**
   * Stores objects under other identifiers, then deletes them. Leaves out what is not known to be stored whole, and objects whose
   * classification is unknown. @param names new identifiers, by object @returns the ids
   */
  move(serviceId: string, names: ReadonlyMap<number, string>): Promise<number[]>;
  /** @throws AppFailure badIdentifier, tooLarge, exists (it is in the list already) */
  storeSecret(serviceId: string, secret: SecretToStore): Promise<{ id: number; identifier: string }>;
  /** `value` resolves when it was fetched. @throws AppFailure notFound */
  readSecret(objectId: number): Promise<{ id: number; serviceId: string; value: Promise<Uint8Array> }>;
  /** Stops enqueueing for a cancel of all, of a service or of a batch, which also covers what is not in the database yet. */
  stop(which: Which): void;
  /** Holds for what is still to be enqueued of a batch. */
  readonly want: (batch: number, wanted: Wanted) => void;
}

export function createEnqueue(deps: {
  store: Pick<TransferStore, 'enqueue' | 'newBatch' | 'versions'>;
  connections: Pick<Connections, 'originOf' | 'factsOf'>;
  clock: Clock;
  closing: AbortSignal;
  catalogue: Pick<Catalogue, 'getMany'>;
  onAdded: (serviceId: string) => void;
  /** Keeps a secret's value for its record. */
  keep: (id: number, value: Uint8Array) => void;
  /** Promises the value that a record will read. */
  expect: (id: number) => Promise<Uint8Array>;
}): Enqueue {
  const { store, connections, clock, closing, catalogue, onAdded, keep, expect } = deps;
  /** Calls that are still enqueueing their batches. */
  const running = new Set<{ readonly serviceId: string; readonly tab: Tab; isStopped: boolean }>();
  const { batchOf, stop: stopBatch, want, asWanted } = createBatches(store);

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
    // Let other calls of the window run between two batches.
    await setImmediate();
    return added.map(({ id }) => id);
  }

  async function addOne(transfer: NewTransfer): Promise<number> {
    const [id] = await add(transfer.serviceId, [transfer]);
    if (id === undefined) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    return id;
  }

  /** Enqueues a transfer for each object that is wanted. All of them are one batch, but for an `action` that has none. */
  async function addForRows(
    serviceId: string,
    objectIds: ArrayLike<number>,
    of: {
      action: BatchAction | null;
      route?: RequestKind;
      together?: Together | undefined;
      isWanted: (row: ObjectRecord) => boolean;
      /** Asked before each slice is enqueued. */
      isStopped?: () => boolean;
      make: (asked: Asked, row: ObjectRecord) => NewTransfer;
    },
  ): Promise<number[]> {
    const { action, route, together = { count: objectIds.length }, isWanted, isStopped, make } = of;
    const origin = connections.originOf(serviceId);
    const ids: number[] = [];
    for (const slice of batchesOf(objectIds)) {
      const rows = (await catalogue.getMany(slice)).filter(isWanted);
      together.count -= slice.length - rows.length;
      const batch = action === null ? undefined : await batchOf(action, together, route);
      if (together.isStopped === true || isStopped?.() === true) break;
      const asked = askedNow(serviceId, origin);
      const transfers = rows.map((row) => make(asked, row));
      ids.push(...(await add(serviceId, transfers, undefined, batch)));
    }
    return ids;
  }

  async function rowOf(objectId: number) {
    const [row] = await catalogue.getMany([objectId]);
    if (!row) throw new AppFailure({ code: 'notFound', what: 'object' });
    return row;
  }

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
    async uploads(serviceId, items, route, together = { count: items.length }) {
      const origin = connections.originOf(serviceId);
      const ofAction = await batchOf('upload', together, route);
      const ids: number[] = [];
      for (const batch of batchesOf(items)) {
        const transfers = batch.map((item) => fileUpload(askedNow(serviceId, origin), item, route));
        ids.push(...(await add(serviceId, transfers, undefined, ofAction)));
      }
      return ids;
    },

    async undo(version) {
      const { serviceId } = version;
      const upload = undoUpload(askedNow(serviceId), version);
      const [id] = await add(serviceId, [upload]);
      if (id === undefined) throw new AppFailure({ code: 'notFound', what: 'kept' });
      return id;
    },

    async downloads(serviceId, objectIds, { saveAsPath, into, route, below, asItIs = false, together }) {
      const run = { serviceId, tab: tabOf({ route }), isStopped: false };
      running.add(run);
      const work = {
        saveAsPath,
        ...(into !== undefined && { into }),
        ...(below !== undefined && { below }),
        ...(asItIs && { asItIs }),
      };
      try {
        return await addForRows(serviceId, objectIds, {
          action: 'download',
          route,
          together,
          isWanted: ({ kind }) => kind === 'data',
          isStopped: () => run.isStopped,
          make: (asked, row) => download(asked, row, work, route),
        });
      } finally {
        running.delete(run);
      }
    },

    async save(serviceId, item) {
      return addOne({ ...fileUpload(askedNow(serviceId), item, 'direct'), priority: 'now' });
    },

    async copy(objectId, path, copyFor) {
      const row = await rowOf(objectId);
      if (row.kind !== 'data') throw new AppFailure({ code: 'notFound', what: 'object' });
      const work = { saveAsPath: path, copyFor };
      return addOne({ ...download(askedNow(row.serviceId), row, work, 'direct'), priority: 'now' });
    },

    async deletions(serviceId, objectIds, signal) {
      return addForRows(serviceId, objectIds, {
        action: null,
        isWanted: ({ kind, state }) =>
          kind === 'data' && state !== 'uploading' && state !== 'deleting' && state !== 'gone',
        isStopped: () => signal?.aborted === true,
        make: deletion,
      });
    },

    async reclassify(serviceId, objectIds, classification) {
      return addForRows(serviceId, objectIds, {
        action: 'reclassify',
        isWanted: (row) => isStoredWhole(row) && !isKnownAs(row, classification),
        make: (asked, row) => reclassification(asked, row, classification),
      });
    },

    async move(serviceId, names) {
      return addForRows(serviceId, [...names.keys()], {
        action: 'move',
        isWanted: canMove,
        make: (asked, row) => move(asked, row, names.get(row.id) ?? row.identifier),
      });
    },

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
      const row = await rowOf(objectId);
      if (row.kind !== 'secret') throw new AppFailure({ code: 'notFound', what: 'object' });
      const { serviceId } = row;
      let value: Promise<Uint8Array> | null = null;
      const [id] = await add(serviceId, [secretRead(askedNow(serviceId), row)], ([added]) => {
        if (added !== undefined) value = expect(added);
      });
      if (id === undefined || value === null) throw new AppFailure({ code: 'notFound', what: 'transfer' });
      return { id, serviceId, value };
    },

    stop(which) {
      if (which.kind === 'batch') stopBatch(which.batch);
      for (const run of running) {
        const matches =
          which.kind === 'service'
            ? which.serviceId === run.serviceId
            : which.kind === 'all' && (which.tab === undefined || which.tab === run.tab);
        if (matches) run.isStopped = true;
      }
    },

    want,
  };
}

function isKnownAs(row: ObjectRecord, wanted: string | null): boolean {
  return row.classification === wanted && isClassificationKnown(row);
}
