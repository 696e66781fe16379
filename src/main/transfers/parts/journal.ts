import { hash } from 'node:crypto';
import { z } from 'zod';
import type { InParts } from '../../../shared/domain/object.ts';
import type { Documents } from '../../catalogue/catalogue.ts';
import type { Log } from '../../ports.ts';
import type { Manifest, ManifestPart } from './manifest.ts';

/**
 * What is written down of transfers of files in parts, beside their records: which parts there are, before the first of them
 * moves, and how far each is. A plan is one document, each mark another, so that no mark rewrites the plan.
 */

/**
 * tried: a request with it may have left; done: ours, and there (of a download: here and proven); there: it was there before,
 * and is not ours to remove.
 */
const markSchema = z.enum(['tried', 'done', 'there']);
export type Mark = z.infer<typeof markSchema>;

const sourceSchema = z.object({ sizeBytes: z.number(), mtimeMs: z.number(), inode: z.string() });

const planSchema = z.object({
  transferId: z.number(),
  profileId: z.string(),
  origin: z.string(),
  /** Under it the list lies. */
  identifier: z.string(),
  /** After it the parts are named. */
  base: z.string(),
  /** As it lies, or is to lie, under the identifier. */
  text: z.string(),
  of: z.discriminatedUnion('kind', [
    /** `source`: the file as it was when it was hashed; null: there is none, and the parts lie there already. */
    z.object({ kind: z.literal('upload'), source: sourceSchema.nullable() }),
    /** Where its bytes gather, and by which inode it is known to be ours. */
    z.object({ kind: z.literal('download'), partPath: z.string(), inode: z.string().nullable() }),
    z.object({ kind: z.literal('delete') }),
  ]),
});
type PlanDocument = z.infer<typeof planSchema>;

type Purpose = PlanDocument['of']['kind'];
export type Plan<K extends Purpose = Purpose> = Omit<PlanDocument, 'of'> & {
  readonly of: Extract<PlanDocument['of'], { kind: K }>;
  readonly manifest: Manifest;
  /** Of `text`. */
  readonly sha256: string;
  /** Each once, in the order of the file; the same bytes twice are one part. */
  readonly parts: readonly ManifestPart[];
  /** By the id of a part. */
  readonly marks: ReadonlyMap<string, Mark>;
};

export interface PartsJournal {
  /** null: nothing in parts, as far as is known. */
  of(transferId: number): Plan | null;
  ofKind<K extends Purpose>(transferId: number, kind: K): Plan<K> | null;
  all(): readonly Plan[];
  /** Durable when it resolves, in place of the plan that there was. */
  begin(plan: PlanDocument): Promise<void>;
  /** Durable when it resolves. Nothing, when the plan is not there any more. @param mark null: as if it had never been tried */
  mark(transferId: number, partId: string, mark: Mark | null): Promise<void>;
  end(transferId: number): Promise<void>;
}

const plans = 'parts';
const marks = 'parts-marks';

type Kept = Plan & { readonly marks: Map<string, Mark> };

export async function openPartsJournal(documents: Documents, log: Log): Promise<PartsJournal> {
  const kept = new Map<number, Kept>();
  const [documentsOfPlans, documentsOfMarks] = await Promise.all([
    documents.list(plans),
    documents.list(marks),
  ]);
  for (const { key, value } of documentsOfPlans) {
    const read = planSchema.safeParse(value);
    if (read.success) keep(read.data);
    else log.error('what is known of a file in parts cannot be read', { key });
  }
  const orphans: string[] = [];
  for (const { key, value } of documentsOfMarks) {
    const [transferId, index] = key.split('/').map(Number);
    const plan = kept.get(transferId ?? 0);
    const part = plan?.parts[index ?? -1];
    const mark = markSchema.safeParse(value);
    if (plan && part && mark.success) plan.marks.set(part.id, mark.data);
    else orphans.push(key);
  }
  await forgetMarks(orphans);

  function keep(document: PlanDocument): Kept {
    // It was checked before it was written.
    const manifest = JSON.parse(document.text) as Manifest;
    const parts = uniqueParts(manifest);
    const sha256 = hash('sha256', document.text, 'hex');
    const plan: Kept = { ...document, manifest, sha256, parts, marks: new Map() };
    kept.set(document.transferId, plan);
    return plan;
  }

  const markKey = (plan: Kept, partId: string) =>
    `${plan.transferId}/${plan.parts.findIndex(({ id }) => id === partId)}`;

  async function forgetMarks(keys: readonly string[]): Promise<void> {
    if (keys.length > 0)
      await documents.write(
        marks,
        keys.map((key) => ({ key, value: undefined })),
      );
  }

  const markKeys = (plan: Kept) => [...plan.marks.keys()].map((id) => markKey(plan, id));

  function of(transferId: number): Plan | null {
    return kept.get(transferId) ?? null;
  }

  return {
    of,
    ofKind<K extends Purpose>(transferId: number, kind: K) {
      const plan = of(transferId);
      return plan?.of.kind === kind ? (plan as Plan & Plan<K>) : null;
    },
    all: () => [...kept.values()],
    async begin(document) {
      const before = kept.get(document.transferId);
      // Marks of another plan must never be read as this one's.
      if (before) await forgetMarks(markKeys(before));
      await documents.put(plans, String(document.transferId), planSchema.parse(document));
      keep(document);
    },
    async mark(transferId, partId, mark) {
      const plan = kept.get(transferId);
      if (!plan) return;
      if (mark === null) plan.marks.delete(partId);
      else plan.marks.set(partId, mark);
      await documents.write(marks, [{ key: markKey(plan, partId), value: mark ?? undefined }]);
    },
    async end(transferId) {
      const plan = kept.get(transferId);
      if (!plan) return;
      await documents.delete(plans, String(transferId));
      await forgetMarks(markKeys(plan));
      kept.delete(transferId);
    },
  };
}

/** Each once, in the order of the file. */
export function uniqueParts({ parts }: Manifest): ManifestPart[] {
  return [...new Map(parts.map((part) => [part.id, part])).values()];
}

/** All its parts are at the service: the list may follow. */
export function isSent({ parts, marks: known }: Plan): boolean {
  return parts.every(({ id }) => known.get(id) === 'done' || known.get(id) === 'there');
}

/** What the list of objects says of an object that lies like this. */
export function inPartsOf({ manifest, text, sha256 }: Pick<Plan, 'manifest' | 'text' | 'sha256'>): {
  parts: InParts;
  manifest: string;
} {
  const manifestBytes = Buffer.byteLength(text);
  return {
    parts: { count: manifest.parts.length, manifestBytes, manifestSha256: sha256 },
    manifest: text,
  };
}
