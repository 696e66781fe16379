import type { Handlers } from '../../shared/contract.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Engine } from '../transfers/engine.ts';
import type { ClassificationService } from '../classifications/classifications.ts';
import type { Host } from '../host.ts';
import { findSelected } from './find-selected.ts';
import { createDownloads } from './downloads.ts';
import { createExchange } from './exchange-handlers.ts';
import { createLinks } from './links.ts';
import { createMadeFolders } from './made-folders.ts';
import { createMoving } from './moving.ts';
import { createObjects, type RowEdits } from './object-handlers.ts';

/** Enqueues another classification for the objects of a selection. */
function createReclassification(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany'>;
  engine: Pick<Engine, 'enqueue'>;
  /** Makes it the first suggestion next time. */
  rememberUsed: (serviceId: string, classification: string | null) => Promise<unknown>;
}): { handlers: Pick<Handlers, 'objects.reclassify'> } {
  const { catalogue, engine, rememberUsed } = deps;
  return {
    handlers: {
      'objects.reclassify': async ({ selection, classification }) => {
        const { ids, first } = await findSelected(catalogue, selection);
        const { length: count } = await engine.enqueue.reclassify(first.serviceId, ids, classification);
        if (count > 0) await rememberUsed(first.serviceId, classification);
        return { count, leftOut: ids.length - count };
      },
    },
  };
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
