import { z } from 'zod';

/** The latest moment that a `Date` can represent. */
export const latestAtMs = 8_640_000_000_000_000;

const problem = 'is not a time in milliseconds since 1970';

/** Whole milliseconds since 1970, within the range of `Date`, so that it can always be shown. */
export const atMsSchema = z.number(problem).int(problem).min(0, problem).max(latestAtMs, problem);
