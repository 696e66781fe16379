import type { Handlers, Input } from '../../shared/contract.ts';
import { mainTexts } from '../texts.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { freeBytesForNew, freeBytesIn } from '../local-files/free-space.ts';
import type { Dialogs } from '../ports.ts';
import { findSelected } from './find-selected.ts';
import type { Connections, ServiceFacts } from '../connections/connections.ts';
import type { Engine } from '../transfers/engine.ts';

type Name = 'download' | 'downloadDeferred' | 'downloadEstimate';

/** Enqueues downloads for a selection, and summarises them in advance. */
export function createDownloads(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany' | 'summarize'>;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue'>;
  dialogs: Pick<Dialogs, 'saveFile'>;
  settings: () => Pick<Settings, 'keepFolders'>;
}): { handlers: Pick<Handlers, `objects.${Name}`> } {
  const { catalogue, connections, engine, dialogs, settings } = deps;

  function belowOf({ selection, below }: Input<'objects.downloadDeferred'>): string | undefined {
    if (!settings().keepFolders) return undefined;
    if (below !== undefined || selection.kind !== 'query') return below;
    const { place } = selection.query;
    return place.kind === 'folder' ? place.path : '';
  }

  return {
    handlers: {
      'objects.download': async ({ selection, saveAs, below }) => {
        const { ids, first } = await findSelected(catalogue, selection);
        const { serviceId } = first;
        const route = 'direct';
        if (!saveAs) {
          const options = { saveAsPath: null, route, below: belowOf({ selection, below }) } as const;
          return { count: (await engine.enqueue.downloads(serviceId, ids, options)).length };
        }
        if (ids.length > 1) {
          throw new AppFailure({ code: 'invalidInput', field: 'saveAs', problem: 'oneObjectOnly' });
        }
        const { separator } = await connections.factsOf(serviceId);
        const saveAsPath = await dialogs.saveFile({
          title: mainTexts.dialog.saveAs,
          defaultName: safeFileName(first.identifier.split(separator).at(-1) ?? first.identifier),
          filters: [],
        });
        if (saveAsPath === null) return null;
        return { count: (await engine.enqueue.downloads(serviceId, ids, { saveAsPath, route })).length };
      },

      'objects.downloadDeferred': async (input) => {
        const { ids, first } = await findSelected(catalogue, input.selection);
        const options = { saveAsPath: null, route: 'deferred', below: belowOf(input) } as const;
        return { count: (await engine.enqueue.downloads(first.serviceId, ids, options)).length };
      },

      'objects.downloadEstimate': async ({ selection }) => {
        const { first } = await findSelected(catalogue, selection);
        const summary = await catalogue.summarize(selection);
        return { ...summary, freeBytes: await freeBytesFor(await connections.factsOf(first.serviceId)) };
      },
    },
  };
}

/** Only the default folder is made if it does not exist; another one may be on a disk that is not mounted. */
async function freeBytesFor({
  downloadFolder,
  downloadFolderIsDefault,
}: ServiceFacts): Promise<number | null> {
  return (downloadFolderIsDefault ? freeBytesForNew : freeBytesIn)(downloadFolder);
}
