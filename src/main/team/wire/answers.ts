import { z } from 'zod';
import { atMsSchema } from '../../../shared/domain/at-ms.ts';
import { inOneLine } from '../../../shared/domain/legible.ts';
import { teamSharesSchema } from '../../../shared/domain/team.ts';
import { mayWords } from './may.ts';

/* The JSON answers of the functions in the team's schema, and limits on what a server may send. */

const areasMax = 1000;
const peopleMax = 10_000;

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
  tend: z.boolean(),
  areas: z
    .record(z.string().regex(/^\d{1,10}$/), areaSchema)
    .nullable()
    .transform((areas) =>
      Object.entries(areas ?? {})
        .slice(0, areasMax)
        .map(([area, [may, since]]) => ({ area: Number(area), may, since })),
    ),
});
export const stopSchema = z.object({ epoch: z.guid(), rev: countSchema, tag: z.guid() });
export const secretsSinceSchema = z.array(z.object({ id: countSchema, secretsSince: z.guid().nullable() }));
const numbered = z.tuple([z.number().int().min(1), z.string().max(100)]).readonly();
export const pushAnswerSchema = z.object({
  epoch: z.guid(),
  rev: countSchema,
  tag: z.guid(),
  refused: z.array(numbered).max(1000),
  kept: z.array(numbered).max(2000),
  older: z.array(z.number().int().min(1)).max(1000),
  sharesNotes: z.boolean(),
});
/** A name that somebody typed, shown in rows and dialogs: it must not reverse the text after it, nor look like another. */
export const shownSchema = z.string().max(80).transform(inOneLine);
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
export const peopleSchema = z
  .array(z.tuple([countSchema, shownSchema, z.boolean()]))
  .max(peopleMax)
  .transform((people) => people.map(([id, shown, isEnded]) => ({ id, shown, isEnded })));
export const stepSchema = z.array(z.tuple([z.string(), z.string().max(64)]));

const accessSchema = z
  .tuple([countSchema, z.literal([1, 2, 3])])
  .transform(([personId, may]) => ({ personId, may: mayWords[may] }));
export const curationSchema = z.object({
  id: countSchema,
  me: countSchema,
  name: shownSchema,
  origin: z.string().max(2000),
  shares: teamSharesSchema,
  holds: z.object({ secrets: countSchema, notes: countSchema, fileNames: countSchema }),
  unsettled: countSchema.nullable(),
  areas: z
    .array(
      z.object({
        id: countSchema,
        prefix: z.string().max(2000),
        classification: z.string().max(2000).nullable(),
        objects: countSchema,
        access: z.array(accessSchema).max(peopleMax),
      }),
    )
    .max(areasMax),
  people: z
    .array(
      z
        .object({
          id: countSchema,
          shown: shownSchema,
          role: z.string().max(63),
          sinceMs: atMsSchema,
          endedMs: atMsSchema.nullable(),
        })
        .transform((person) => ({ ...person, isEnded: person.endedMs !== null })),
    )
    .max(peopleMax),
});

/** A snapshot: the person's number, how far the list goes, and what they may see of it. */
export type Hello = z.infer<typeof helloSchema>;
/** The last number of a push, whose tag proves that it still means the same. */
export type Stop = z.infer<typeof stopSchema>;
/** A list as a curator sees it. */
export type Curation = z.infer<typeof curationSchema>;
export type TeamList = z.infer<typeof listSchema>;
