import type { Output } from '../../shared/contract.ts';
import type { IfExists, RequestKind } from '../../shared/domain/service.ts';
import type { PlanChoices, UploadPlan } from '../../shared/domain/upload-plan.ts';
import type { Documents } from '../database/documents.ts';
import type { Log, Publisher } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { PendingBatch } from '../transfers/queue/pending-batch.ts';
import type { UploadItem } from '../transfers/queue/record-factory.ts';
import type { FoundFile } from './read-files.ts';
import type { SheetOptions } from './sheet.ts';

export interface UploadChoice {
  readonly classification: string | null;
  readonly classificationChosen?: boolean;
  readonly ifExists: IfExists;
  readonly request: RequestKind;
  readonly isByCommand?: true;
}

export interface PlanDeps {
  readonly documents: Pick<Documents, 'list' | 'write'>;
  readonly connections: Pick<Connections, 'factsOf' | 'originOf'>;
  readonly catalogue: Pick<Catalogue, 'findByIdentifiers' | 'versions'>;
  readonly log: Log;
  readonly publisher: Publisher;
  /** All of the items or, if it rejects, none. Resolves to the ids of their transfers. */
  readonly enqueueUploads: (
    serviceId: string,
    items: UploadItem[],
    request: RequestKind,
    pendingBatch: PendingBatch,
  ) => Promise<number[]>;
  /** Remembers the classification. @param folder where the files went; `''`: none */
  readonly onUpload: (serviceId: string, folder: string, choice: UploadChoice) => Promise<void>;
}

/** An open upload sheet. Changes throw invalidInput (sheet, uploading) once its upload has begun. */
export interface OpenPlan {
  readonly id: string;
  readonly serviceId: string;
  isUploading(): boolean;
  describe(): UploadPlan;
  page(offset: number, limit: number): Output<'uploadPlans.page'>;
  /** @param paths absolute; listed after everything added before */
  add(paths: readonly string[]): UploadPlan;
  /** Adds files that were read already. */
  addFound(files: readonly FoundFile[]): UploadPlan;
  /** @throws AppFailure notFound (uploadPlan) */
  setIdentifier(entryId: number, identifier: string | null): UploadPlan;
  /** @throws AppFailure invalidInput (template, unknownPart), leaving all names unchanged */
  setTemplate(template: string, resetEdited: boolean): UploadPlan;
  /** @param folder of all entries, `''`: none */
  setFolder(folder: string): UploadPlan;
  remove(entries: 'problems' | readonly number[]): UploadPlan;
  numberDuplicates(): UploadPlan;
  choose(choices: PlanChoices): UploadPlan;
  /** `uploadPlans.reclassified`, for the entries that are ready. */
  reclassified(
    to: string | null,
    ifExists: 'replace' | 'newVersion',
  ): Promise<Output<'uploadPlans.reclassified'>['changes']>;
  /**
   * Waits until every file is read and named, then enqueues the ready entries, batch by batch. Each batch then leaves the
   * sheet, so that another upload after a failure sends only the rest. `ids`: of the transfers; `left`: number of entries
   * that stay because of a problem not shown before. @throws AppFailure notFound (service), cancelled (the service's origin
   * has changed), invalidInput (template, unknownPart), and what enqueuing throws
   */
  upload(choice: UploadChoice): Promise<{ ids: number[]; left: number }>;
  /** Resolves when every file is read and named. */
  settled(): Promise<void>;
  /** Stops reading. Transfers already enqueued continue. */
  discard(): Promise<void>;
  /** Coffer quits: the sheet is restored at the next start. */
  close(): Promise<void>;
}

export type PlanOptions = SheetOptions & {
  openedAtMs: number;
  /** The window shows it: changes are published, and it is saved for the next start. */
  isShown: boolean;
};
