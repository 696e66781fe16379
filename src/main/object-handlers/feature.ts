import type { Handlers } from '../../shared/contract.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Engine } from '../transfers/engine.ts';
import type { ClassificationService } from '../classifications/classifications.ts';
import type { Host } from '../host.ts';
import type { Clock } from '../ports.ts';
import { areAtRest, waitUntil } from './at-rest.ts';
import { findSelected } from './find-selected.ts';
import { createDownloads } from './downloads.ts';
import { createExchange } from './exchange-handlers.ts';
import { createLinks } from './links.ts';
import { createMadeFolders } from './made-folders.ts';
import { createMoving } from './moving.ts';
import { createObjects, type RowEdits } from './object-handlers.ts';

/** Enqueues another classification for the objects of a selection. */
export function createReclassification(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany' | 'findByIdentifiers'>;
  engine: Pick<Engine, 'enqueue'>;
  clock: Clock;
  /** Makes it the first suggestion next time. */
  rememberUsed: (serviceId: string, classification: string | null) => Promise<unknown>;
}): { handlers: Pick<Handlers, 'objects.reclassify'> } {
  const { catalogue, engine, clock, rememberUsed } = deps;
  return {
    handlers: {
      'objects.reclassify': async ({ selection, classification, isUndo = false }) => {
        const { ids, first } = await findSelected(catalogue, selection);
        if (isUndo) await waitUntil(clock, async () => areAtRest(await catalogue.getMany([...ids])));
        const now = isUndo ? await whereNow(catalogue, ids) : ids;
        const { length: count } = await engine.enqueue.reclassify(first.serviceId, now, classification);
        if (count > 0) await rememberUsed(first.serviceId, classification);
        return { count, leftOut: ids.length - count };
      },
    },
  };
}

/** Their rows, or those under the names that they were given since. */
async function whereNow(
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers'>,
  ids: Iterable<number>,
): Promise<number[]> {
  const now: number[] = [];
  for (const row of await catalogue.getMany([...ids])) {
    let at: ObjectRecord | undefined = row;
    const seen = new Set<number>();
    while (at?.state === 'gone' && at.movedTo !== undefined && !seen.has(at.id)) {
      seen.add(at.id);
      at = (await catalogue.findByIdentifiers(at.serviceId, at.kind, [at.movedTo])).get(at.movedTo);
    }
    now.push(at?.id ?? row.id);
  }
  return now;
}

/** The list, and actions on what it shows: download, reclassify, move, link, import and export. */
export function objects(
  host: Host,
  edits: RowEdits,
  { rememberUsed }: Pick<ClassificationService, 'rememberUsed'>,
) {
  const own = createObjects({ ...host, edits, revision: host.objectsRevision });
  const links = createLinks(host);
  const exchange = createExchange({ ...host, onChanged: host.work.changed });
  host.work.add(exchange.goingOn);
  return {
    handlers: {
      ...own.handlers,
      ...createDownloads(host).handlers,
      ...createReclassification({
        ...host,
        rememberUsed: (serviceId, classification) => rememberUsed(serviceId, classification),
      }).handlers,
      ...createMoving(host).handlers,
      ...createMadeFolders(host).handlers,
      ...links.handlers,
      ...exchange.handlers,
    },
    overlaid: own.overlaid,
    importList: exchange.importList,
    openLink: links.open,
  };
}
