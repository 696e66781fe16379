import type { Need } from '../model/active-transfer.ts';
import type { Limits } from './limits/limits.ts';
import type { Semaphore } from '../../lib/async.ts';

/** Sends one request of a record when its turn comes. @throws CircuitOpen, what `send` throws */
export type Request = <T>(send: () => Promise<T>, signal: AbortSignal, who: number) => Promise<T>;

/** What a run may do beside asking. */
export interface Slot {
  /** Bytes may move. */
  isHeld(): boolean;
  /** The bytes have moved: another's may. */
  free(): void;
  /** A second one beside it, and how to give it back; null: there is no room. */
  borrow(): (() => void) | null;
}

export type FileSize = 'large' | 'small';

/** Which files move, over all services: no more than the limit of files at once. */
export interface TransferSlots {
  /** Whether another may begin, to a service with this connection semaphore. */
  fits(connectionSemaphore: Semaphore, need: Need & (FileSize | 'fetch')): boolean;
  /** It is counted as a file that moves until it is freed, then as one that comes to its end. */
  take(connectionSemaphore: Semaphore, file: FileSize): Slot & { end(): void };
  /** None moves. */
  readonly areFree: () => boolean;
}

/** Files whose bytes have moved, and that still wait for HEAD or the disk: enough to share what they wait for. */
const maxFinishing = 128;

/** @param onFreed another may begin */
export function createTransferSlots(limits: Pick<Limits, 'filesAtOnce'>, onFreed: () => void): TransferSlots {
  const moving = { all: 0, large: 0 };
  let finishing = 0;

  function fits(connectionSemaphore: Semaphore, need: Need): boolean {
    const most = limits.filesAtOnce();
    if (moving.all >= most || finishing >= maxFinishing || !connectionSemaphore.isFree()) return false;
    // One slot is for small files, which do not wait behind large ones.
    return need !== 'large' || most === 1 || moving.large < most - 1;
  }

  const slots: TransferSlots = {
    fits,
    take(connectionSemaphore, file) {
      const leave = connectionSemaphore.take();
      let isHeld = true;
      moving.all += 1;
      if (file === 'large') moving.large += 1;
      const free = () => {
        if (!isHeld) return;
        isHeld = false;
        moving.all -= 1;
        if (file === 'large') moving.large -= 1;
        finishing += 1;
        leave();
        onFreed();
      };
      return {
        isHeld: () => isHeld,
        free,
        borrow() {
          if (!isHeld || !fits(connectionSemaphore, 'large')) return null;
          const other = slots.take(connectionSemaphore, 'large');
          return () => other.end();
        },
        end() {
          free();
          finishing -= 1;
        },
      };
    },
    areFree: () => moving.all === 0,
  };
  return slots;
}
