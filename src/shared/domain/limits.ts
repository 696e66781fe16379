import type { z } from 'zod';

/**
 * Section 8 of the interface says "50 MB" and "10 KB" without defining the unit: nothing over the larger reading is sent;
 * between the two the service may refuse. The exact limit is a setting of the service.
 */
export const maxObjectBytes = { sure: 50_000_000, possible: 52_428_800 };
export const maxSecretBytes = { sure: 10_000, possible: 10_240 };

/** Section 2: a deferred token must be used within 30 minutes. */
export const deferredWindowMs = 30 * 60 * 1000;
/** Warn when this much of the window is left and the result is not fetched. */
export const warnBeforeMs = [10 * 60_000, 2 * 60_000] as const;

/** What a field accepts: whole numbers. */
export type Bounds = { least: number; most: number };

/** The bounds of a schema, for its field. @param unit what 1 in the field stands for */
export function boundsOf({ minValue, maxValue }: z.ZodNumber, unit = 1): Bounds {
  return {
    least: Math.ceil((minValue ?? -Infinity) / unit),
    most: Math.floor((maxValue ?? Infinity) / unit),
  };
}

export type SizeVerdict = 'fits' | 'mayBeRefused' | 'tooLarge';

/** @param exactLimitBytes the service's setting; null: unknown */
export function judgeSize(
  sizeBytes: number,
  limit: { sure: number; possible: number },
  exactLimitBytes: number | null,
): SizeVerdict {
  if (exactLimitBytes !== null) return sizeBytes > exactLimitBytes ? 'tooLarge' : 'fits';
  if (sizeBytes > limit.possible) return 'tooLarge';
  return sizeBytes > limit.sure ? 'mayBeRefused' : 'fits';
}
