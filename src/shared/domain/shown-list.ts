import { z } from 'zod';
import { objectKindSchema, objectQuerySchema, placeSchema } from './object.ts';

/** Which list of a service is shown, and in which order: what is kept over a restart. */
export const shownListSchema = z.strictObject({
  kind: objectKindSchema,
  place: placeSchema,
  sort: objectQuerySchema.shape.sort,
});
export type ShownList = z.infer<typeof shownListSchema>;
