import { basename, dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { CsvSeparator, ImportProblem, ImportReport } from '../../../shared/contract.ts';
import { type HistoryEntry, historyEntrySchema } from '../../../shared/domain/object.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { parseJson } from '../../lib/json.ts';
import { createReadStream, existsSync, rm, stat } from '../../local-files/fs.ts';
import type { Documents } from '../../database/documents.ts';
import { createStrictDecoder } from '../../lib/decode-text.ts';
import type { Statements } from '../../database/statements.ts';
import { AddedTally, type Announcements, BatchSize } from '../announcements.ts';
import type { Catalogue, ImportProgress } from '../catalogue.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { type OpenLists, requireOpen } from '../open-lists.ts';
import {
  BadFile,
  type ExchangedObject,
  exchangedObjectSchema,
  formatVersion,
  headerSchema,
  type ReadLine,
} from './format.ts';
import { encodingOf, type Reading, requireText, splitLines } from './split-lines.ts';
import { type MergeCounts, mergeObjects } from './merge.ts';
import { readCsv } from './read-csv.ts';

/** Yields batches of lines. */
async function* readJsonLines(path: string, reading: Reading): AsyncGenerator<ReadLine[]> {
  let line = 0;
  for await (const some of splitLines(path, reading)) {
    const read: ReadLine[] = [];
    for (const { text } of some) {
      line += 1;
      const value = text === null ? undefined : parseJson(text);
      if (line === 1) requireHeader(value);
      else if (text === null) read.push({ line, problem: { code: 'tooLong' } });
      else if (value !== undefined) read.push({ line, value });
      else if (text.trim() !== '') read.push({ line, problem: { code: 'notJson' } });
    }
    yield read;
  }
}

function requireHeader(value: unknown): void {
  const header = headerSchema.safeParse(value);
  if (!header.success) throw new BadFile('notAList');
  if (header.data.cofferCatalogue !== formatVersion) throw new BadFile('newer');
}

const collection = 'unfinishedFiles';

/** Files being written, recorded so that the next start removes what a crash leaves behind. */
export class UnfinishedFiles {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /**
   * Runs `work`, which writes a file at `path` and renames it. Afterwards nothing is left at `path`, whether it
   * succeeds or fails.
   */
  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    await this.#documents.put(collection, path, true);
    try {
      return await work();
    } finally {
      await this.#remove(path);
    }
  }

  /** Removes what an earlier run left behind. */
  async removeOld(): Promise<void> {
    for (const { key } of await this.#documents.list(collection)) await this.#remove(key);
  }

  /** Never rejects: a file that cannot be removed now, or whose drive is missing, is tried again at the next start. */
  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true });
      if (existsSync(dirname(path))) await this.#documents.delete(collection, path);
    } catch {
      return;
    }
  }
}

const problemsMax = 100;

export interface RunningImport extends ImportProgress {
  isCancelled: boolean;
}

function newImport(): RunningImport {
  return { doneBytes: 0, totalBytes: 0, lines: 0, isCancelled: false };
}

/**
 * Batches merged before a failure stay. Throws badImportFile when the file cannot be read as a catalogue.
 * @param encoding null: as its byte order mark says, or UTF-8
 * @param merge writes one batch
 */
async function importObjects(
  path: string,
  encoding: string | null,
  run: RunningImport,
  merge: (objects: ExchangedObject[]) => MergeCounts,
): Promise<ImportReport> {
  const fileName = basename(path);
  let separator: ImportReport['separator'] = null;
  const onHeader = (found: CsvSeparator) => (separator = found);
  const report = { fileName, added: 0, merged: 0, unchanged: 0, skipped: 0, problemLines: 0 };
  const problems: ImportReport['problems'] = [];
  const batchSize = new BatchSize();
  let batch: ExchangedObject[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const counts = batchSize.measure(batch.length, () => merge(batch));
    batch = [];
    report.added += counts.added;
    report.merged += counts.merged;
    report.unchanged += counts.unchanged;
    await nextTurn();
  };
  for await (const some of readLines(path, encoding, run, onHeader)) {
    for (const read of some) {
      const { object, problem }: ParsedLine =
        'problem' in read ? { problem: read.problem } : parse(read.value);
      if (problem !== undefined) {
        report.problemLines += 1;
        if (problems.length < problemsMax) problems.push({ line: read.line, problem });
      }
      run.lines = read.line;
      if (object === undefined) report.skipped += 1;
      else batch.push(object);
      if (batch.length < batchSize.rows) continue;
      await flush();
      if (run.isCancelled) return { ...report, separator, problems, isCancelled: true };
    }
  }
  await flush();
  return { ...report, separator, problems };
}

interface ParsedLine {
  readonly object?: ExchangedObject;
  /** Why the line is skipped or, with an object, only a part of it. */
  readonly problem?: ImportProblem;
}

function parse(value: unknown): ParsedLine {
  const result = exchangedObjectSchema.safeParse(value);
  if (!result.success) return { problem: toProblem(result.error.issues[0]) };
  const history: HistoryEntry[] = [];
  for (const each of result.data.history) {
    const entry = historyEntrySchema.safeParse(each);
    if (entry.success) history.push(entry.data);
  }
  const object = { ...result.data, history };
  const entries = result.data.history.length - history.length;
  return entries === 0 ? { object } : { object, problem: { code: 'history', entries } };
}

function toProblem(issue: z.core.$ZodIssue | undefined): ImportProblem {
  return { code: 'field', field: (issue?.path ?? []).join('.') };
}

/** Decides by content, not by name: a JSON Lines catalogue begins with a brace. */
async function* readLines(
  path: string,
  given: string | null,
  run: RunningImport,
  onHeader: (separator: CsvSeparator) => void,
): AsyncGenerator<ReadLine[]> {
  const fileName = basename(path);
  try {
    run.totalBytes = (await stat(path)).size;
    const onRead = (bytes: number) => {
      run.doneBytes += bytes;
    };
    const encoding = given ?? (await encodingOf(path));
    await requireText(path, encoding);
    const reading = { encoding, onRead };
    if ((await firstCharacter(path, encoding)) === '{') yield* readJsonLines(path, reading);
    else for await (const line of readCsv(path, reading, onHeader)) yield [line];
  } catch (error) {
    if (error instanceof BadFile) {
      throw new AppFailure({ code: 'badImportFile', fileName, problem: error.problem, ...error.where });
    }
    if (error instanceof Error && 'syscall' in error) {
      throw new AppFailure({ code: 'badImportFile', fileName, problem: 'unreadable' });
    }
    throw error;
  }
}

async function firstCharacter(path: string, encoding: string): Promise<string> {
  const start: AsyncIterable<Buffer> = createReadStream(path, { end: 1023 });
  for await (const piece of start) {
    return createStrictDecoder(encoding).decode(piece).trimStart().charAt(0);
  }
  throw new BadFile('empty');
}

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
