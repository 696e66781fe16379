import { basename, join } from 'node:path';
import { safeFileName } from '../../../shared/domain/file-name.ts';
import { isOpenable } from '../../../shared/domain/openable.ts';
import type { SavedFile } from '../../../shared/domain/transfer.ts';
import type { Connections, ServiceFacts } from '../../connections/connections.ts';
import { lstat } from '../../local-files/fs.ts';
import { findSubfolders, subfoldersOf } from '../../local-files/subfolders.ts';
import { temporaryNameOf, targetOfPath } from '../../local-files/target.ts';
import type { Target } from '../../local-files/temporary-file.ts';
import { webMarkOf } from '../../local-files/web-mark.ts';
import type { ObjectRow, StepContext } from '../parts/step-context.ts';
import type { TransferRecord } from '../model/record.ts';

/** A shared disk may have a clock of its own. */
const clockToleranceMs = 60_000;

/** The target of a download. The row is read only when the identifier gives no file name. */
export async function targetFor(
  { record, rules }: StepContext,
  asked: Promise<ObjectRow | null>,
): Promise<Target> {
  return targetOf(record, rules, nameIn(record, rules) === '' ? await asked : null);
}

export function isAsItIs({ work }: TransferRecord): boolean {
  return work.kind === 'download' && work.asItIs === true;
}

/** The file name is the identifier's last segment; an identifier that ends with the separator has none. */
function targetOf(record: TransferRecord, facts: ServiceFacts, row: ObjectRow | null): Target {
  const { saveAsPath, into, below, copyFor, isByCommand } =
    record.work.kind === 'download' ? record.work : { saveAsPath: null };
  // As with curl, and what a script goes on to use.
  const mark = isByCommand ? undefined : webMarkOf();
  if (saveAsPath !== null)
    // A person may have saved something where a private copy is to go, and has not agreed to replace it.
    return { ...targetOfPath(saveAsPath), mark, ...(copyFor && { isPrivate: true, replaces: false }) };
  const name = nameIn(record, facts) || row?.record.sourceName || '';
  return {
    folder: into?.folder ?? facts.downloadFolder,
    makesFolder: into === undefined && facts.downloadFolderIsDefault,
    subfolders: below === undefined ? [] : subfoldersOf(record.identifier, below, facts.separator),
    fileName: into?.fileName ?? safeFileName(isAsItIs(record) ? `${name}.parts.json` : name),
    replaces: false,
    mark,
  };
}

function nameIn({ identifier }: TransferRecord, { separator }: ServiceFacts): string {
  return identifier.split(separator).at(-1) ?? '';
}

/** The owner of a download's temporary file; another Coffer may download into the same folder. */
export function temporaryFileOwner({ id }: Pick<TransferRecord, 'id'>, installId: string): string {
  return `${installId} ${id}`;
}

/** Path of the temporary file that an earlier run of a download left; null: unknown. */
export async function temporaryPathOf(
  connections: Pick<Connections, 'factsOf'>,
  record: TransferRecord,
  installId: string,
): Promise<string | null> {
  const facts = await connections.factsOf(record.serviceId).catch(() => null);
  if (!facts) return null;
  const { folder, subfolders = [], fileName } = targetOf(record, facts, null);
  const found = await findSubfolders(folder, subfolders);
  return found && join(found, temporaryNameOf(fileName, temporaryFileOwner(record, installId)));
}

/** Where a download was saved; null: it wasn't, or isn't done. */
export function savedPathOf({ state }: TransferRecord): string | null {
  return state.name === 'done' ? state.savedPath : null;
}

/**
 * The file that a download was saved as, and its present state; null: it was not saved as a file. The path stays in
 * main.
 */
export async function checkSavedFile(record: TransferRecord): Promise<(SavedFile & { path: string }) | null> {
  const { id, totalBytes, finishedAtMs } = record;
  const path = savedPathOf(record);
  if (path === null) return null;
  const fileName = basename(path);
  const found = await lstat(path).catch(() => null);
  const isThere = found !== null && found.isFile();
  const isChanged =
    isThere && (found.size !== totalBytes || found.mtimeMs > (finishedAtMs ?? Infinity) + clockToleranceMs);
  return {
    transferId: id,
    path,
    fileName,
    state: !isThere ? 'gone' : isChanged ? 'changed' : 'there',
    isOpenable: isOpenable(fileName),
  };
}
