import { statesWhere } from '../model/state.ts';
import { directionCodes, groupCodes, stateCodes } from './codes.ts';

/** A pending bulk change (`sweep s`) concerns `transfer t` and is not yet written to its record. */
const concerns = `s.service = t.service AND s.id > t.sweep AND (s.tab IS NULL OR s.tab = t.tab)
  AND (s.batch IS NULL OR s.batch = t.batch)`;

const failedStates = statesWhere(({ life }) => life === 'failed').map((name) => stateCodes.code(name));

/** Condition on `transfer t`: ended without success, of a kind that may be retried. */
export const isFailed = `t.grp >= 2 AND t.grp = ${String(groupCodes.code('needsYou'))} AND t.kind = 0
  AND t.direction <> ${String(directionCodes.code('delete'))} AND t.state IN (${failedStates.join()})`;

/** Condition on `transfer t`: it failed, and a pending bulk change restarts it. */
export const isToBeginAgain = `(${isFailed} AND EXISTS (SELECT 1 FROM sweep s WHERE ${concerns} AND s.action = 3
  AND ifnull(json_extract(s.retry, '$.error'), t.error) IS t.error))`;

/** Condition on `transfer t`: a pending bulk change pauses or cancels it. */
export const isHeldBack = `EXISTS (SELECT 1 FROM sweep s WHERE ${concerns} AND s.action < 2)`;

/** Condition on `transfer t`: a pending bulk change cancels it. */
export const isCancelled = `(t.turn IS NOT NULL AND EXISTS (SELECT 1 FROM sweep s WHERE ${concerns} AND s.action = 0))`;

/** `transfer t` is paused, with pending bulk changes taken into account. */
export const pausedNow = `(CASE WHEN t.turn < 3 THEN coalesce((
    SELECT s.action = 1 FROM sweep s WHERE ${concerns} AND s.action IN (1, 2)
    ORDER BY s.id DESC LIMIT 1), t.paused) ELSE t.paused END)`;
