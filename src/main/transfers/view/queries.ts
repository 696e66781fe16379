import type { Output, PartsShown } from '../../../shared/contract.ts';
import { pageLimitMax } from '../../../shared/domain/object.ts';
import { mainTexts } from '../../texts.ts';
import type { SavedFile } from '../../../shared/domain/transfer.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Context } from '../run/context.ts';
import { windowLeftMs } from '../model/active-transfer.ts';
import type { PartPlans } from '../parts/part-plans.ts';
import { showPlan } from '../parts/shown-parts.ts';
import { isFinished, type TransferRecord } from '../model/record.ts';
import type { Secrets } from '../queue/secret-memory.ts';
import { saveIncomplete } from '../parts/sparse-download.ts';
import { checkSavedFile, savedPathOf } from '../steps/download-target.ts';

export interface TransferQueries {
  /** The downloaded file, with its absolute path. @throws AppFailure notFound: the transfer, or its file */
  savedFileOf(id: number): Promise<SavedFile & { path: string }>;
  /** The newest file that an object was downloaded as; null: none known. */
  savedFileOfObject(objectId: number): Promise<SavedFile | null>;
  /** The newest downloads of a batch that saved a file, as many as a page has. */
  savedOfBatch(batch: number): Promise<number[]>;
  /**
   * Paths of the files that an object was uploaded from or saved as, also before it was moved, newest first. They may
   * have changed since.
   */
  localFilesOf(objectId: number): Promise<string[]>;
  /** The options of an upload. @throws AppFailure notFound */
  uploadOf(id: number): Promise<Output<'transfers.uploadOf'>>;
  /** The records; missing ones are left out. */
  recordsOf(ids: readonly number[]): Promise<TransferRecord[]>;
  /** The newest transfer that uploads the file at a path, or downloads a private copy to it; null: none. */
  ofPath(path: string): Promise<TransferRecord | null>;
  /** The parts of an object that is being transferred; null: none is. */
  partsOf(objectId: number): Promise<PartsShown | null>;
  /** Publishes the incomplete bytes of a failed download under a name that says so. @throws as `saveIncomplete` */
  saveIncomplete(id: number): Promise<{ fileName: string }>;
  /** The object and the service of a transfer. @throws AppFailure notFound: the transfer, or its object */
  objectOf(id: number): Promise<{ serviceId: string; objectId: number }>;
  /** @throws AppFailure notFound */
  activityTokenOf(id: number): Promise<string>;
  /** Unfinished and failed Replaces that may have changed their object, with the identifiers of their copies beside it. */
  halfReplacedOf(serviceId: string): Promise<{ identifier: string; copies: string[] }[]>;
  /** Deletions that were never sent, because Coffer ended while a person could still undo them. */
  unsentDeletionsOf(serviceId: string): Promise<TransferRecord[]>;
  /** Identifiers of secrets whose value is in memory alone. */
  unsentSecretsOf(serviceId: string): Promise<string[]>;
  /** What quitting now would lose: deferred requests, with the ends of their windows, and secrets not sent yet. */
  readonly atStake: () => { identifier: string; windowEndsAtMs: number | null }[];
}

export function createTransferQueries(
  { active, store, batcher, connections }: Pick<Context, 'active' | 'store' | 'batcher' | 'connections'>,
  plans: PartPlans,
  secrets: Pick<Secrets, 'ids'>,
): TransferQueries {
  async function get(id: number): Promise<TransferRecord> {
    const record = active.get(id)?.record ?? (await store.getMany([id]))[0];
    if (!record) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    return record;
  }

  return {
    async savedFileOf(id) {
      const saved = await checkSavedFile(await get(id));
      if (saved === null) throw new AppFailure({ code: 'notFound', what: 'transfer' });
      if (saved.state === 'gone') throw new AppFailure({ code: 'notFound', what: 'savedFile' });
      return saved;
    },
    async savedFileOfObject(objectId) {
      const record = (await store.doneOf(objectId)).find((done) => savedPathOf(done) !== null);
      const saved = record === undefined ? null : await checkSavedFile(record);
      if (saved === null) return null;
      const { path: _, ...shown } = saved;
      return shown;
    },
    async savedOfBatch(batch) {
      const records = await store.doneOfBatch(batch, pageLimitMax);
      return records.filter((record) => savedPathOf(record) !== null).map(({ id }) => id);
    },
    async localFilesOf(objectId) {
      const paths = new Set<string>();
      // Includes the ids it had before it was moved: the loop also visits ids that are added during it.
      const ids = new Set([objectId]);
      for (const id of ids) {
        for (const record of await store.doneOf(id)) {
          const { work } = record;
          const path = savedPathOf(record) ?? (work.kind === 'upload' ? work.path : '');
          if (path !== '') paths.add(path);
          if (work.kind === 'upload' && work.moves?.objectId !== undefined) ids.add(work.moves.objectId);
        }
      }
      return [...paths];
    },
    async uploadOf(id) {
      const { serviceId, identifier, work } = await get(id);
      if (work.kind !== 'upload') throw new AppFailure({ code: 'notFound', what: 'transfer' });
      const { classification, fileName } = work;
      const isReclassification = work.reclassifies === true;
      return { serviceId, identifier, classification, fileName, isReclassification };
    },
    recordsOf: (ids) => store.getMany(ids),
    ofPath: (path) => store.ofPath(path),
    async partsOf(objectId) {
      const [record] = await store.ofObjects([objectId]);
      const plan = record && plans.of(record.id);
      if (!plan) return null;
      return showPlan(plan, active.get(record.id)?.run != null);
    },
    async saveIncomplete(id) {
      const record = await get(id);
      const { separator } = await connections.factsOf(record.serviceId);
      const name = record.identifier.split(separator).at(-1) ?? '';
      return saveIncomplete(plans, record, name, mainTexts.download.incomplete);
    },
    async objectOf(id) {
      const { serviceId, objectId } = await get(id);
      if (objectId === null) throw new AppFailure({ code: 'notFound', what: 'object' });
      return { serviceId, objectId };
    },
    async activityTokenOf(id) {
      const { activityToken } = await get(id);
      if (activityToken === null) throw new AppFailure({ code: 'notFound', what: 'transfer' });
      return activityToken;
    },
    async halfReplacedOf(serviceId) {
      return (await store.halfReplaced(serviceId)).map(({ identifier, work }) => {
        const { staged = null, beside = null } = (work.kind === 'upload' && work.replace) || {};
        return { identifier, copies: [staged, beside].filter((copy) => copy !== null) };
      });
    },
    unsentDeletionsOf: (serviceId) => store.unsentDeletions(serviceId),
    async unsentSecretsOf(serviceId) {
      const held = await store.getMany(secrets.ids());
      return held
        .filter(
          (each) => each.serviceId === serviceId && each.work.kind === 'storeSecret' && !isFinished(each),
        )
        .map(({ identifier }) => identifier);
    },
    atStake() {
      const now = batcher.now();
      return [...active.values()].flatMap(({ record }) => {
        const leftMs = windowLeftMs(record, now);
        const isUnsent = record.work.kind === 'storeSecret' && !isFinished(record);
        if (leftMs === null && !isUnsent) return [];
        return [
          { identifier: record.identifier, windowEndsAtMs: leftMs === null ? null : now.wallMs + leftMs },
        ];
      });
    },
  };
}
