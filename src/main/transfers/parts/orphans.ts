import { z } from 'zod';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { LeftBehind, LeftParts } from '../../../shared/contract.ts';
import { readPartId } from '../../../shared/domain/made-names.ts';
import type { Documents } from '../../database/documents.ts';
import { openCollection } from '../../database/collection.ts';
import type { Log } from '../../ports.ts';
import type { TransferRecord } from '../model/record.ts';
import { isFor } from '../queue/origin.ts';
import type { Context } from '../run/context.ts';
import type { Mark, Plan } from './part-plans.ts';
import { partIdOf, type Manifest } from './manifest.ts';

/**
 * Parts of one upload of one object, at one address, whose manifest is being deleted or was never stored. The
 * service cannot list, so an orphan without a record can never be found again. Written before the first DELETE is
 * sent.
 */
const orphanedSchema = z.object({
  serviceId: z.string(),
  origin: z.string(),
  /** The object and the upload that the parts belong to: together they make the names (`partIdOf`). */
  base: z.string(),
  upload: z.string(),
  /** The identifier that their manifest has or had; '': it was never stored. */
  list: z.string(),
  /** Other identifiers that may have a copy of the manifest, which needs the parts. */
  copies: z.array(z.string()),
  /** The manifest may have been at the object: another installation may have moved it, and keep it. */
  wasListed: z.boolean(),
  /** Indexes of the parts, from 0. */
  parts: z.array(z.number()),
  step: z.discriminatedUnion('name', [
    /** This transfer deletes the manifest. The parts follow when it is done. `late`: as below. */
    z.object({
      name: z.literal('deletion'),
      transferId: z.number(),
      late: z.array(z.number()).default([]),
    }),
    /**
     * A manifest that a Replace kept beside the object, and that has expired. It is deleted first. `isAsked`: its
     * DELETE may have been sent.
     */
    z.object({ name: z.literal('list'), isAsked: z.boolean() }),
    /** The parts are being deleted. `late`: a request that stores these may still be under way. */
    z.object({ name: z.literal('parts'), late: z.array(z.number()) }),
    /**
     * Waits for a person's decision. refused: the service does not delete the parts; stillThere: it accepted their
     * deletion, but they are still there; unknown: their manifest was gone already, or cannot be read, and may exist
     * elsewhere.
     */
    z.object({ name: z.literal('left'), why: z.enum(['refused', 'stillThere', 'unknown']) }),
  ]),
});
export type Orphaned = Readonly<z.infer<typeof orphanedSchema>>;
export type OrphanedStep = Orphaned['step'];
type Key = Pick<Orphaned, 'serviceId' | 'origin' | 'upload' | 'list'>;

export interface Orphans {
  all(): Orphaned[];
  /** Durable when it resolves. Replaces what was known of this upload. */
  put(orphaned: Orphaned): Promise<void>;
  /** Durable when it resolves. */
  forget(key: Key): Promise<void>;
}

export async function openOrphans(documents: Documents, log: Log): Promise<Orphans> {
  const known = await openCollection<Orphaned>(documents, 'orphans', orphanedSchema, (key) => {
    log.error('what is known of orphaned parts cannot be read', { key });
  });
  return {
    all: known.values,
    put: (orphaned) => known.set(keyOf(orphaned), orphaned),
    forget: (key) => known.delete(keyOf(key)),
  };
}

/** One upload may have several: its parts, and copies of its manifest that were kept. */
export function keyOf({ serviceId, origin, upload, list }: Key): string {
  return JSON.stringify([serviceId, origin, upload, list]);
}

/** All parts of a manifest that this installation has read. */
export function partsOfManifest({
  base,
  upload,
  parts,
}: Manifest): Pick<Orphaned, 'base' | 'upload' | 'copies' | 'wasListed' | 'parts'> {
  return { base, upload, copies: [], wasListed: false, parts: parts.map((_, index) => index) };
}

/**
 * The parts that an upload may have sent before a person gave it up.
 * @param deletion of the copy of their manifest beside the object; null: there is none
 */
export function orphanedBy(
  { serviceId, origin, manifest, marks, of }: Plan<'upload'>,
  deletion: Pick<TransferRecord, 'id' | 'identifier'> | null,
): Orphaned {
  const marked = manifest.parts.map(({ id }) => marks.get(id));
  const indexes = (matches: (mark: Mark | undefined) => boolean) =>
    marked.flatMap((mark, index) => (matches(mark) ? [index] : []));
  const late = indexes((mark) => mark === 'tried');
  return {
    serviceId,
    origin,
    list: deletion?.identifier ?? '',
    ...partsOfManifest(manifest),
    copies: of.beside === null ? [] : [of.beside],
    wasListed: of.isOut,
    parts: indexes((mark) => mark !== undefined),
    step: deletion ? { name: 'deletion', transferId: deletion.id, late } : { name: 'parts', late },
  };
}

/** All parts of an upload of which only the name of one is known: those up to it. */
export function partsUpTo({
  base,
  upload,
  index,
}: {
  base: string;
  upload: string;
  index: number;
}): Omit<Orphaned, 'serviceId' | 'origin'> {
  const parts = Array.from({ length: index + 1 }, (_, at) => at);
  return { base, upload, list: '', copies: [], wasListed: false, parts, step: { name: 'parts', late: [] } };
}

/** What is still to be deleted at the service. */
export function leftBehindOf(orphaned: Orphaned): LeftBehind[] {
  const { base: identifier, list, parts, step } = orphaned;
  const isGoing = step.name !== 'left';
  const lists: LeftBehind[] =
    step.name === 'list' ? [{ kind: 'object', identifier: list, lastPart: '', count: 1, isGoing }] : [];
  const last = parts.at(-1);
  if (last === undefined) return lists;
  return [
    ...lists,
    { kind: 'parts', identifier, lastPart: partIdOf(orphaned, last), count: parts.length, isGoing },
  ];
}

/** Orphans that only a person may remove. */
export interface LeftOrphans {
  /** At the service's present address. */
  left(serviceId: string): LeftParts[];
  /** Uploads whose parts are to be removed, at the present address. */
  removing(serviceId: string): string[];
  /** A person wants the remaining parts of these uploads removed. */
  removeLeft(serviceId: string, uploads: readonly string[]): Promise<void>;
  /** As `removeLeft`, for the upload of this part, also if nothing is known of it here. @throws AppFailure notFound: it is no part */
  removeUpTo(serviceId: string, lastPart: string): Promise<void>;
}

interface Found {
  orphans: Orphans;
  connections: Context['connections'];
}

/** Those at the service's present address. */
export function orphansAt({ orphans, connections }: Found, serviceId: string): Orphaned[] {
  const origin = connections.originOf(serviceId);
  return orphans.all().filter((each) => each.serviceId === serviceId && isFor(each, origin));
}

/** @param collect as `OrphanCollector.collect` */
export function createLeftOrphans(deps: Found & { collect: () => void }): LeftOrphans {
  const { orphans, connections, collect } = deps;
  const at = (serviceId: string) => orphansAt(deps, serviceId);

  async function removeLeft(serviceId: string, uploads: readonly string[]): Promise<void> {
    const wanted = new Set(uploads);
    for (const orphaned of orphans.all())
      if (orphaned.serviceId === serviceId && orphaned.step.name === 'left' && wanted.has(orphaned.upload))
        await orphans.put({ ...orphaned, wasListed: false, step: { name: 'parts', late: [] } });
    collect();
  }

  return {
    left: (serviceId) =>
      at(serviceId).flatMap(({ base, upload, parts, step }) =>
        step.name === 'left' ? { identifier: base, upload, parts: parts.length, why: step.why } : [],
      ),
    removing: (serviceId) =>
      at(serviceId).flatMap(({ upload, step }) => (step.name === 'parts' ? upload : [])),
    removeLeft,
    async removeUpTo(serviceId, lastPart) {
      const named = readPartId(lastPart);
      if (named === null) throw new AppFailure({ code: 'notFound', what: 'object' });
      const known = at(serviceId).find(({ upload, step }) => upload === named.upload && step.name !== 'list');
      if (known?.step.name === 'left') return removeLeft(serviceId, [named.upload]);
      if (known === undefined)
        await orphans.put({ serviceId, origin: connections.originOf(serviceId), ...partsUpTo(named) });
      collect();
    },
  };
}
