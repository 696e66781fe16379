import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { Keeper } from '../undo/undo-copies.ts';
import type { Clock } from '../../ports.ts';
import type { Attempt } from '../queue/attempt.ts';
import type { TemporaryFile } from '../../local-files/temporary-file.ts';
import type { Limits } from '../queue/limits/limits.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { ChunkPlans } from './chunk-plans.ts';
import type { UndoManifests } from './undo-manifests.ts';
import type { OrphanCollector } from './orphan-collector.ts';

/** An attempt that moves bytes, whole or in parts. It reads; it never writes a record or a row. */
export interface ChunkContext extends Attempt {
  readonly clock: Clock;
  readonly store: Pick<TransferStore, 'rows'>;
  readonly limits: Pick<Limits, 'takeBytes'>;
  readonly kept: Keeper;
  /** Parts that are whole and still open, by record. After a kill there are none, and the file under the part's name is. */
  readonly parts: Map<number, TemporaryFile>;
  readonly inParts: InParts;
}

/** Files in parts, beside the records. */
export interface InParts {
  readonly batcher: ChunkPlans;
  readonly orphans: Pick<
    OrphanCollector,
    'exclusively' | 'giveUp' | 'forgetDownload' | 'noteDeletion' | 'noteGone'
  >;
  readonly undoManifests: UndoManifests;
  /** What lies under the identifier of an object that is known to lie in parts; null: it is not known. */
  readonly manifestOf: (objectId: number) => Promise<string | null>;
  /** What lists of parts say of who wrote them. */
  readonly clientName: string;
}

export type ObjectRow = { readonly record: ObjectRecord; readonly epoch: number };

/** The row of the list, as it is now; null: it was taken off. */
export async function rowOf({
  record: { objectId },
  store,
}: Pick<ChunkContext, 'record' | 'store'>): Promise<ObjectRow | null> {
  const [row] = objectId === null ? [] : await store.rows([objectId]);
  return row ?? null;
}
