/**
 * Schedules for outcomes of transfers that may appear late. Section 4.1 of the interface says neither how soon a
 * service shows what it has stored or deleted, nor how long a request may still be carried out after its answer was
 * lost, so these are guesses. A list holds the milliseconds between one HEAD and the next; after the last one, the
 * answer of HEAD is final.
 */

/** The POST succeeded, but HEAD does not show the object yet. */
export const storedLateMs: readonly number[] = [300, 1_000, 2_000];

/** The POST was given up without an answer and may still be carried out. */
export const postLateMs: readonly number[] = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000];

/** After this, the POST of a chunk can no longer be carried out: about the sum of `postLateMs`. */
export const chunkPostLateMs = 4 * 60_000;

/** The upload was given up and HEAD itself fails: after the last retry its outcome is unknown. */
export const lookFailedMs: readonly number[] = [30_000, 60_000, 90_000, 120_000, 150_000];

/** The service rejects a version's number (409) but does not show it: another upload or a deletion is in progress. */
export const refusedNumberMs: readonly number[] = [1_000, 5_000, 15_000, 30_000, 60_000, 120_000];

/** DELETE only initiates a deletion. About ten minutes in all. */
export const deletedLateMs: readonly number[] = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60, 60, 60].map(
  (seconds) => seconds * 1000,
);

/** As `deletedLateMs`, after an answer to DELETE that was no success: it is carried out all the same, or not at all. */
export const unacceptedLateMs: readonly number[] = deletedLateMs.slice(0, 3);

/** As `deletedLateMs`, for a copy beside an object: nothing waits for it, so a deletion record takes over sooner. */
export const besideDeletedLateMs: readonly number[] = deletedLateMs.slice(0, 5);

/** After this, a DELETE can no longer remove an object that was stored under the identifier later. */
export const lateDeletionMs = 60_000;

/** Between the two 404s that prove an object absent. */
export const absencesApartMs = 1_000;

/** Delay before an object that is still there ten minutes after DELETE is compared and deleted again. */
export const deleteAgainMs = 30_000;

/** The object was proven absent and has reappeared: delay before the deletion starts over. */
export const deletionUndoneMs = 15_000;
