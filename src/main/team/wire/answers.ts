import { z } from 'zod';

/* The JSON that functions of the team's schema answer, and how much of it a server may send. */

const areasMax = 1000;

export const countSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const areaSchema = z.tuple([z.literal([1, 2, 3]), z.guid()]);
export const helloSchema = z.object({
  me: z.number().int(),
  epoch: z.guid(),
  rev: countSchema,
  tag: z.guid().nullable(),
  accessRev: countSchema,
  nowMs: countSchema,
  known: z.boolean(),
  areas: z
    .record(z.string().regex(/^\d{1,10}$/), areaSchema)
    .nullable()
    .transform((areas) =>
      Object.entries(areas ?? {})
        .slice(0, areasMax)
        .map(([area, [may, since]]) => ({ area: Number(area), may, since })),
    ),
});
export const stopSchema = z.object({ rev: countSchema, tag: z.guid() });
const numbered = z.tuple([z.number().int().min(1), z.string().max(100)]).readonly();
export const pushAnswerSchema = z.object({
  rev: countSchema,
  refused: z.array(numbered).max(1000),
  kept: z.array(numbered).max(2000),
  older: z.array(z.number().int().min(1)).max(1000),
  sharesNotes: z.boolean(),
});
export const shownSchema = z.string().max(80);
export const listSchema = z.object({
  id: countSchema,
  name: shownSchema,
  origin: z.string().max(2000),
  separator: z.string().max(8),
  versionMark: z.string().max(40),
  sharesSecrets: z.boolean(),
  sharesNotes: z.boolean(),
  sharesNames: z.boolean(),
});
export const stepSchema = z.array(z.tuple([z.string(), z.string().max(64)]));

/** Of a moment: who asks, how far the list goes, and what they may see of it. */
export type Hello = z.infer<typeof helloSchema>;
/** A number that was the last of a push, so that its tag proves that it still means the same. */
export type Stop = z.infer<typeof stopSchema>;
export type TeamList = z.infer<typeof listSchema>;
