import type { ObjectRecord, ObjectState } from '../../../shared/domain/object.ts';
import type { WorkOf } from '../model/next.ts';

/** The row says what an upload was to store there, or what is not there any more. */
const isNotStored = new Set<ObjectState>(['uploading', 'failed', 'gone']);

/**
 * The classification that an upload gets in place of what is there, or as its next version. Unless a person chose one, that of what is
 * there is kept, where the list knows it: a Replace or a new version must not take it away unnoticed.
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
  // What was replaced comes back with its own.
  if (classificationChosen || kept) return classification;
  const known = there.findLast(
    (row) => !isNotStored.has(row.state) && (row.classification !== null || row.storedAtMs !== null),
  );
  return known?.classification ?? classification;
}
