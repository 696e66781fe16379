import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportReport } from '../../../shared/contract.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { MergeCounts } from './merge.ts';
import { BadFile, exchangedObjectSchema, type ExchangedObject, type ReadLine } from './format.ts';
import { readCsv } from './read-csv.ts';
import { readJsonLines } from './read-json-lines.ts';

/** One transaction each: an import that ends half-way leaves whole batches. */
const batchRows = 500;
const problemsMax = 100;

/** Throws badImportFile when the file cannot be read as a catalogue. */
export async function importObjects(
  path: string,
  merge: (objects: ExchangedObject[]) => MergeCounts,
): Promise<ImportReport> {
  const fileName = basename(path);
  const report = { fileName, added: 0, merged: 0, unchanged: 0, skipped: 0 };
  const problems: ImportReport['problems'] = [];
  let batch: ExchangedObject[] = [];
  const flush = async () => {
    const counts = merge(batch);
    batch = [];
    report.added += counts.added;
    report.merged += counts.merged;
    report.unchanged += counts.unchanged;
    await nextTurn();
  };
  for await (const read of readLines(path, fileName)) {
    const parsed = 'problem' in read ? read : parse(read);
    if ('object' in parsed) {
      batch.push(parsed.object);
      if (batch.length >= batchRows) await flush();
    } else {
      report.skipped += 1;
      if (problems.length < problemsMax) problems.push({ line: read.line, problem: parsed.problem });
    }
  }
  if (batch.length > 0) await flush();
  return { ...report, problems };
}

function parse({ value }: { value: unknown }): { object: ExchangedObject } | { problem: string } {
  const result = exchangedObjectSchema.safeParse(value);
  if (result.success) return { object: result.data };
  const [issue] = result.error.issues;
  return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}

/** By content, not by name: a catalogue in JSON Lines begins with a brace. */
async function* readLines(path: string, fileName: string): AsyncGenerator<ReadLine> {
  try {
    const first = await firstCharacter(path);
    yield* first === '{' ? readJsonLines(path) : readCsv(path);
  } catch (error) {
    if (error instanceof BadFile) {
      throw new AppFailure({ code: 'badImportFile', fileName, problem: error.message });
    }
    if (error instanceof Error && 'syscall' in error) {
      throw new AppFailure({ code: 'badImportFile', fileName, problem: 'The file cannot be read.' });
    }
    throw error;
  }
}

async function firstCharacter(path: string): Promise<string> {
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: 1023 })) {
    return String(chunk).replace('\uFEFF', '').trimStart().charAt(0);
  }
  throw new BadFile('The file is empty.');
}
