import { z } from 'zod';
import { atMsSchema } from '../../../shared/domain/at-ms.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import { teamActionSchema, type TeamHistoryEntry } from '../../../shared/domain/team.ts';
import type { Line, Row } from './line.ts';
import { numberOfKind } from './rows.ts';

const entriesMax = 200;

// A member may have pushed them with any program: values that no Coffer writes are shown as unknown.
const countSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().default(null).catch(null);
const wordSchema = z.string().max(10_000).nullable().default(null).catch(null);
const momentSchema = atMsSchema.nullable().default(null).catch(null);
const entrySchema = z.object({
  atMs: z.coerce.number().pipe(atMsSchema),
  person: z.coerce.number().pipe(z.number().int()),
  action: teamActionSchema,
  detail: z
    .object({
      lengthBytes: countSchema,
      classification: wordSchema,
      storedMs: momentSchema,
      storedBy: countSchema,
      before: wordSchema,
      now: wordSchema,
    })
    .nullable(),
});

/** The team's actions on an object, newest first. Empty: it is not on the list, or this person may not see it. */
export async function readHistory(
  query: Line['query'],
  list: number,
  kind: ObjectKind,
  identifier: string,
): Promise<readonly TeamHistoryEntry[]> {
  const found = await query(
    `select at_ms, person, action, detail from coffer.history_1($1, $2, $3, ${String(entriesMax)}) order by rev desc, action`,
    [list, numberOfKind(kind), identifier],
    entriesMax,
  );
  return found.map(readEntry).filter((entry) => entry !== null);
}

/** null: an action of a newer Coffer, or of none. */
function readEntry([atMs, person, action, detail]: Row): TeamHistoryEntry | null {
  const read = entrySchema.safeParse({
    atMs,
    person,
    action,
    detail: JSON.parse(detail ?? 'null') as unknown,
  });
  if (!read.success) return null;
  const { detail: about, ...done } = read.data;
  const { before = null, now = null } = about ?? {};
  const isWord = done.action.startsWith('note') || done.action.startsWith('classification');
  if (about === null || isWord) return { ...done, bytes: null, before, now };
  const { lengthBytes, classification, storedMs, storedBy } = about;
  return { ...done, bytes: { lengthBytes, classification, storedAtMs: storedMs, storedBy }, before, now };
}
