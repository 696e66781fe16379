import { z } from 'zod';
import { objectKindSchema, objectQuerySchema, placeSchema } from './object.ts';

const { sort } = objectQuerySchema.shape;

/** Which list of a service is shown, and the order of each: what is kept over a restart. */
export const shownListSchema = z.strictObject({
  kind: objectKindSchema,
  place: placeSchema,
  sorts: z.strictObject({ objects: sort, secrets: sort, gone: sort }),
});
export type ShownList = z.infer<typeof shownListSchema>;
