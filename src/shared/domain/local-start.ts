import { z } from 'zod';

/** Why the built-in service did not start. */
export const localStartProblemSchema = z.enum([
  'portInUse',
  'notAllowed',
  'diskFull',
  'readOnly',
  'notAFolder',
  'unreadable',
  'inUse',
  'newer',
  'otherKey',
  'unknown',
]);
export type LocalStartProblem = z.infer<typeof localStartProblemSchema>;
