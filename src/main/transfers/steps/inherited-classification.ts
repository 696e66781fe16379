import { isClassificationKnown, type ObjectRecord, type ObjectState } from '../../../shared/domain/object.ts';
import { rowOf } from '../chunks/chunk-context.ts';
import { workOf, type Next, type WorkOf } from '../model/next.ts';
import type { StepContext } from './step.ts';

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

/** What the list knows of the newest of these rows. undefined: nothing; null: the service default */
export function classificationKnown(there: readonly ObjectRecord[]): string | null | undefined {
  return there.findLast((row) => !isNotStored.has(row.state) && isClassificationKnown(row))?.classification;
}

/** Whether the list knows the classification of what is stored there. An `unknown` row may be that of an upload which never arrived. */
export function isClassificationListed(row: ObjectRecord | undefined): boolean {
  return row !== undefined && wasStored(row) && isClassificationKnown(row);
}

function wasStored({ state, storedAtMs }: ObjectRecord): boolean {
  return !isNotStored.has(state) && (state !== 'unknown' || storedAtMs !== null);
}

/**
 * How an upload begins where nothing is under the identifier and the list has an object: somebody deleted it, or a Replace failed half-way. What
 * takes its place keeps its classification all the same, which is on the disk before anything is sent. null: there is nothing to keep.
 */
export async function beginInPlace(context: StepContext): Promise<Next | null> {
  const work = workOf(context, 'upload');
  // What may have arrived is sent again as it was. Of a row that was added for this upload nothing was known.
  if (work.mayBeThere || work.addedRow) return null;
  const row = (await rowOf(context))?.record;
  // Otherwise it may be that of an upload which never arrived.
  const wasThere = row !== undefined && (row.state !== 'unknown' || row.storedAtMs !== null);
  const classification = classificationOver(work, wasThere ? [row] : []);
  if (classification === work.classification) return null;
  return { state: { name: 'sending' }, change: { work: { ...work, classification } } };
}
