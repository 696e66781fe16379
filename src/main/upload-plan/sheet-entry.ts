import { join } from 'node:path';
import { numberedIdentifier } from '../../shared/domain/keep-both.ts';
import { maxObjectBytes, type SizeVerdict } from '../../shared/domain/limits.ts';
import { countChunks, type ChunkRules } from '../../shared/domain/chunks.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import type { PlanEntry, PlanProblem } from '../../shared/domain/upload-plan.ts';
import type { IdentifierOwners } from './identifier-owners.ts';
import type { FoundFile, Trouble } from './read-files.ts';

/** A file of an upload sheet. */
export interface SheetEntry {
  readonly id: number;
  readonly file: FoundFile;
  readonly size: SizeVerdict;
  trouble: Trouble | null;
  hash8: string | null;
  /**
   * The identifier entered by the person; null: from the template. Void if all identifiers were reset since that era.
   */
  own: string | null;
  era: number;
  identifier: string;
  /** Whether the file changed since the draft was saved. */
  readonly changed: boolean;
  status: Status;
  /** Listed in the first group, because it had a note when it was last placed. */
  standsFirst: boolean;
}
export type Status = 'unnamed' | 'problem' | 'duplicate' | 'ready' | 'mayBeRefused' | 'changed';

/** Whether the entry has a note. */
export function isNoted(status: Status): boolean {
  return isProblem(status) || status === 'mayBeRefused' || status === 'changed';
}

/** Whether the entry cannot be uploaded as it is. */
export function isProblem(status: Status): boolean {
  return status === 'problem' || status === 'duplicate';
}

/** Whether an upload includes the entry. */
export function mayGo(status: Status): boolean {
  return status === 'ready' || status === 'mayBeRefused' || status === 'changed';
}

export function pathOf(file: FoundFile): string {
  return join(file.place.absolute, file.fileName);
}

/** What determines an entry's problems, beside the entry itself. */
interface Surroundings {
  readonly separator: string;
  readonly rules: ChunkRules;
  readonly claims: Pick<IdentifierOwners<SheetEntry>, 'ownerOf'>;
}

/** The entry as the window shows it. */
export function describeEntry(entry: SheetEntry, surroundings: Surroundings): PlanEntry {
  const { id, file, identifier, own } = entry;
  return {
    id,
    fileName: file.fileName,
    folder: file.place.below,
    sizeBytes: file.sizeBytes,
    parts: countChunks(file.sizeBytes, surroundings.rules),
    identifier,
    edited: own !== null,
    problem: problemOf(entry, surroundings),
    mayBeRefused: entry.status === 'mayBeRefused',
    changed: entry.status === 'changed',
  };
}

function problemOf(entry: SheetEntry, { separator, rules, claims }: Surroundings): PlanProblem | null {
  if (!isProblem(entry.status)) return null;
  if (entry.trouble !== null) return { code: entry.trouble };
  if (entry.size === 'tooLarge') {
    return { code: 'tooLarge', limitBytes: rules.maxObjectBytes ?? maxObjectBytes.possible };
  }
  const { identifier } = entry;
  const verdict = checkObjectId(identifier);
  if (!verdict.ok) return { code: 'badIdentifier', problem: verdict.problem };
  const asFileName = claims.ownerOf(identifier)?.file.fileName ?? '';
  for (let number = 2; ; number += 1) {
    const remedy = numberedIdentifier(identifier, separator, number);
    if (!claims.ownerOf(remedy)) return { code: 'sameIdentifier', asFileName, remedy };
  }
}
