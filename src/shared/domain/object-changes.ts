import type { HistoryEntry, ObjectRecord } from './object.ts';

/** A new history entry; the list adds the time. */
export type HistoryNote = Pick<HistoryEntry, 'action'> &
  Partial<Pick<HistoryEntry, 'detail' | 'activityToken'>> & {
    /** No person did it in the window, so that it is no use of the object. */
    readonly isByItself?: true;
  };

export type ObjectPatch = Partial<
  Pick<
    ObjectRecord,
    | 'state'
    | 'lengthBytes'
    | 'sha256'
    | 'claimed'
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

/** A row of a base (number 1) or of one of its versions. */
export interface ListedVersion {
  readonly number: number;
  readonly record: ObjectRecord;
}
