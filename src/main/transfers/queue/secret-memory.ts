import { type AppError } from '../../../shared/errors.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { failureOf, type TransferRecord } from '../model/record.ts';

/** Values of secrets, held in memory and never in records. */
export interface SecretMemory {
  /** The value to store, until the service has it. */
  valueOf(id: number): Uint8Array | null;
  /** Overwrites the value, which the service has. */
  forget(id: number): void;
  /** Hands a value that was read to its reader. */
  deliver(id: number, value: Uint8Array): void;
}

/** Values of secrets in transfer, by record. They are overwritten on arrival. */
export interface Secrets extends SecretMemory {
  readonly keep: (id: number, value: Uint8Array) => void;
  /** Resolves with the value that is read for this record; the caller must overwrite it. */
  readonly expect: (id: number) => Promise<Uint8Array>;
  /** Ids of records whose value is held or expected. */
  ids(): number[];
  /** The record ended: rejects the promise of a reader that still waits. */
  ended(record: TransferRecord): void;
  /** The reader no longer waits. */
  abandon(id: number): void;
  close(): void;
}

const cancelled = { code: 'cancelled' } as const;

export function createSecretMemory(): Secrets {
  const values = new Map<number, Uint8Array>();
  const readers = new Map<number, PromiseWithResolvers<Uint8Array>>();

  function forget(id: number): void {
    values.get(id)?.fill(0);
    values.delete(id);
  }

  function fail(id: number, error: AppError): void {
    forget(id);
    readers.get(id)?.reject(new AppFailure(error));
  }

  return {
    valueOf: (id) => values.get(id) ?? null,
    forget,
    keep: (id, value) => void values.set(id, value),
    expect(id) {
      const reader = Promise.withResolvers<Uint8Array>();
      readers.set(id, reader);
      const value = reader.promise.finally(() => readers.delete(id));
      // It may reject before anybody awaits it.
      value.catch(() => undefined);
      return value;
    },
    deliver(id, value) {
      const reader = readers.get(id);
      if (reader) reader.resolve(value);
      else value.fill(0);
    },
    ids: () => [...values.keys(), ...readers.keys()],
    ended: (record) => fail(record.id, failureOf(record) ?? cancelled),
    abandon: (id) => fail(id, cancelled),
    close() {
      for (const id of values.keys()) forget(id);
      for (const { reject } of readers.values()) reject(new AppFailure(cancelled));
    },
  };
}
