import type { ObjectPatch } from '../../shared/domain/object-changes.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';

/** Who shares the list with others. Called within the transaction of each change. */
export interface ListObserver {
  /** A transaction begins. */
  begin(): void;
  /** A person adds, sees or changes this row. */
  adopted(id: number): void;
  /** @param isStored a transfer has stored these bytes */
  changed(before: ObjectRecord | null, after: ObjectRecord, patch: ObjectPatch, isStored: boolean): void;
  /** Called before a person's removal of a row. */
  forgotten(record: ObjectRecord): void;
  /** Whether others have heard of rows of this list. */
  isShared(serviceId: string): boolean;
  /** The moments of `patch` that must be later than what was heard from others. */
  later(before: ObjectRecord, patch: ObjectPatch): ObjectPatch;
}

/** Nobody does. */
export const nobody: ListObserver = {
  begin: () => undefined,
  adopted: () => undefined,
  changed: () => undefined,
  forgotten: () => undefined,
  isShared: () => false,
  later: () => ({}),
};
