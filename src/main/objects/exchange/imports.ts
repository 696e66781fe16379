import { AddedTally } from '../added-tally.ts';
import type { Announcements } from '../announcements.ts';
import type { Catalogue } from '../catalogue.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { requireOpen, type OpenLists } from '../open-lists.ts';
import type { Statements } from '../../database/statements.ts';
import type { ExchangedObject } from './format.ts';
import { importObjects, newImport, type RunningImport } from './import.ts';
import { mergeObjects, type MergeCounts } from './merge.ts';

/** Minimum interval between refreshes of a visible list during an import, in ms. */
const importToldMs = 4000;

/** Running imports, by id. */
export function createImports(
  statements: Statements,
  writer: ObjectWriter,
  lists: OpenLists,
  announcements: Announcements,
  nowMs: () => number,
) {
  const running = new Map<string, RunningImport>();

  function mergeInto(serviceId: string, objects: readonly ExchangedObject[]): MergeCounts {
    const service = { number: writer.rows.ensureService(serviceId), id: serviceId };
    const tally = new AddedTally(statements, service.number);
    const { saved, ...counts } = mergeObjects(writer.rows, service, objects, nowMs(), tally);
    tally.end();
    writer.noteSaved(saved);
    return counts;
  }

  return {
    async importFrom(serviceId, path, importId) {
      const list = lists.get(serviceId);
      const run = newImport();
      running.set(importId, run);
      let toldMs = -Infinity;
      try {
        const report = await importObjects(path, run, (objects) => {
          requireOpen(list);
          const merge = () => writer.unflushed(() => mergeInto(serviceId, objects));
          if (performance.now() - toldMs < importToldMs) return announcements.quietly(merge);
          toldMs = performance.now();
          return merge();
        });
        await writer.flush();
        return report;
      } finally {
        running.delete(importId);
        announcements.announce([serviceId]);
      }
    },

    async importProgress(importId) {
      const run = running.get(importId);
      if (run === undefined) return null;
      const { isCancelled: _, ...progress } = run;
      return progress;
    },

    async cancelImport(importId) {
      const run = running.get(importId);
      if (run !== undefined) run.isCancelled = true;
    },
  } satisfies Partial<Catalogue>;
}
