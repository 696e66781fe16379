/**
 * Every schedule for an outcome that may come late. The interface (section 4.1) says neither how soon a service shows what it has stored
 * or deleted, nor how long a request may still be carried out after its answer was lost, so these are guesses, made in this one place.
 * A list holds the milliseconds between one HEAD and the next; when it is used up, what HEAD says counts.
 */

/** Success was answered to a POST, and HEAD does not show the object yet. */
export const storedLateMs: readonly number[] = [300, 1_000, 2_000];

/** A POST was given up without an answer: it may still be carried out. */
export const postLateMs: readonly number[] = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000];

/** After this no POST of a chunk is carried out any more: as long as all of `postLateMs`. */
export const chunkPostLateMs = 4 * 60_000;

/** An upload was given up, and HEAD itself fails: after these nobody knows what became of it. */
export const lookFailedMs: readonly number[] = [30_000, 60_000, 90_000, 120_000, 150_000];

/** The service refuses a version's number (409) and does not show it: somebody's upload, or a deletion, is under way. */
export const refusedNumberMs: readonly number[] = [1_000, 5_000, 15_000, 30_000, 60_000, 120_000];

/** DELETE only initiates a deletion: ten minutes in all. */
export const deletedLateMs: readonly number[] = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60, 60, 60].map(
  (seconds) => seconds * 1000,
);

/** The same for a copy beside an object: nothing waits for it, so a deletion record takes over sooner. */
export const besideDeletedLateMs: readonly number[] = deletedLateMs.slice(0, 5);

/** After this a deletion can no longer take what was stored under the same identifier since. */
export const lateDeletionMs = 60_000;

/** Between the two 404s that prove an object absent. */
export const absencesApartMs = 1_000;

/** Ten minutes after DELETE the object is still there: before it is compared, and deleted, once more. */
export const deleteAgainMs = 30_000;

/** The object was proven absent, and is there again: the deletion did not take, and begins once more. */
export const deletionUndoneMs = 15_000;
