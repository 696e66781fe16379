import { randomBytes } from 'node:crypto';
import type { Replace } from '../../model/record.ts';
import type { StepContext } from '../step.ts';
import { workOf, type Next, type WorkOf } from '../../model/next.ts';

/** How often it was looked for in this phase, and whether it was not there. */
export type Looked = { readonly looks: number; readonly absences: number };

/** A step of a Replace in one of its phases. */
export type ReplaceStep = (context: StepContext, progress: Replace, looked: Looked) => Promise<Next>;

/** It may begin when nobody else is at the object. */
export function beginReplace(work: WorkOf<'upload'>): Next {
  const replace: Replace = {
    phase: 'begin',
    keeps: work.keeps ?? 'here',
    mine: null,
    old: null,
    staged: null,
    beside: null,
    isOut: false,
    deletions: 0,
    stores: 0,
    end: null,
  };
  return replacing({ ...work, replace });
}

/** The next phase, from its beginning. */
export function goTo(context: StepContext, progress: Replace, change: Partial<Replace>): Next {
  return replacing({ ...workOf(context, 'upload'), replace: { ...progress, ...change } });
}

/**
 * The object may be touched from here on, and that is on the disk first. Its row is of something that was there, and never goes
 * with this upload.
 */
export function goOut(context: StepContext, progress: Replace, phase: 'delete' | 'absent'): Next {
  const replace = { ...progress, phase, isOut: true };
  const work = { ...workOf(context, 'upload'), addedRow: false, replace };
  return { ...replacing(work), row: { kind: 'replacing' } };
}

function replacing(work: WorkOf<'upload'>): Next {
  return { state: { name: 'replacing', looks: 0, absences: 0 }, change: { work } };
}

/** The old bytes are kept: the new ones come to lie beside the object. */
export function goOnToStage(context: StepContext, progress: Replace, old: NonNullable<Replace['old']>): Next {
  const { mine } = progress;
  if (mine === null) throw new Error('a Replace has nothing to store');
  const staged = progress.staged ?? nameBeside(context.record.identifier, 'r', mine.sha256);
  return goTo(context, progress, { phase: 'stage', old, staged });
}

/** The same phase once more. */
export function lookAgain(looks: number, delayMs: number, absences = 0): Next {
  return { state: { name: 'replacing', looks, absences }, delayMs };
}

/** It goes no further; what it has put anywhere is taken away first. */
export function abandon(context: StepContext, progress: Replace, end: NonNullable<Replace['end']>): Next {
  return goTo(context, progress, { phase: 'abandon', end });
}

/**
 * Beside the object, and of this one try alone: a deletion of an earlier one that comes late never meets it.
 * @param mark r: what replaces it, o: what is replaced
 */
export function nameBeside(identifier: string, mark: 'r' | 'o', sha256: string): string {
  return `${identifier}~${mark}-${sha256.slice(0, 8)}${randomBytes(4).toString('hex')}`;
}
