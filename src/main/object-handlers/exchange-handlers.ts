import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Handlers, ImportReport } from '../../shared/contract.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Catalogue, ImportProgress } from '../objects/catalogue.ts';
import type { Clock, Dialogs, Publisher } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import { mainTexts } from '../texts.ts';

/** Interval between progress updates, in ms. */
const progressEveryMs = 250;

const texts = mainTexts.dialog;

/** Exports the catalogue to a file chosen by the person, and imports it from one. */
export function createExchange(deps: {
  catalogue: Catalogue;
  connections: Pick<Connections, 'factsOf'>;
  dialogs: Dialogs;
  clock: Clock;
  publisher: Publisher;
  /** Called when an import has begun or ended. */
  onChanged: () => void;
}): {
  handlers: Pick<Handlers, 'objects.export' | 'objects.import' | 'objects.cancelImport'>;
  /** Imports a file without asking the person. */
  importList: (serviceId: string, path: string) => Promise<ImportReport>;
  isImporting: () => boolean;
} {
  const { catalogue, connections, dialogs, clock, publisher, onChanged } = deps;
  let imports = 0;
  function count(by: 1 | -1): void {
    imports += by;
    onChanged();
  }

  async function importList(serviceId: string, path: string): Promise<ImportReport> {
    const id = randomUUID();
    const over = new AbortController();
    const tell = (progress: ImportProgress, isOver: boolean) =>
      publisher.publish('objects.importProgress', {
        id,
        serviceId,
        fileName: basename(path),
        ...progress,
        isOver,
      });
    let last: ImportProgress = { doneBytes: 0, totalBytes: 0, lines: 0 };
    async function watch(): Promise<void> {
      // Asking takes time as well: the import may be over when the answer comes.
      while (!over.signal.aborted) {
        tell(last, false);
        await clock.delay(progressEveryMs, over.signal);
        last = (await catalogue.importProgress(id)) ?? last;
      }
    }
    // The import reports its own failure.
    watch().catch(() => undefined);
    count(1);
    try {
      return await catalogue.importFrom(serviceId, path, id);
    } finally {
      over.abort();
      tell(last, true);
      count(-1);
    }
  }

  return {
    importList,
    isImporting: () => imports > 0,
    handlers: {
      'objects.export': async ({ serviceId, format }) => {
        const { name } = await connections.factsOf(serviceId);
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
        return { fileName: basename(path), count: await catalogue.exportTo(serviceId, format, path) };
      },

      'objects.import': async ({ serviceId }) => {
        await connections.factsOf(serviceId);
        const path = await dialogs.openFile({
          title: texts.importList,
          filters: [{ name: texts.lists, extensions: ['jsonl', 'csv'] }],
        });
        if (path === null) return null;
        // The dialog may have been open for a long time.
        await connections.factsOf(serviceId);
        return importList(serviceId, path);
      },
      'objects.cancelImport': async ({ id }) => {
        await catalogue.cancelImport(id);
        return undefined;
      },
    },
  };
}
