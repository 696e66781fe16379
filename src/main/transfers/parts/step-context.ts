import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { UndoCopyStore } from '../undo/undo-copies.ts';
import type { Clock } from '../../ports.ts';
import type { Attempt, Rules } from '../queue/attempt.ts';
import type { TemporaryFile } from '../../local-files/temporary-file.ts';
import type { Limits } from '../queue/limits/limits.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { PartPlans } from './part-plans.ts';
import type { UndoManifests } from './undo-manifests.ts';
import type { OrphanCollector } from './orphan-collector.ts';

/** The inputs of a step. A step only reads; its result says what to write. */
export interface StepContext extends Attempt {
  readonly list: List;
  readonly files: Files;
  readonly parts: Parts;
  readonly rules: Rules;
  readonly clock: Clock;
}

/** Rows of the list as they are now, and the names that only one upload may take. */
type List = Pick<
  TransferStore,
  'rows' | 'versions' | 'isBeingStored' | 'isBeingReclassified' | 'takeIdentifier' | 'takeRow' | 'takeVersion'
>;

/** This computer's side of the bytes. */
interface Files {
  /** Waits until this many bytes may be moved. */
  readonly takeBytes: Limits['takeBytes'];
  readonly undoCopies: UndoCopyStore;
  /**
   * Complete temporary files that are still open, by record. After a kill there are none, only the files under their
   * temporary names.
   */
  readonly temporaryFiles: Map<number, TemporaryFile>;
  /** A file has its name, and its folder could not be flushed to the disk. */
  readonly onUnflushed: (transferId: number) => void;
  /** Id of this data folder, created once. */
  readonly installId: string;
}

/** What is known of files in parts. */
interface Parts {
  readonly plans: PartPlans;
  readonly orphans: Pick<
    OrphanCollector,
    'exclusively' | 'giveUp' | 'forgetDownload' | 'noteDeletion' | 'noteGone'
  >;
  readonly undoManifests: UndoManifests;
  /** The manifest text of an object known to be in parts; null: unknown. */
  readonly manifestOf: (objectId: number) => Promise<string | null>;
  /** The client name that manifests are written with. */
  readonly clientName: string;
}

export type ObjectRow = { readonly record: ObjectRecord; readonly epoch: number };

/** The row of the list as it is now; null: it was removed. */
export async function rowOf({
  record: { objectId },
  list,
}: Pick<StepContext, 'record' | 'list'>): Promise<ObjectRow | null> {
  const [row] = objectId === null ? [] : await list.rows([objectId]);
  return row ?? null;
}
