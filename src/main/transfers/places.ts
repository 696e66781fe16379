import { untilAborted } from './files/until-aborted.ts';

/** How many requests of one service are under way, files and others together: each may take a connection. */
export interface Places {
  hasRoom(): boolean;
  /** For a file, which has asked whether there is room. @returns how to give it back, once */
  take(): () => void;
  /** Waits for its turn, which comes before that of the next file. Rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<() => void>;
}

/** @param most now */
export function createPlaces(most: () => number): Places {
  let taken = 0;
  const waiting = new Set<() => void>();

  function take(): () => void {
    taken += 1;
    return () => {
      taken -= 1;
      for (const go of waiting) {
        if (taken >= most()) return;
        waiting.delete(go);
        go();
      }
    };
  }

  return {
    hasRoom: () => taken < most() && waiting.size === 0,
    take,
    async wait(signal) {
      signal.throwIfAborted();
      if (taken < most()) return take();
      const turn = Promise.withResolvers<() => void>();
      const go = () => turn.resolve(take());
      waiting.add(go);
      try {
        return await untilAborted(turn.promise, signal);
      } catch (cause) {
        // Its turn may have come at the same moment.
        if (!waiting.delete(go)) (await turn.promise)();
        throw cause;
      }
    },
  };
}
