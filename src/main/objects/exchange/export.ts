import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { unverifiedFacts } from '../../../shared/domain/unverified.ts';
import type { HistoryEntry, ObjectRecord } from '../../../shared/domain/object.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { access, open, rename } from '../../local-files/fs.ts';
import type { ObjectStore } from '../object-store.ts';
import {
  csvFields,
  csvStoredByField,
  csvUnseenField,
  csvVersionField,
  formatVersion,
  toCell,
} from './format.ts';
import { lineCharactersMax } from './split-lines.ts';
import type { UnfinishedFiles } from './imports.ts';

const batchRows = 500;

/**
 * Writes all objects of a service through a temporary file beside `path`; resolves to their number. Throws diskFull,
 * folderGone, folderReadOnly.
 */
export async function exportObjects(
  store: ObjectStore,
  service: number,
  format: 'jsonl' | 'csv',
  path: string,
  unfinishedFiles: UnfinishedFiles,
): Promise<number> {
  const temporaryPath = join(dirname(path), `.coffer-${randomUUID()}.part`);
  try {
    await access(dirname(path));
    return await unfinishedFiles.run(temporaryPath, async () => {
      const count = await writeObjects(store, service, format, temporaryPath);
      await rename(temporaryPath, path);
      return count;
    });
  } catch (error) {
    throw toFailure(error, path);
  }
}

async function writeObjects(
  store: ObjectStore,
  service: number,
  format: 'jsonl' | 'csv',
  temporaryPath: string,
): Promise<number> {
  const file = await open(temporaryPath, 'wx');
  try {
    let count = 0;
    await file.writeFile(format === 'jsonl' ? jsonHeader : csvHeader);
    for (let afterId = 0; ;) {
      const records = store.recordsAfter(service, afterId, batchRows);
      const last = records.at(-1);
      if (last === undefined) break;
      afterId = last.id;
      count += records.length;
      await file.writeFile(format === 'csv' ? toCsv(records.map(toCells)) : toJsonLines(store, records));
      await nextTurn();
    }
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}

const jsonHeader = `${JSON.stringify({ cofferCatalogue: formatVersion })}\n`;
/** Spreadsheets recognise UTF-8 only by its byte order mark. */
const csvHeader = `\uFEFF${toCsv([[csvVersionField, ...csvFields, csvStoredByField, csvUnseenField]])}`;

function toJsonLines(store: ObjectStore, records: readonly ObjectRecord[]): string {
  // The time of last use concerns this computer only.
  const lines = records.map((record) => {
    const {
      id,
      serviceId: _serviceId,
      unverified,
      usedAtMs: _used,
      isShared: _shared,
      isOwnStored: _own,
      seenBy: _seenBy,
      ...fields
    } = record;
    const unseen = unverifiedFacts({ unverified });
    const facts = unseen.length > 0 ? { ...fields, unseen } : fields;
    return toJsonLine(facts, store.history(id, -1).toReversed());
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Leaves out the oldest history entries if the line would be longer than an import accepts. */
function toJsonLine(
  fields: Omit<ObjectRecord, 'id' | 'serviceId' | 'unverified'>,
  history: readonly HistoryEntry[],
): string {
  const line = JSON.stringify({ ...fields, history });
  if (line.length <= lineCharactersMax || history.length === 0) return line;
  return toJsonLine(fields, history.slice(Math.ceil(history.length / 2)));
}

function toCells(record: ObjectRecord): string[] {
  const cells = csvFields.map((field) => toCell(field, record[field] ?? null));
  const storedBy = toCell(csvStoredByField, record.storedBy ?? null);
  return [String(formatVersion), ...cells, storedBy, unverifiedFacts(record).join(' ')];
}

function toCsv(rows: string[][]): string {
  return stringify(rows, { quoted_string: true });
}

function toFailure(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const folderName = basename(dirname(path));
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppFailure({ code: 'diskFull', folderName });
  if (code === 'ENOENT' || code === 'ENOTDIR') return new AppFailure({ code: 'folderGone', folderName });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new AppFailure({ code: 'folderReadOnly', folderName });
  }
  return error;
}
