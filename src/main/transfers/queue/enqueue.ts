import {
  canMove,
  isClassificationKnown,
  isStoredWhole,
  type ObjectRecord,
} from '../../../shared/domain/object.ts';
import type { RequestKind } from '../../../shared/domain/service.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Catalogue } from '../../objects/catalogue.ts';
import { requireObject } from '../../objects/require-object.ts';
import type { UndoCopy } from '../undo/undo-store.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { batchesOf } from '../model/batches.ts';
import type { Into } from '../model/work.ts';
import { type Tab, tabOf, type CopyFor } from '../../../shared/domain/transfer.ts';
import type { TransferStore, Which } from '../model/store-types.ts';
import { createAddTransfers, createEnqueueSecrets, type EnqueueSecrets } from './add-transfers.ts';
import {
  deletion,
  download,
  fileUpload,
  move,
  reclassification,
  undoUpload,
  type UploadItem,
} from './record-factory.ts';
import type { PendingBatch, Wanted } from './pending-batch.ts';

/**
 * Creates transfers. They are on the disk when a call resolves. Each call is for the origin its service has at the start: it rejects
 * with `cancelled` if that changes before everything is enqueued.
 */
export interface Enqueue extends EnqueueSecrets {
  /** Adds rows at once; existing ones stay as they are until success. @returns the ids */
  readonly uploads: (
    serviceId: string,
    items: readonly UploadItem[],
    route: RequestKind,
    pendingBatch?: PendingBatch,
  ) => Promise<number[]>;
  /** Replaces the object by an undo copy, or asks first if the object has changed since. @returns the id */
  undo(version: UndoCopy): Promise<number>;
  /**
   * @param saveAsPath the path the person chose for one object, whose file is replaced; null: a folder, under free
   * names
   * @param into that folder; without: the service's
   * @param asItIs download the manifest of an object in parts
   * @param below segments after this identifier prefix become folders, '' for all; without: file names alone
   * @returns the ids; only those enqueued so far if the person cancels meanwhile
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
      isByCommand?: true;
      /** Shared by the calls that one action makes. */
      pendingBatch?: PendingBatch | undefined;
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
   * @param unseen nobody has looked whether they are there: one that HEAD does not find fails as `missing`
   * @param isHeld paused, so that nothing is sent before the caller resumes them; the next start fails those that nobody did
   * @returns the ids
   */
  deletions(
    serviceId: string,
    objectIds: ArrayLike<number>,
    options?: { signal?: AbortSignal; unseen?: boolean; isHeld?: boolean },
  ): Promise<number[]>;
  /**
   * Stores objects again as they are, with another classification. Leaves out those that have it, and what is not known to be stored
   * whole under its own identifier: secrets, files in parts, objects that are moving or missing. @returns the ids
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
  /** Stops enqueueing for a cancel of all, of a service or of a batch, which also covers what is not in the database yet. */
  stop(which: Which): void;
  /** Applies to transfers of a batch that are not enqueued yet. */
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
  const { connections, catalogue } = deps;
  /** Calls that are still enqueueing their batches. */
  const running = new Set<{ readonly serviceId: string; readonly tab: Tab; isStopped: boolean }>();
  const adding = createAddTransfers(deps);
  const { askedNow, add, addOne, addForRows, batchOf, stopBatch, want } = adding;

  return {
    ...createEnqueueSecrets({ ...deps, adding }),

    async uploads(serviceId, items, route, pendingBatch = { count: items.length }) {
      const origin = connections.originOf(serviceId);
      const ofAction = await batchOf('upload', pendingBatch, route);
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

    async downloads(serviceId, objectIds, options) {
      const { saveAsPath, into, route, below, asItIs = false, isByCommand, pendingBatch } = options;
      const run = { serviceId, tab: tabOf({ route }), isStopped: false };
      running.add(run);
      const work = {
        saveAsPath,
        ...(into !== undefined && { into }),
        ...(below !== undefined && { below }),
        ...(asItIs && { asItIs }),
        ...(isByCommand && { isByCommand }),
      };
      try {
        return await addForRows(serviceId, objectIds, {
          action: 'download',
          route,
          pendingBatch,
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
      const row = await requireObject(catalogue, objectId, 'data');
      const work = { saveAsPath: path, copyFor };
      return addOne({ ...download(askedNow(row.serviceId), row, work, 'direct'), priority: 'now' });
    },

    async deletions(serviceId, objectIds, { signal, ...how } = {}) {
      return addForRows(serviceId, objectIds, {
        action: null,
        isWanted: ({ kind, state }) =>
          kind === 'data' && state !== 'uploading' && state !== 'deleting' && state !== 'gone',
        isStopped: () => signal?.aborted === true,
        make: (asked, row) => deletion(asked, row, how),
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
      const { separator } = await connections.factsOf(serviceId);
      return addForRows(serviceId, [...names.keys()], {
        action: 'move',
        isWanted: canMove,
        make: (asked, row) => move(asked, row, names.get(row.id) ?? row.identifier, separator),
      });
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
