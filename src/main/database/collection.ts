import type { z } from 'zod';
import { KeyedMutex } from '../lib/async.ts';
import type { Documents } from './documents.ts';

/** Called for a document that does not fit its schema; it stays in the database for a version that can read it. */
type OnBroken = (key: string, error: z.ZodError) => void;

/** All documents of a collection that fit its schema, by key. */
export async function readCollection<T>(
  documents: Pick<Documents, 'list'>,
  name: string,
  schema: z.ZodType<T>,
  onBroken: OnBroken = () => undefined,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (const { key, value } of await documents.list(name)) {
    const read = schema.safeParse(value);
    if (read.success) found.set(key, read.data);
    else onBroken(key, read.error);
  }
  return found;
}

/** Changes of one key run in order. A change is durable when its call resolves, and visible from then on. */
export interface Collection<T> {
  readonly get: (key: string) => T | undefined;
  readonly entries: () => [key: string, value: T][];
  readonly values: () => T[];
  readonly set: (key: string, value: T) => Promise<void>;
  /** When `change` throws, nothing is written and the call rejects with its error. */
  readonly update: (key: string, change: (value: T | undefined) => T) => Promise<void>;
  readonly delete: (key: string) => Promise<void>;
}

/**
 * The documents of one collection, in memory and in the database.
 *
 * @example
 * const notes = await openCollection(documents, 'notes', z.object({ text: z.string() }));
 * await notes.set('a', { text: 'one' });
 * await notes.update('a', (note) => ({ text: `${note?.text ?? ''}, two` }));
 * notes.get('a'); // { text: 'one, two' }
 */
export async function openCollection<T>(
  documents: Pick<Documents, 'list' | 'write'>,
  name: string,
  schema: z.ZodType<T>,
  onBroken?: OnBroken,
): Promise<Collection<T>> {
  const known = await readCollection(documents, name, schema, onBroken);
  const mutex = new KeyedMutex<string>();

  function write(key: string, change: (value: T | undefined) => T | undefined): Promise<void> {
    return mutex.runExclusive(key, async () => {
      const value = change(known.get(key));
      await documents.write(name, [{ key, value }]);
      if (value === undefined) known.delete(key);
      else known.set(key, value);
    });
  }

  return {
    get: (key) => known.get(key),
    entries: () => [...known],
    values: () => [...known.values()],
    set: (key, value) => write(key, () => value),
    update: write,
    delete: (key) => write(key, () => undefined),
  };
}

/**
 * One document by its schema; `initial` when none fits. A change is visible at once, and durable when its call
 * resolves.
 */
export async function openDocument<T>(
  documents: Pick<Documents, 'get' | 'put'>,
  [collection, key]: readonly [collection: string, key: string],
  schema: z.ZodType<T>,
  initial: T,
): Promise<{ get(): T; set(value: T): Promise<void> }> {
  let value = schema.safeParse(await documents.get(collection, key)).data ?? initial;
  return {
    get: () => value,
    set(next) {
      value = next;
      return documents.put(collection, key, next);
    },
  };
}
