import { isHearsay } from '../../../shared/domain/unverified.ts';
import { isClassificationKnown, type ObjectRecord, type ObjectState } from '../../../shared/domain/object.ts';
import { rowOf, type StepContext } from '../parts/step-context.ts';
import { workOf, type Next, type WorkOf } from '../model/next.ts';

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
  return classificationKnown(there) ?? classification;
}

/**
 * What the list knows of the newest of these rows; hearsay only where nothing else is known, as it could lower the protection. undefined:
 * nothing; null: the service default
 */
export function classificationKnown(there: readonly ObjectRecord[]): string | null | undefined {
  const known = there.filter((row) => !isNotStored.has(row.state) && isClassificationKnown(row));
  return (known.findLast((row) => !isHearsay(row)) ?? known.at(-1))?.classification;
}

/** Whether the list knows the classification of what is stored there. An `unknown` row may be that of an upload which never arrived. */
export function isClassificationListed(row: ObjectRecord | undefined): boolean {
  return row !== undefined && wasStored(row) && isClassificationKnown(row);
}

function wasStored({ state, storedAtMs }: ObjectRecord): boolean {
  return !isNotStored.has(state) && (state !== 'unknown' || storedAtMs !== null);
}

/**
 * Begins an upload where the list has an object but the service does not: somebody deleted it, or a Replace failed
 * half-way. The upload keeps the object's classification, which is on the disk before anything is sent. null: there
 * is nothing to keep.
 */
export async function beginInPlace(context: StepContext): Promise<Next | null> {
  const work = workOf(context, 'upload');
  const row = (await rowOf(context))?.record;
  // Otherwise the row may describe an upload that never arrived.
  const wasThere = row !== undefined && (row.state !== 'unknown' || row.storedAtMs !== null);
  const classification = classificationOver(work, wasThere ? [row] : []);
  if (classification === work.classification) return null;
  return { state: { name: 'sending' }, change: { work: { ...work, classification } } };
}
