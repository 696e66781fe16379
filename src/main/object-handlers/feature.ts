import type { ClassificationService } from '../classifications/classifications.ts';
import type { Host } from '../host.ts';
import { createDownloads } from './downloads.ts';
import { createExchange } from './exchange-handlers.ts';
import { createLinks } from './links.ts';
import { createMoving } from './moving.ts';
import { createObjects, type RowEdits } from './object-handlers.ts';
import { createReclassification } from './reclassification.ts';

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
      ...links.handlers,
      ...exchange.handlers,
    },
    overlaid: own.overlaid,
    importList: exchange.importList,
    openLink: links.open,
  };
}
