import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { thumbnailSchema, type Thumbnail } from '../../shared/domain/preview.ts';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from '../local-files/fs.ts';
import { removeFile } from '../local-files/file-bytes.ts';
import type { Clock, SecretStore } from '../ports.ts';
import { createOpener, createSealer, headerBytes, keyBytes } from '../transfers/undo/sealed.ts';

/** The bytes of an object that a thumbnail shows. */
export interface Shown {
  readonly id: number;
  readonly sha256: string;
}

/** What the name of a file says of its thumbnail. */
interface KeptThumbnail {
  readonly name: string;
  readonly id: number;
  readonly isOf: (sha256: string | null) => boolean;
}

const sealedSchema = z.object({ sha256: z.string(), thumbnail: thumbnailSchema });

const nameOf = ({ id, sha256 }: Shown) => `${id}-${sha256.slice(0, 16)}`;

function parseName(name: string): KeptThumbnail | null {
  const [, id, digest] = /^(\d{1,16})-([0-9a-f]{16})$/.exec(name) ?? [];
  if (id === undefined || digest === undefined) return null;
  return {
    name,
    id: Number(id),
    isOf: (sha256) => sha256?.startsWith(digest) === true,
  };
}

/**
 * The key of all thumbnails, from the keychain; one that is lost is made anew. Unlike that of undo copies it guards nothing that cannot be made
 * again. Asks the keychain once: if that fails, nothing is kept until the next start.
 */
export function createThumbnailKey(keychain: SecretStore, installId: string): () => Promise<Uint8Array> {
  const account = `thumbnails/${installId}`;
  let held: Promise<Uint8Array> | null = null;

  async function load(): Promise<Uint8Array> {
    const found = await keychain.get(account);
    const key = found === null ? randomBytes(keyBytes) : Buffer.from(found, 'base64url');
    if (found === null) await keychain.set(account, key.toString('base64url'));
    return key;
  }
  return () => (held ??= load());
}

export type ThumbnailStore = ReturnType<typeof createThumbnailStore>;

/**
 * Thumbnails that outlive the session: derived data, of which any may go. Each is sealed in a file of its own, and bound to the row and the
 * digest of its object.
 * @param maxBytes of all files; those not shown for longest go first
 */
export function createThumbnailStore(deps: {
  folder: string;
  key: () => Promise<Uint8Array>;
  clock: Pick<Clock, 'nowMs'>;
  maxBytes?: number;
}) {
  const { folder, key, clock, maxBytes = 128 * 1024 * 1024 } = deps;
  const pathOf = (name: string) => join(folder, name);
  let opening: Promise<Map<string, number>> | null = null;

  /** Names and sizes, those not shown for longest first. */
  async function open(): Promise<Map<string, number>> {
    const names = await readdir(folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => ({ name, stats: await stat(pathOf(name)).catch(() => null) })),
    );
    const found = files.flatMap(({ name, stats }) => (stats === null ? [] : [{ name, stats }]));
    found.sort((one, other) => one.stats.mtimeMs - other.stats.mtimeMs);
    return new Map(found.map(({ name, stats }) => [name, stats.size]));
  }
  const known = () => (opening ??= open());

  async function remove(names: Iterable<string>): Promise<void> {
    const files = await known();
    for (const name of names) {
      files.delete(name);
      await removeFile(pathOf(name));
    }
  }

  /** null: damaged, or sealed with a lost key. */
  async function unseal(name: string): Promise<z.infer<typeof sealedSchema> | null> {
    const sealed = await readFile(pathOf(name)).catch(() => null);
    if (sealed === null) return null;
    const own = await key();
    try {
      const opener = createOpener(own, sealed.subarray(0, headerBytes));
      const plain = opener.open(sealed.subarray(headerBytes), true);
      return sealedSchema.parse(JSON.parse(plain.toString()));
    } catch {
      return null; // not ours to explain: it is made again
    }
  }

  return {
    /** The thumbnail of these bytes; null: none is kept. @throws AppFailure keychain */
    async read(shown: Shown): Promise<Thumbnail | null> {
      const files = await known();
      const name = nameOf(shown);
      const sizeBytes = files.get(name);
      if (sizeBytes === undefined) return null;
      const found = await unseal(name);
      if (found?.sha256 !== shown.sha256) {
        await remove([name]);
        return null;
      }
      files.delete(name);
      files.set(name, sizeBytes);
      const now = new Date(clock.nowMs());
      await utimes(pathOf(name), now, now).catch(() => undefined);
      return found.thumbnail;
    },

    /** Replaces any of the same object. @throws AppFailure keychain, what the disk throws */
    async keep(shown: Shown, thumbnail: Thumbnail): Promise<void> {
      const files = await known();
      const name = nameOf(shown);
      const sealer = createSealer(await key());
      const plain = Buffer.from(JSON.stringify({ sha256: shown.sha256, thumbnail }));
      const sealed = Buffer.concat([sealer.header, sealer.seal(plain, true)]);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(pathOf(name), sealed, { mode: 0o600 });
      await remove([...files.keys()].filter((other) => other !== name && parseName(other)?.id === shown.id));
      files.delete(name);
      files.set(name, sealed.length);
      let tooManyBytes = [...files.values()].reduce((sum, bytes) => sum + bytes, 0) - maxBytes;
      const old: string[] = [];
      for (const [oldest, sizeBytes] of files) {
        if (tooManyBytes <= 0) break;
        old.push(oldest);
        tooManyBytes -= sizeBytes;
      }
      await remove(old);
    },

    async has(shown: Shown): Promise<boolean> {
      return (await known()).has(nameOf(shown));
    },

    /** Removes those that no longer hold, and files with other names. @param areWanted for each, in the same order */
    async retain(areWanted: (kept: readonly KeptThumbnail[]) => Promise<readonly boolean[]>): Promise<void> {
      const names = [...(await known()).keys()];
      const parsed = names.map(parseName);
      await remove(names.filter((_name, index) => parsed[index] === null));
      const kept = parsed.filter((each) => each !== null);
      const wanted = await areWanted(kept);
      await remove(kept.filter((_each, index) => wanted[index] !== true).map(({ name }) => name));
    },
  };
}
