import { z } from 'zod';
import type { Documents } from '../../database/documents.ts';
import { openCollection } from '../../database/collection.ts';
import type { Log } from '../../ports.ts';
import type { Mark, Plan } from './chunk-plans.ts';
import type { Manifest } from './manifest.ts';

/**
 * Parts whose list goes, or never came: of one upload of one object, at one address. The service lists nothing, so what is not
 * written down here can never be found again. Written before the first DELETE leaves.
 */
const orphanedSchema = z.object({
  serviceId: z.string(),
  origin: z.string(),
  /** The object whose parts they are, and the upload: together they make the names (`chunkIdOf`). */
  base: z.string(),
  upload: z.string(),
  /** Under it their list lies or lay; '': it was never stored. */
  list: z.string(),
  /** Where else a copy of their list may lie, which needs them. */
  copies: z.array(z.string()),
  /** Their list may have lain at the object: another installation may have moved it, and keep it. */
  wasListed: z.boolean(),
  /** Numbers of the parts, from 0. */
  parts: z.array(z.number()),
  step: z.discriminatedUnion('name', [
    /** A person has asked for the deletion of the list: this transfer. The parts go when it is done. */
    z.object({ name: z.literal('deletion'), transferId: z.number() }),
    /** A list that a Replace kept beside the object, and that is kept no longer. It goes first. `isAsked`: its DELETE may have left. */
    z.object({ name: z.literal('list'), isAsked: z.boolean() }),
    /** The parts go. `late`: of these a request may still be under way that stores them. */
    z.object({ name: z.literal('parts'), late: z.array(z.number()) }),
    /**
     * Nothing is done before a person says so. refused: the service does not delete them; stillThere: it said that it would, and they
     * are there; unknown: their list was gone already, or cannot be read, and may lie elsewhere.
     */
    z.object({ name: z.literal('left'), why: z.enum(['refused', 'stillThere', 'unknown']) }),
  ]),
});
export type Orphaned = Readonly<z.infer<typeof orphanedSchema>>;
export type OrphanedStep = Orphaned['step'];
type Key = Pick<Orphaned, 'serviceId' | 'origin' | 'upload' | 'list'>;

export interface Orphans {
  all(): Orphaned[];
  /** Durable when it resolves, in place of what was known of this upload. */
  put(orphaned: Orphaned): Promise<void>;
  /** Durable when it resolves. */
  forget(key: Key): Promise<void>;
}

export async function openOrphans(documents: Documents, log: Log): Promise<Orphans> {
  const known = await openCollection<Orphaned>(documents, 'parts-orphaned', orphanedSchema, (key) => {
    log.error('what is known of orphaned parts cannot be read', { key });
  });
  return {
    all: known.values,
    put: (orphaned) => known.set(keyOf(orphaned), orphaned),
    forget: (key) => known.delete(keyOf(key)),
  };
}

/** Of one upload there may be several: its parts, and lists of it that were kept. */
export function keyOf({ serviceId, origin, upload, list }: Key): string {
  return JSON.stringify([serviceId, origin, upload, list]);
}

/** All parts of a list, which this installation reads or has read. */
export function chunksOfList({
  base,
  upload,
  parts,
}: Manifest): Pick<Orphaned, 'base' | 'upload' | 'copies' | 'wasListed' | 'parts'> {
  return { base, upload, copies: [], wasListed: false, parts: parts.map((_, index) => index) };
}

/** The parts that an upload may have sent, which a person gave up. */
export function orphanedBy({ serviceId, origin, manifest, marks, of }: Plan<'upload'>): Orphaned {
  const marked = manifest.parts.map(({ id }) => marks.get(id));
  const indexes = (matches: (mark: Mark | undefined) => boolean) =>
    marked.flatMap((mark, index) => (matches(mark) ? [index] : []));
  return {
    serviceId,
    origin,
    list: '',
    ...chunksOfList(manifest),
    copies: of.beside === null ? [] : [of.beside],
    wasListed: of.isOut,
    parts: indexes((mark) => mark !== undefined),
    step: { name: 'parts', late: indexes((mark) => mark === 'tried') },
  };
}
