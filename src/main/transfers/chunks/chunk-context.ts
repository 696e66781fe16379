import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { UndoCopyStore } from '../undo/undo-copies.ts';
import type { Clock } from '../../ports.ts';
import type { Attempt } from '../queue/attempt.ts';
import type { TemporaryFile } from '../../local-files/temporary-file.ts';
import type { Limits } from '../queue/limits/limits.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { ChunkPlans } from './chunk-plans.ts';
import type { UndoManifests } from './undo-manifests.ts';
import type { OrphanCollector } from './orphan-collector.ts';

/** An attempt that moves bytes, whole or in chunks. It only reads; it never writes a record or a row. */
export interface ChunkContext extends Attempt {
  readonly clock: Clock;
  readonly rows: TransferStore['rows'];
  readonly limits: Pick<Limits, 'takeBytes'>;
  readonly undoCopies: UndoCopyStore;
  /**
   * Complete temporary files that are still open, by record. After a kill there are none, only the files under their
   * temporary names.
   */
  readonly temporaryFiles: Map<number, TemporaryFile>;
  readonly chunking: Chunking;
}

/** Dependencies for chunked files. */
export interface Chunking {
  readonly plans: ChunkPlans;
  readonly orphans: Pick<
    OrphanCollector,
    'exclusively' | 'giveUp' | 'forgetDownload' | 'noteDeletion' | 'noteGone'
  >;
  readonly undoManifests: UndoManifests;
  /** The manifest text of an object known to be chunked; null: unknown. */
  readonly manifestOf: (objectId: number) => Promise<string | null>;
  /** The client name that manifests are written with. */
  readonly clientName: string;
}

export type ObjectRow = { readonly record: ObjectRecord; readonly epoch: number };

/** The row of the list as it is now; null: it was removed. */
export async function rowOf({
  record: { objectId },
  rows,
}: Pick<ChunkContext, 'record' | 'rows'>): Promise<ObjectRow | null> {
  const [row] = objectId === null ? [] : await rows([objectId]);
  return row ?? null;
}
