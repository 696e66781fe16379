/** A pending sweep (`sweep s`) concerns `transfer t`, and was not written to its record yet. */
const concerns = `s.service = t.service AND s.id > t.sweep AND (s.tab IS NULL OR s.tab = t.tab)
  AND (s.batch IS NULL OR s.batch = t.batch)`;

/** Condition on a failed `transfer t`: a pending sweep begins it again. */
export const isToBeginAgain = `EXISTS (SELECT 1 FROM sweep s WHERE ${concerns} AND s.action = 3)`;

/** Condition on `transfer t`: a pending sweep pauses or cancels it. */
export const isHeldBack = `EXISTS (SELECT 1 FROM sweep s WHERE ${concerns} AND s.action < 2)`;

/** Condition on `transfer t`: a pending sweep cancels it. */
export const isCancelled = `(t.turn IS NOT NULL AND EXISTS (SELECT 1 FROM sweep s WHERE ${concerns} AND s.action = 0))`;

/** `transfer t` is paused, with pending sweeps taken into account. */
export const pausedNow = `CASE WHEN t.turn < 3 THEN coalesce((
    SELECT s.action = 1 FROM sweep s WHERE ${concerns} AND s.action IN (1, 2)
    ORDER BY s.id DESC LIMIT 1), t.paused) ELSE t.paused END`;
