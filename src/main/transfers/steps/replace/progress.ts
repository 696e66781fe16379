import { randomBytes } from 'node:crypto';
import type { StepContext } from '../../parts/step-context.ts';
import { newReplace, type Replace } from '../../model/replace.ts';
import { workOf, type Next, type WorkOf } from '../../model/next.ts';

/** How often this phase has looked, and how often the object was absent. */
export type Checks = { readonly looks: number; readonly absences: number };

export type ReplaceStep = (context: StepContext, progress: Replace, checked: Checks) => Promise<Next>;

/** A Replace may begin when no other transfer works on the object. */
export function beginReplace(work: WorkOf<'upload'>): Next {
  return replacing({ ...work, replace: newReplace(work.keeps ?? 'here') });
}

/** Enters the next phase. */
export function goTo(context: StepContext, progress: Replace, change: Partial<Replace>): Next {
  return replacing({ ...workOf(context, 'upload'), replace: { ...progress, ...change } });
}

/**
 * From here on the object may be touched, and the record on the disk says so first. Its row describes something that
 * existed, so it is never removed with this upload.
 */
export function goOut(context: StepContext, progress: Replace, phase: 'delete' | 'absent'): Next {
  const replace = { ...progress, phase, isOut: true };
  const work = { ...workOf(context, 'upload'), addedRow: false, replace };
  return { ...replacing(work), row: { kind: 'replacing' } };
}

function replacing(work: WorkOf<'upload'>): Next {
  return { state: { name: 'replacing', looks: 0, absences: 0 }, change: { work } };
}

/** The old bytes are kept: stages the new ones beside the object. */
export function goOnToStage(context: StepContext, progress: Replace, old: NonNullable<Replace['old']>): Next {
  const { mine } = progress;
  if (mine === null) throw new Error('a Replace has nothing to store');
  const staged = progress.staged ?? nameBeside(context.record.identifier, 'r', mine.sha256);
  return goTo(context, progress, { phase: 'stage', old, staged });
}

/** Repeats the same phase. */
export function checkAgain(looks: number, delayMs: number, absences = 0): Next {
  return { state: { name: 'replacing', looks, absences }, delayMs };
}

/** Gives up, after removing what it has put anywhere. */
export function abandon(context: StepContext, progress: Replace, end: NonNullable<Replace['end']>): Next {
  return goTo(context, progress, { phase: 'abandon', end });
}

/**
 * A name beside the object, unique to this try: a late deletion of an earlier one never hits it.
 * @param mark r: the replacement, o: the old object
 */
export function nameBeside(identifier: string, mark: 'r' | 'o', sha256: string): string {
  return `${identifier}~${mark}-${sha256.slice(0, 8)}${randomBytes(4).toString('hex')}`;
}

/** The object's own bytes are stored again, with another classification. */
export function isReclassification(context: StepContext): boolean {
  return workOf(context, 'upload').reclassifies === true;
}
