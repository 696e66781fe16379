import { isClassificationKnown, type ObjectRecord, type ObjectState } from '../../../shared/domain/object.ts';
import type { WorkOf } from '../model/next.ts';

/** In these states the row describes what an upload was to store, or what no longer exists. */
const isNotStored = new Set<ObjectState>(['uploading', 'failed', 'gone']);

/**
 * The classification of an upload that replaces an object or continues it as a version. Unless a person chose one, it
 * keeps that of the existing object, where the list knows it: a Replace or a new version must not drop it unnoticed.
 * @param there rows of what it replaces, or of the versions before it; the newest last
 */
export function classificationOver(
  {
    classification,
    classificationChosen,
    kept,
  }: Pick<WorkOf<'upload'>, 'classification' | 'classificationChosen' | 'kept'>,
  there: readonly ObjectRecord[],
): string | null {
  // An undo copy is restored with its own.
  if (classificationChosen || kept) return classification;
  const known = there.findLast((row) => !isNotStored.has(row.state) && isClassificationKnown(row));
  return known?.classification ?? classification;
}
