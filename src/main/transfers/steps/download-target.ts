import { join } from 'node:path';
import { safeFileName } from '../../../shared/domain/file-name.ts';
import type { Connections, ServiceFacts } from '../../connections/connections.ts';
import { findSubfolders, subfoldersOf } from '../../local-files/subfolders.ts';
import { temporaryNameOf, targetOfPath } from '../../local-files/target.ts';
import type { Target } from '../../local-files/temporary-file.ts';
import type { ObjectRow } from '../chunks/chunk-context.ts';
import type { TransferRecord } from '../model/record.ts';
import type { StepContext } from './step.ts';

/** The row says the name only where the identifier does not. */
export async function targetFor(
  { record, facts }: StepContext,
  asked: Promise<ObjectRow | null>,
): Promise<Target> {
  return targetOf(record, facts, nameIn(record, facts) === '' ? await asked : null);
}

export function isAsItIs({ work }: TransferRecord): boolean {
  return work.kind === 'download' && work.asItIs === true;
}

/** The identifier's last segment is the name; one that ends with the separator has none. */
function targetOf(record: TransferRecord, facts: ServiceFacts, row: ObjectRow | null): Target {
  const { saveAsPath, into, below, copyFor } =
    record.work.kind === 'download' ? record.work : { saveAsPath: null };
  if (saveAsPath !== null)
    // Where a private copy is to lie, a person may have saved something: nobody has agreed to replace it.
    return { ...targetOfPath(saveAsPath), ...(copyFor && { isPrivate: true, replaces: false }) };
  const name = nameIn(record, facts) || row?.record.sourceName || '';
  return {
    folder: into?.folder ?? facts.downloadFolder,
    makesFolder: into === undefined && facts.downloadFolderIsDefault,
    subfolders: below === undefined ? [] : subfoldersOf(record.identifier, below, facts.separator),
    fileName: into?.fileName ?? safeFileName(isAsItIs(record) ? `${name}.parts.json` : name),
    replaces: false,
  };
}

function nameIn({ identifier }: TransferRecord, { separator }: ServiceFacts): string {
  return identifier.split(separator).at(-1) ?? '';
}

/** Whose the part of a download is; another Coffer may download into the same folder. */
export function temporaryFileOwner({ id }: Pick<TransferRecord, 'id'>, installId: string): string {
  return `${installId} ${id}`;
}

/** Where the part of a download that an earlier run was at lies, as long as it has no name of its own; null: nobody can tell. */
export async function partPathOf(
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
