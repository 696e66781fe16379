import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { CsvSeparator, ImportProblem, ImportReport } from '../../../shared/contract.ts';
import { historyEntrySchema, type HistoryEntry } from '../../../shared/domain/object.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { createStrictDecoder } from '../../lib/decode-text.ts';
import { createReadStream, stat } from '../../local-files/fs.ts';
import { BatchSize } from '../batch-size.ts';
import type { ImportProgress } from '../catalogue.ts';
import type { MergeCounts } from './merge.ts';
import { BadFile, exchangedObjectSchema, type ExchangedObject, type ReadLine } from './format.ts';
import { readCsv } from './read-csv.ts';
import { readJsonLines } from './read-json-lines.ts';
import { encodingOf, requireText } from './split-lines.ts';

const problemsMax = 100;

export interface RunningImport extends ImportProgress {
  isCancelled: boolean;
}

export function newImport(): RunningImport {
  return { doneBytes: 0, totalBytes: 0, lines: 0, isCancelled: false };
}

/**
 * Batches merged before a failure stay. Throws badImportFile when the file cannot be read as a catalogue.
 * @param encoding null: as its byte order mark says, or UTF-8
 * @param merge writes one batch
 */
export async function importObjects(
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
