import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createOpener, headerBytes, sealedPieceBytes } from '../../../src/main/transfers/undo/sealed.ts';
import type { Replace } from '../../../src/main/transfers/model/replace.ts';
import { testKey } from './undo-copies.ts';
import type { CuttableFiles } from './power-cut.ts';

/** A snapshot of the objects at a service. */
interface SeenService {
  readonly origin: string;
  readonly versions: ReadonlyMap<string, unknown>;
  peek(identifier: string): Uint8Array | undefined;
}

interface Row {
  readonly id: number;
  readonly identifier: string;
  readonly origin: string;
  readonly replace: Replace;
}

/**
 * Checks the two promises of Replace after every request and every durable write: the service always has a whole version, and
 * every version is either at the service or synced on this disk.
 */
export function createReplaceWatch(deps: {
  db: DatabaseSync;
  services: readonly SeenService[];
  vaultFolder: string;
  files: Pick<CuttableFiles, 'isDurable'>;
}) {
  const { db, services, vaultFolder, files } = deps;
  const select = db.prepare(
    `SELECT t.id, t.identifier, t.body, (SELECT address FROM origin o WHERE o.id = t.origin) AS origin
     FROM transfer t WHERE t.direction = 0 AND t.body LIKE '%"replace":{%'`,
  );
  const countChanges = db.prepare('SELECT total_changes() AS count');
  /** The rows, cached by the database's change count: most checks follow requests, which do not change it. */
  let read: { changes: unknown; rows: Row[] } | null = null;
  /** Cached digests; these files are written only once. */
  const digests = new Map<string, string>();

  function digestOfFile(name: string): string {
    const known = digests.get(name);
    if (known !== undefined) return known;
    const bytes = readFileSync(join(vaultFolder, name));
    const opener = createOpener(testKey, bytes.subarray(0, headerBytes));
    const hash = createHash('sha256');
    const sealed = bytes.subarray(headerBytes);
    const last = Math.max(Math.ceil(sealed.length / sealedPieceBytes) - 1, 0);
    for (let index = 0; index <= last; index += 1)
      hash.update(
        opener.open(
          sealed.subarray(index * sealedPieceBytes, (index + 1) * sealedPieceBytes),
          index === last,
        ),
      );
    const digest = hash.digest('hex');
    digests.set(name, digest);
    return digest;
  }

  function isKeptHere({ file, sha256 }: NonNullable<Replace['mine']>): boolean {
    return file !== null && files.isDurable(file) && digestOfFile(file) === sha256;
  }

  function isOnService(service: SeenService, sha256: string): boolean {
    for (const identifier of service.versions.keys()) {
      const bytes = service.peek(identifier);
      if (bytes && createHash('sha256').update(bytes).digest('hex') === sha256) return true;
    }
    return false;
  }

  function checkAt({ id, identifier, origin, replace }: Row): void {
    const { phase, mine, old, staged, isOut } = replace;
    const service = services.find((each) => each.origin === origin);
    if (!isOut || !service || phase === 'abandon') return;
    const where = `${identifier} of ${id} in ${phase}`;
    // Verified under its own name with its own bytes: later changes by strangers do not matter.
    if (phase === 'unstage' && old?.sha256 === mine?.sha256) return;
    assert.ok(
      old === null || isKeptHere(old) || isOnService(service, old.sha256),
      `the old ${where} is lost`,
    );
    // Verified and reported as stored: later changes by strangers do not matter.
    if (phase === 'unstage') return;
    assert.ok(mine && (isKeptHere(mine) || isOnService(service, mine.sha256)), `the new ${where} is lost`);
    const isThere = service.peek(identifier) ?? (staged !== null && service.peek(staged));
    assert.ok(isThere, `nothing of ${where} is on the service`);
  }

  /** Every Replace that is in progress or failed half-way. */
  function rows(): Row[] {
    const changes = countChanges.get()?.['count'];
    if (read === null || read.changes !== changes) read = { changes, rows: readRows() };
    return read.rows;
  }

  function readRows(): Row[] {
    return (select.all() as Record<string, unknown>[]).map(({ id, identifier, origin, body }) => {
      const { work } = JSON.parse(String(body)) as { work: { replace: Replace } };
      const { replace } = work;
      return { id: Number(id), identifier: String(identifier), origin: String(origin), replace };
    });
  }

  return {
    rows,
    look(): void {
      for (const row of rows()) checkAt(row);
    },
    /** The bodies of all these records, as stored. */
    describe: () => (select.all() as Record<string, unknown>[]).map(({ body }) => String(body)),
  };
}
