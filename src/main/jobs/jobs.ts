import type { Input, Output } from '../../shared/contract.ts';
import type { JobSummary } from '../../shared/domain/job.ts';
import type { UploadItem } from '../transfers/entry.ts';

export interface SecretToStore {
  readonly identifier: string;
  readonly classification: string | null;
  /** Held in memory until the service has answered the start, and nowhere else. */
  readonly value: Uint8Array;
  /** The file it came from, by its name. */
  readonly sourceName: string | null;
}

/** Deferred requests (sections 2, 3, 4.2 and 4.3 of the interface): started, followed, fetched, never lost. */
export interface Jobs {
  enqueueUploads(profileId: string, items: readonly UploadItem[]): Promise<number>;
  enqueueDownloads(profileId: string, objectIds: ArrayLike<number>): Promise<number>;
  /** Answers the job's id. @throws AppFailure badIdentifier, tooLarge, exists (the list has it already) */
  storeSecret(profileId: string, secret: SecretToStore): Promise<string>;
  /**
   * A deferred download whose result is held in memory and given to the caller alone. It stands on the list of jobs
   * like every other. An abort stops following. @throws AppFailure what the service or the window said
   */
  readSecret(objectId: number, signal: AbortSignal): Promise<Uint8Array>;
  page(input: Input<'jobs.page'>): Output<'jobs.page'>;
  summary(): JobSummary;
  checkNow(which: Input<'jobs.checkNow'>['which']): void;
  /** Stops following; the service goes on. */
  cancel(which: Input<'jobs.cancel'>['which']): Promise<void>;
  startAgain(which: Input<'jobs.startAgain'>['which']): Promise<void>;
  clear(group: Input<'jobs.clear'>['group']): Promise<void>;
  /** Absolute. @throws AppFailure notFound */
  savedPathOf(jobId: string): string;
  /** @throws AppFailure notFound */
  activityTokenOf(jobId: string): string;
  /** At most ten times a second. */
  onChanged(listener: (summary: JobSummary) => void): () => void;
  /** A window is about to close with its result not fetched: 10 and 2 minutes before. */
  onClosing(listener: (warning: { jobId: string; identifier: string; leftMs: number }) => void): () => void;
  /** The computer woke up, or the network is back: all windows are judged again, the most endangered checked first. */
  wake(): void;
  removeProfile(profileId: string): Promise<void>;
  /** What a person loses by quitting now: open jobs, with when their windows end. */
  atStake(): { identifier: string; windowEndsAtMs: number | null }[];
  close(): Promise<void>;
}
