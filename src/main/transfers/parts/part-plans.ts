import { hash } from 'node:crypto';
import { z } from 'zod';
import type { InParts } from '../../../shared/domain/object.ts';
import type { Documents } from '../../database/documents.ts';
import { readCollection } from '../../database/collection.ts';
import type { Log } from '../../ports.ts';
import { fileOf, type Manifest } from './manifest.ts';
import { readManifest } from './read-manifest.ts';

/**
 * Plans of transfers in parts, stored beside their records before the first part moves: which parts there are, and
 * the state of each. A plan is one document and each mark another, so that a mark never rewrites the plan.
 */

/**
 * tried: a request with the part may have been sent. done: the part is at the service (for a download: here), and
 * verified. wrong: something else has its name, so this upload cannot be finished.
 */
const markSchema = z.enum(['tried', 'done', 'wrong']);
export type Mark = z.infer<typeof markSchema>;

const sourceSchema = z.object({ sizeBytes: z.number(), mtimeMs: z.number(), inode: z.string() });

const planSchema = z.object({
  transferId: z.number(),
  serviceId: z.string(),
  origin: z.string(),
  /** The identifier under which the manifest is or will be stored. */
  identifier: z.string(),
  /** The manifest, as it is or will be stored. */
  text: z.string(),
  of: z.discriminatedUnion('kind', [
    /**
     * `source`: the file as it was when it was hashed. `beside`: where a Replace may have put a copy of the manifest.
     * `isOut`: the manifest may have been stored under the identifier.
     */
    z.object({
      kind: z.literal('upload'),
      source: sourceSchema,
      beside: z.string().nullable(),
      isOut: z.boolean(),
    }),
    /** The file that the parts are written into, and the inode by which it is known to be ours. */
    z.object({ kind: z.literal('download'), temporaryPath: z.string(), inode: z.string().nullable() }),
  ]),
});
type PlanDocument = z.infer<typeof planSchema>;

type Purpose = PlanDocument['of']['kind'];
export type Plan<K extends Purpose = Purpose> = Omit<PlanDocument, 'of'> & {
  readonly of: Extract<PlanDocument['of'], { kind: K }>;
  readonly manifest: Manifest;
  /** Of `text`. */
  readonly sha256: string;
  /** By part id. */
  readonly marks: ReadonlyMap<string, Mark>;
};

export interface PartPlans {
  /** null: not a transfer in parts, or not known to be one. */
  of(transferId: number): Plan | null;
  ofKind<K extends Purpose>(transferId: number, kind: K): Plan<K> | null;
  all(): readonly Plan[];
  /** Replaces an existing plan. Durable when it resolves. @param manifest the parsed text */
  begin(plan: PlanDocument, manifest: Manifest): Promise<void>;
  /** Notes where the manifest is about to be sent, or was refused. Durable when it resolves. */
  change(
    plan: Plan<'upload'>,
    change: Partial<Pick<Plan<'upload'>['of'], 'beside' | 'isOut'>>,
  ): Promise<void>;
  /** Durable when it resolves. Does nothing without a plan. @param mark null: as if it had never been tried */
  mark(transferId: number, partId: string, mark: Mark | null): Promise<void>;
  end(transferId: number): Promise<void>;
}

const plans = 'chunkPlans';
const marks = 'chunkMarks';

type OpenPlan = Plan & { readonly marks: Map<string, Mark>; readonly indexes: ReadonlyMap<string, number> };

export async function openPartPlans(documents: Documents, log: Log): Promise<PartPlans> {
  const open = new Map<number, OpenPlan>();
  const onBroken = (key: string) => log.error('what is known of a file in parts cannot be read', { key });
  const orphans: string[] = [];
  const [storedPlans, storedMarks] = await Promise.all([
    readCollection(documents, plans, planSchema, onBroken),
    readCollection(documents, marks, markSchema, (key) => orphans.push(key)),
  ]);
  for (const [key, document] of storedPlans) {
    const reading = await readManifest(Buffer.from(document.text), document.identifier);
    if (reading.kind === 'manifest') keep(document, reading.manifest);
    else onBroken(key);
  }
  for (const [key, mark] of storedMarks) {
    const [transferId, index] = key.split('/').map(Number);
    const plan = open.get(transferId ?? 0);
    const part = plan?.manifest.parts[index ?? -1];
    if (plan && part) plan.marks.set(part.id, mark);
    else orphans.push(key);
  }
  await forgetMarks(orphans);

  function keep(document: PlanDocument, manifest: Manifest): void {
    open.set(document.transferId, {
      ...document,
      manifest,
      sha256: hash('sha256', document.text, 'hex'),
      marks: new Map(),
      indexes: new Map(manifest.parts.map(({ id }, index) => [id, index])),
    });
  }

  const markKey = ({ transferId, indexes }: OpenPlan, partId: string) =>
    `${transferId}/${indexes.get(partId)}`;

  async function forgetMarks(keys: readonly string[]): Promise<void> {
    if (keys.length > 0)
      await documents.write(
        marks,
        keys.map((key) => ({ key, value: undefined })),
      );
  }

  const markKeys = (plan: OpenPlan) => [...plan.marks.keys()].map((id) => markKey(plan, id));

  function of(transferId: number): Plan | null {
    return open.get(transferId) ?? null;
  }

  return {
    of,
    ofKind<K extends Purpose>(transferId: number, kind: K) {
      const plan = of(transferId);
      return plan?.of.kind === kind ? (plan as Plan & Plan<K>) : null;
    },
    all: () => [...open.values()],
    async begin(document, manifest) {
      const before = open.get(document.transferId);
      // Marks of another plan must never be read as this one's.
      if (before) await forgetMarks(markKeys(before));
      await documents.put(plans, String(document.transferId), planSchema.parse(document));
      keep(document, manifest);
    },
    async change({ transferId, serviceId, origin, identifier, text }, change) {
      const plan = open.get(transferId);
      if (plan?.of.kind !== 'upload' || plan.text !== text) return;
      const document = { transferId, serviceId, origin, identifier, text, of: { ...plan.of, ...change } };
      await documents.put(plans, String(transferId), document);
      open.set(transferId, { ...plan, ...document });
    },
    async mark(transferId, partId, mark) {
      const plan = open.get(transferId);
      if (!plan) return;
      if (mark === null) plan.marks.delete(partId);
      else plan.marks.set(partId, mark);
      await documents.write(marks, [{ key: markKey(plan, partId), value: mark ?? undefined }]);
    },
    async end(transferId) {
      const plan = open.get(transferId);
      if (!plan) return;
      await documents.delete(plans, String(transferId));
      await forgetMarks(markKeys(plan));
      open.delete(transferId);
    },
  };
}

/** All parts were verified at the service: the manifest may follow. */
export function isSent({ manifest, marks: known }: Plan): boolean {
  return manifest.parts.every(({ id }) => known.get(id) === 'done');
}

/** The row's patch for an upload whose manifest was stored. */
export function storedInParts(stored: Parameters<typeof inPartsOf>[0]) {
  const { parts, manifest } = inPartsOf(stored);
  return { patch: { ...fileOf(stored.manifest), parts }, manifest };
}

/** What the row says of an object with this manifest. */
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
