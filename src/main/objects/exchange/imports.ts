import { AddedTally } from '../added-tally.ts';
import type { Announcements } from '../announcements.ts';
import type { Catalogue } from '../catalogue.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { requireOpen, type OpenLists } from '../open-lists.ts';
import type { Statements } from '../../database/statements.ts';
import type { ExchangedObject } from './format.ts';
import { importObjects, newImport, type RunningImport } from './import.ts';
import { mergeObjects, type MergeCounts } from './merge.ts';

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
    const keepOwn = (id: number) => writer.observer.adopted(id);
    const { saved, ...counts } = mergeObjects(writer.rows, service, objects, nowMs(), tally, keepOwn);
    tally.end();
    writer.noteSaved(saved);
    return counts;
  }

  return {
    async importFrom(serviceId, path, importId, encoding = null) {
      const list = lists.get(serviceId);
      const run = newImport();
      running.set(importId, run);
      try {
        const report = await importObjects(path, encoding, run, (objects) => {
          requireOpen(list);
          return announcements.seldom(serviceId, () => writer.unflushed(() => mergeInto(serviceId, objects)));
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
