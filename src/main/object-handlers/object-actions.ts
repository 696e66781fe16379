import { createDownloads } from './downloads.ts';
import { createExchange } from './exchange-handlers.ts';
import { createLinks } from './links.ts';
import { createMoving } from './moving.ts';
import { createReclassification } from './reclassification.ts';

type DepsOf<F extends (deps: never) => unknown> = Parameters<F>[0];

/** Handlers for actions on listed objects: download, reclassify, move, link, import and export. */
export function createObjectActions(
  deps: DepsOf<typeof createDownloads> &
    DepsOf<typeof createReclassification> &
    DepsOf<typeof createMoving> &
    DepsOf<typeof createLinks> &
    Omit<DepsOf<typeof createExchange>, 'onChanged'> & {
      /** An import or an export has begun or ended. */
      onExchange: () => void;
    },
) {
  const links = createLinks(deps);
  const exchange = createExchange({ ...deps, onChanged: deps.onExchange });
  return {
    handlers: {
      ...createDownloads(deps).handlers,
      ...createReclassification(deps).handlers,
      ...createMoving(deps).handlers,
      ...links.handlers,
      ...exchange.handlers,
    },
    openLink: links.open,
    importList: exchange.importList,
    goingOn: exchange.goingOn,
  };
}
