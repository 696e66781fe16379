import { basename } from 'node:path';
import { mainTexts } from '../texts.ts';
import type { Handlers } from '../../shared/contract.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock, Dialogs } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { Engine } from '../transfers/engine.ts';

const texts = mainTexts.dialog;

/** What leaves the catalogue for a file that a person chose, and comes back from one. */
export function createExchange(deps: {
  catalogue: Catalogue;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue'>;
  dialogs: Dialogs;
  clock: Clock;
}): { handlers: Pick<Handlers, 'objects.download' | 'objects.export' | 'objects.import'> } {
  const { catalogue, connections, engine, dialogs, clock } = deps;

  return {
    handlers: {
      'objects.download': async ({ selection, saveAs }) => {
        const ids = await catalogue.idsOf(selection);
        const [first] = await catalogue.getMany([...ids.subarray(0, 1)]);
        if (!first) throw new AppFailure({ code: 'notFound', what: 'object' });
        if (!saveAs) {
          return {
            count: await engine.enqueue.downloads(first.profileId, ids, {
              saveAsPath: null,
              route: 'direct',
            }),
          };
        }
        if (ids.length > 1) {
          throw new AppFailure({ code: 'invalidInput', field: 'saveAs', problem: 'oneObjectOnly' });
        }
        const { separator } = await connections.factsOf(first.profileId);
        const saveAsPath = await dialogs.saveFile({
          title: texts.saveAs,
          defaultName: safeFileName(first.identifier.split(separator).at(-1) ?? first.identifier),
          filters: [],
        });
        if (saveAsPath === null) return null;
        return {
          count: await engine.enqueue.downloads(first.profileId, ids, { saveAsPath, route: 'direct' }),
        };
      },

      'objects.export': async ({ profileId, format }) => {
        const { name } = await connections.factsOf(profileId);
        const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
        const path = await dialogs.saveFile({
          title: texts.exportList,
          defaultName: safeFileName(`${name} ${today}.${format}`),
          filters: [
            format === 'csv'
              ? { name: texts.csv, extensions: ['csv'] }
              : { name: texts.jsonLines, extensions: ['jsonl'] },
          ],
        });
        if (path === null) return null;
        return { fileName: basename(path), count: await catalogue.exportTo(profileId, format, path) };
      },

      'objects.import': async ({ profileId }) => {
        await connections.factsOf(profileId);
        const path = await dialogs.openFile({
          title: texts.importList,
          filters: [{ name: texts.lists, extensions: ['jsonl', 'csv'] }],
        });
        if (path === null) return null;
        // The dialog may have been open for long.
        await connections.factsOf(profileId);
        return catalogue.importFrom(profileId, path);
      },
    },
  };
}
