import { basename } from 'node:path';
import type { Handlers } from '../../shared/contract.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock, Dialogs } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';

/** What leaves the catalogue for a file that a person chose, and comes back from one. */
export function createExchange(deps: {
  catalogue: Catalogue;
  connections: Pick<Connections, 'factsOf'>;
  dialogs: Dialogs;
  clock: Clock;
}): { handlers: Pick<Handlers, 'objects.export' | 'objects.import'> } {
  const { catalogue, connections, dialogs, clock } = deps;

  return {
    handlers: {
      'objects.export': async ({ profileId, format }) => {
        const { name } = await connections.factsOf(profileId);
        const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
        const path = await dialogs.saveFile({
          title: 'Export the list',
          defaultName: safeFileName(`${name} ${today}.${format}`),
          filters: [
            format === 'csv'
              ? { name: 'Comma-separated values', extensions: ['csv'] }
              : { name: 'JSON Lines', extensions: ['jsonl'] },
          ],
        });
        if (path === null) return null;
        return { fileName: basename(path), count: await catalogue.exportTo(profileId, format, path) };
      },

      'objects.import': async ({ profileId }) => {
        await connections.factsOf(profileId);
        const path = await dialogs.openFile({
          title: 'Import a list',
          filters: [{ name: 'Lists', extensions: ['jsonl', 'csv'] }],
        });
        if (path === null) return null;
        // The dialog may have been open for long.
        await connections.factsOf(profileId);
        return catalogue.importFrom(profileId, path);
      },
    },
  };
}
