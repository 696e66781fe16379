import type { LeftParts } from '../../../shared/contract.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { readChunkId } from '../../../shared/domain/made-names.ts';
import type { Context } from '../run/context.ts';
import { isFor } from '../queue/origin.ts';
import { chunksUpTo, type Orphaned, type Orphans } from './orphans.ts';

/** Orphans that only a person may remove. */
export interface LeftOrphans {
  /** At the service's present address. */
  left(serviceId: string): LeftParts[];
  /** Uploads whose chunks are to be removed, at the present address. */
  removing(serviceId: string): string[];
  /** A person wants the remaining chunks of these uploads removed. */
  removeLeft(serviceId: string, uploads: readonly string[]): Promise<void>;
  /** As `removeLeft`, for the upload of this chunk, also if nothing is known of it here. @throws AppFailure notFound: it is no chunk */
  removeUpTo(serviceId: string, lastChunk: string): Promise<void>;
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
    async removeUpTo(serviceId, lastChunk) {
      const named = readChunkId(lastChunk);
      if (named === null) throw new AppFailure({ code: 'notFound', what: 'object' });
      const known = at(serviceId).find(({ upload, step }) => upload === named.upload && step.name !== 'list');
      if (known?.step.name === 'left') return removeLeft(serviceId, [named.upload]);
      if (known === undefined)
        await orphans.put({ serviceId, origin: connections.originOf(serviceId), ...chunksUpTo(named) });
      collect();
    },
  };
}
