import type { Need } from '../model/active-transfer.ts';
import type { Limits } from './limits/limits.ts';
import type { RequestGate } from './request-gate.ts';

/** What a run may do besides sending requests. */
export interface Slot {
  /** Whether bytes may be moved. */
  isHeld(): boolean;
  /** Frees the slot for another file: the bytes were moved. */
  free(): void;
}

export type FileSize = 'large' | 'small';

/** The files that are being moved, over all services: at most the limit of files at once. */
export interface TransferSlots {
  /** Whether another file may begin, to the service with this gate. */
  fits(gate: RequestGate, need: Need & (FileSize | 'fetch')): boolean;
  /** Counts as a moving file until it is freed, then as a finishing one until `end`. */
  take(file: FileSize): Slot & { end(): void };
  /** Whether no file is being moved. */
  readonly areFree: () => boolean;
}

/** Limit of files whose bytes were moved and that still wait for HEAD or the disk: enough to share those waits. */
const maxFinishing = 128;

/** As far as the gate has to know before the first request. */
export const bodyBytesOf = (need: Need) => (need === 'large' ? Infinity : 0);

/** @param onFreed called when another may begin */
export function createTransferSlots(
  limits: Pick<Limits, 'transfersAtOnce'>,
  onFreed: () => void,
): TransferSlots {
  const moving = { all: 0, large: 0 };
  let finishing = 0;

  function fits(gate: RequestGate, need: Need): boolean {
    const most = limits.transfersAtOnce();
    if (moving.all >= most || finishing >= maxFinishing || !gate.hasRoom(bodyBytesOf(need))) return false;
    // One slot is reserved for small files, so that they do not wait behind large ones.
    return need !== 'large' || most === 1 || moving.large < most - 1;
  }

  return {
    fits,
    take(file) {
      let isHeld = true;
      moving.all += 1;
      if (file === 'large') moving.large += 1;
      const free = () => {
        if (!isHeld) return;
        isHeld = false;
        moving.all -= 1;
        if (file === 'large') moving.large -= 1;
        finishing += 1;
        onFreed();
      };
      return {
        isHeld: () => isHeld,
        free,
        end() {
          free();
          finishing -= 1;
        },
      };
    },
    areFree: () => moving.all === 0,
  };
}
