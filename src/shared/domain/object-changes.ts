import type { HistoryEntry, ObjectRecord } from './object.ts';

/** A new history entry; the list adds the time. */
export type HistoryNote = Pick<HistoryEntry, 'action'> &
  Partial<Pick<HistoryEntry, 'detail' | 'activityToken'>> & {
    /** Not done by a person in the window, so not a use of the object. */
    readonly isByItself?: true;
  };

export type ObjectPatch = Partial<
  Pick<
    ObjectRecord,
    | 'state'
    | 'lengthBytes'
    | 'sha256'
    | 'unverified'
    | 'classification'
    | 'sourceName'
    | 'storedAtMs'
    | 'checkedAtMs'
    | 'activityToken'
    | 'note'
    | 'parts'
    | 'renewBy'
    | 'movedTo'
  >
>;

/** A base (number 1) or one of its versions, as a row of the list. */
export interface ListedVersion {
  readonly number: number;
  readonly record: ObjectRecord;
}
