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

/** Exports the list to a file that the person chooses, and imports it from one. */
export function createExchange(deps: {
  catalogue: Catalogue;
  connections: Pick<Connections, 'factsOf'>;
  dialogs: Dialogs;
  clock: Clock;
  publisher: Publisher;
  /** Called when an import or an export has begun or ended. */
  onChanged: () => void;
}): {
  handlers: Pick<Handlers, 'objects.export' | 'objects.import' | 'objects.cancelImport'>;
  /** Imports a file without asking the person. */
  importList: (serviceId: string, path: string, encoding: string | null) => Promise<ImportReport>;
  goingOn: () => ('import' | 'export')[];
} {
  const { catalogue, connections, dialogs, clock, publisher, onChanged } = deps;
  const running = { import: 0, export: 0 };
  async function count<T>(kind: 'import' | 'export', work: () => Promise<T>): Promise<T> {
    running[kind] += 1;
    onChanged();
    try {
      return await work();
    } finally {
      running[kind] -= 1;
      onChanged();
    }
  }

  async function importList(serviceId: string, path: string, encoding: string | null): Promise<ImportReport> {
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
      // The import may have ended while its progress was requested.
      while (!over.signal.aborted) {
        tell(last, false);
        await clock.delay(progressEveryMs, over.signal);
        last = (await catalogue.importProgress(id)) ?? last;
      }
    }
    // Rejects on abort; a failure of the import is reported below.
    watch().catch(() => undefined);
    try {
      return await count('import', () => catalogue.importFrom(serviceId, path, id, encoding));
    } finally {
      over.abort();
      tell(last, true);
    }
  }

  return {
    importList,
    goingOn: () => (['import', 'export'] as const).filter((kind) => running[kind] > 0),
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
        const exported = await count('export', () => catalogue.exportTo(serviceId, format, path));
        return { fileName: basename(path), count: exported };
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
        return importList(serviceId, path, null);
      },
      'objects.cancelImport': async ({ id }) => {
        await catalogue.cancelImport(id);
        return undefined;
      },
    },
  };
}
