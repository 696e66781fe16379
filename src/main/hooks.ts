import { createWorkTally, type Background } from './background.ts';
import { Emitter } from './lib/emitter.ts';
import type { Started } from './lib/started.ts';
import { everyHour } from './lib/timers.ts';
import type { Clock, Log } from './ports.ts';
import type { OwnFolder } from './transfers/undo/unknown-files.ts';

type OfService<Result> = (serviceId: string) => Result;

/** What a feature takes part in. All that it adds here ends with the host, in reverse order. */
export interface Hooks {
  onClose(work: () => unknown): void;
  /** Before the rows of a service go, in reverse order too: a feature may rely on those before it. */
  onServiceRemoved(work: OfService<unknown>): void;
  /** Called under the service's lock, before its address changes or it is removed. May refuse that. @throws AppFailure */
  beforeServiceChange(check: (serviceId: string, what: 'move' | 'remove') => Promise<void>): void;
  /** @param unsavedOf identifiers of objects of a service whose newest content is only on this computer */
  addUnsaved(unsavedOf: OfService<readonly string[]>): void;
  /** Rows of a service may have changed: called no more often than `objects.changed` is sent. */
  onObjectsChanged(work: OfService<void>): void;
  /** The computer woke up, or the network is back. */
  onWake(work: () => void): void;
  /** The window got the focus. */
  onFocus(work: () => void): void;
  /** Removes what is no longer needed, as long as Coffer runs. */
  everyHour(trim: () => Promise<void>): void;
  /** Work besides transfers that goes on without the person. */
  readonly work: ReturnType<typeof createWorkTally>;
  /** Folders in the user data folder, to be checked for unknown files. */
  readonly ownFolders: OwnFolder[];
  readonly signals: Signals;
}

/** Reach what was added. */
export interface Signals {
  wake(): void;
  focused(): void;
  objectsChanged(serviceId: string): void;
  /** @throws AppFailure of the first check that refuses */
  requireChangeable(serviceId: string, what: 'move' | 'remove'): Promise<void>;
  unsavedOf(serviceId: string): string[];
  removeService(serviceId: string): Promise<void>;
}

export function createHooks(
  started: Started,
  { background, clock, log }: { background: Background; clock: Clock; log: Log },
): Hooks {
  const checks: Parameters<Hooks['beforeServiceChange']>[0][] = [];
  const unsaved: OfService<readonly string[]>[] = [];
  const removals: OfService<unknown>[] = [];
  const woken = new Emitter<[]>();
  const focused = new Emitter<[]>();
  const objectsChanged = new Emitter<[serviceId: string]>();
  const endingWithHost =
    <Args extends readonly unknown[]>({ event }: Emitter<Args>) =>
    (work: (...args: Args) => void) =>
      started.add(event(work));

  return {
    onClose: (work) => started.add(work),
    onServiceRemoved: (work) => void removals.unshift(work),
    beforeServiceChange: (check) => void checks.push(check),
    addUnsaved: (unsavedOf) => void unsaved.push(unsavedOf),
    onObjectsChanged: endingWithHost(objectsChanged),
    onWake: endingWithHost(woken),
    onFocus: endingWithHost(focused),
    everyHour(trim) {
      const failed = (cause: unknown) => log.error('what is kept was not trimmed', { cause });
      started.add(everyHour(clock, trim, failed).close);
    },
    work: createWorkTally(background),
    ownFolders: [],
    signals: {
      wake: woken.fire,
      focused: focused.fire,
      objectsChanged: objectsChanged.fire,
      async requireChangeable(serviceId, what) {
        for (const check of checks) await check(serviceId, what);
      },
      unsavedOf: (serviceId) => unsaved.flatMap((unsavedOf) => unsavedOf(serviceId)),
      async removeService(serviceId) {
        for (const work of removals) await work(serviceId);
      },
    },
  };
}
