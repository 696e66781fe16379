import type { ImportReport } from '../../../shared/contract.ts';
import { AddedTally } from '../added-tally.ts';
import type { Announcements } from '../announcements.ts';
import type { ImportProgress } from '../catalogue.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { requireOpen, type OpenLists } from '../open-lists.ts';
import type { Statements } from '../statements.ts';
import type { ExchangedObject } from './format.ts';
import { importObjects, newImport, type RunningImport } from './import.ts';
import { mergeObjects, type MergeCounts } from './merge.ts';

/** While rows come in by the thousand, a list that is shown is put in order no more often than this. */
const importToldMs = 4000;

/** The imports that go on, each by its id. */
export class Imports {
  readonly #statements: Statements;
  readonly #writer: ObjectWriter;
  readonly #lists: OpenLists;
  readonly #announcements: Announcements;
  readonly #nowMs: () => number;
  readonly #running = new Map<string, RunningImport>();

  constructor(
    statements: Statements,
    writer: ObjectWriter,
    lists: OpenLists,
    announcements: Announcements,
    nowMs: () => number,
  ) {
    this.#statements = statements;
    this.#writer = writer;
    this.#lists = lists;
    this.#announcements = announcements;
    this.#nowMs = nowMs;
  }

  /** Throws badImportFile, and notFound (profile) for the list of a service that was removed. */
  async run(profileId: string, path: string, importId: string): Promise<ImportReport> {
    const list = this.#lists.get(profileId);
    const run = newImport();
    this.#running.set(importId, run);
    let toldMs = -Infinity;
    try {
      const report = await importObjects(path, run, (objects) => {
        requireOpen(list);
        const merge = () => this.#writer.unflushed(() => this.#merge(profileId, objects));
        if (performance.now() - toldMs < importToldMs) return this.#announcements.quietly(merge);
        toldMs = performance.now();
        return merge();
      });
      await this.#writer.flush();
      return report;
    } finally {
      this.#running.delete(importId);
      this.#announcements.announce([profileId]);
    }
  }

  progress(importId: string): ImportProgress | null {
    const run = this.#running.get(importId);
    if (run === undefined) return null;
    const { isCancelled: _, ...progress } = run;
    return progress;
  }

  cancel(importId: string): void {
    const run = this.#running.get(importId);
    if (run !== undefined) run.isCancelled = true;
  }

  #merge(profileId: string, objects: readonly ExchangedObject[]): MergeCounts {
    const profile = { number: this.#writer.rows.ensureProfile(profileId), id: profileId };
    const tally = new AddedTally(this.#statements, profile.number);
    const { saved, ...counts } = mergeObjects(this.#writer.rows, profile, objects, this.#nowMs(), tally);
    tally.end();
    this.#writer.noteSaved(saved);
    return counts;
  }
}
