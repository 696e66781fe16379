import type { BatchAction } from '../../../shared/domain/transfer-summary.ts';
import type { EngineDirection, Route } from '../model/record.ts';
import type { StateName } from '../model/state.ts';
import type { QueueKind } from '../model/store-types.ts';
import type { StoredGroup } from '../model/store-queries.ts';
import type { Tab, Priority } from '../../../shared/domain/transfer.ts';

/** Database codes of words: the index in an append-only list. */
export interface Codes<T extends string> {
  readonly words: readonly T[];
  code(word: T): number;
  word(code: number): T;
}

function makeCodes<T extends string>(words: readonly T[]): Codes<T> {
  return {
    words,
    code: (word) => words.indexOf(word),
    word(code) {
      const word = words[code];
      if (word === undefined) throw new Error(`There is no code ${String(code)} of ${words.join()}`);
      return word;
    },
  };
}

export const stateCodes = makeCodes<StateName>([
  'waiting',
  'asking',
  'sending',
  'unsure',
  'verifying',
  'processing',
  'completed',
  'receiving',
  'publishing',
  'deleting',
  'done',
  'failed',
  'lost',
  'cancelled',
  'numbering',
  'replacing',
]);
export const routeCodes = makeCodes<Route>(['direct', 'deferred']);
export const directionCodes = makeCodes<EngineDirection>(['upload', 'download', 'delete']);
/** In starting order. */
export const priorityCodes = makeCodes<Priority>(['now', 'normal', 'whenIdle']);
export const queueCodes = makeCodes<QueueKind>(['large', 'small', 'start', 'delete']);
export const tabCodes = makeCodes<Tab | 'none'>(['transfers', 'jobs', 'none']);
/** The first two are listed in starting order, the others newest first. */
export const groupCodes = makeCodes<StoredGroup>(['waiting', 'running', 'needsYou', 'done']);

/** For unfinished records that are not in work: ready to be claimed, or what they wait for. */
export const turnCodes = makeCodes<'ready' | 'retry' | 'paused' | 'answer'>([
  'ready',
  'retry',
  'paused',
  'answer',
]);
/** What started the transfers of a batch. */
export const batchActionCodes = makeCodes<BatchAction>(['upload', 'download', 'reclassify', 'move']);
/** Bulk actions, stored until they were applied to every record; a priority is one, too. */
export const bulkActionCodes = makeCodes<'cancel' | 'pause' | 'resume' | 'retry' | Priority>([
  'cancel',
  'pause',
  'resume',
  'retry',
  'now',
  'normal',
  'whenIdle',
]);
