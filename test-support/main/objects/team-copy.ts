import { writeFile } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { ObjectKind, ObjectQuery, ObjectState } from '../../../src/shared/domain/object.ts';
import { Statements } from '../../../src/main/database/statements.ts';
import { ObjectStore } from '../../../src/main/objects/object-store.ts';
import type {
  TeamCursor,
  TeamJoining,
  LeftArea,
  TeamPushAnswer,
  TeamRow,
} from '../../../src/main/objects/team/team-copy.ts';
import { changeAfterHead } from '../../../src/main/bulk-operations/check-objects.ts';
import type { Seen } from '../../../src/main/transfers/model/state.ts';
import type { ClaimWish } from '../../../src/main/transfers/model/store-types.ts';
import { makeFolder } from '../database/folder.ts';
import { newDownload, newUpload, origin, serviceId } from '../transfers/store/record-factory.ts';
import { openStores } from '../transfers/store/stores.ts';

/** A row that somebody else has stored. @param letter selects the bytes */
export function stored(incarnation: string, lengthBytes: number, letter = 'f'): Partial<TeamRow> {
  return { incarnation, lengthBytes, sha256: letter.repeat(64), storedAtMs: startMs, storedBy: 8 };
}

const tagOf = (rev: number) => `t${String(rev)}`;

/** The server's answer to a push whose last change got this number. */
export function accepted(rev: number, more: Partial<TeamPushAnswer> = {}): TeamPushAnswer {
  return { rev, tag: tagOf(rev), refused: [], kept: [], older: [], ...more };
}

export const startMs = 1_800_000_000_000;
const history = { action: 'uploaded' } as const;

export type OpenTeamCopy = Awaited<ReturnType<typeof openTeamCopy>>;
type Bytes = { lengthBytes: number; sha256: string; classification?: string };

/** The stores of one computer, in memory, with actions of a person and of transfers. Person 7 joins list 1. */
export async function openTeamCopy(nowMs = () => startMs, file?: DatabaseSync) {
  const held = await openStores([serviceId], nowMs, file);
  const { db } = held;
  const rows = new ObjectStore(new Statements(db));
  await held.stores.catalogue.setNaming(serviceId, { separator: '/', versionMark: '@{number}' });
  const service = rows.service(serviceId)?.number ?? 0;
  let lastRev = 0;

  const row = (identifier: string, kind: ObjectKind = 'data') => rows.find(service, kind, identifier);
  const idOf = (identifier: string, kind: ObjectKind = 'data') => row(identifier, kind)?.id ?? 0;
  const column = <T>(identifier: string, name: string) =>
    db.prepare(`SELECT ${name} AS found FROM object WHERE id = ?`).get(idOf(identifier))?.['found'] as T;

  function teamRow(given: Partial<TeamRow> & { identifier: string }): TeamRow {
    lastRev += 1;
    return {
      kind: 'data',
      rev: lastRev,
      area: 1,
      state: 'stored',
      seenMs: nowMs(),
      seenBy: 8,
      incarnation: null,
      lengthBytes: null,
      sha256: null,
      classification: null,
      sourceName: null,
      storedAtMs: null,
      storedBy: null,
      parts: null,
      note: '',
      renewBy: null,
      isForgotten: false,
      ...given,
    };
  }

  async function applyPage(
    page: readonly TeamRow[],
    leftArea: readonly LeftArea[] = [],
    cursor?: TeamCursor,
  ) {
    const reached = cursor ?? { epoch: 'e', rev: lastRev, tag: tagOf(lastRev) };
    await held.stores.team.apply(serviceId, { rows: page, leftArea, cursor: reached });
  }

  async function claim(queue: ClaimWish['queue'], id: number) {
    await held.stores.transfers.claim({ serviceId, queue, limit: 1, includesIdle: true, origin, ids: [id] });
  }

  async function beginUpload(identifier: string): Promise<{ id: number; cancel: () => Promise<void> }> {
    const [added] = await held.stores.transfers.enqueue(serviceId, [newUpload(identifier)]);
    const id = added?.id ?? 0;
    await claim('small', id);
    return {
      id,
      cancel: async () => {
        await held.stores.transfers.apply([
          { id, change: { state: { name: 'cancelled' } }, row: { kind: 'remove' } },
        ]);
      },
    };
  }

  const copy = {
    serviceId,
    get nowMs() {
      return nowMs();
    },
    db,
    row,
    teamRow,
    applyPage,
    get team() {
      return held.stores.team;
    },
    /** The identifiers that a search finds. */
    async find(search: string, sort: ObjectQuery['sort'] = { column: 'identifier', direction: 'ascending' }) {
      const query = { serviceId, kind: 'data', place: { kind: 'all' }, search, sort } as const;
      const { rows: found } = await held.stores.catalogue.page(query, 0, 100);
      return found.map(({ identifier }) => identifier);
    },
    get lastRev() {
      return lastRev;
    },
    historyOf: (identifier: string) => rows.history(idOf(identifier), -1),
    incarnationOf: (identifier: string) => column<string | null>(identifier, 'incarnation'),
    epochOf: (identifier: string) => column<number>(identifier, 'epoch'),
    sharedNames: () =>
      db
        .prepare('SELECT identifier FROM object WHERE team_rev IS NOT NULL ORDER BY identifier')
        .all()
        .map((each) => String(each['identifier'])),

    areClearing: () => db.prepare('SELECT 1 FROM team_clearing').get() !== undefined,

    /** What the server rejected, as bits of `dueBits`. */
    refusedBits: () =>
      new Map(
        db
          .prepare('SELECT identifier, bits FROM team_due WHERE refused IS NOT NULL')
          .all()
          .map((each) => [String(each['identifier']), Number(each['bits'])]),
      ),

    join: (joining: Partial<TeamJoining> = {}) =>
      held.stores.team.join(serviceId, { place: 'there', list: 1, me: 7, sharesEarlier: false, ...joining }),
    apply: (...given: (Partial<TeamRow> & { identifier: string })[]) =>
      applyPage(given.map((each) => teamRow(each))),

    /** @param presentMs by the server's clock */
    nextPush: (presentMs = Infinity) => held.stores.team.nextPush(serviceId, presentMs),

    /** Pushes everything that is due, as if the server had accepted it. */
    async tellAll(more: Partial<TeamPushAnswer> = {}) {
      for (;;) {
        const push = await held.stores.team.nextPush(serviceId, Infinity);
        if (push === null) return;
        lastRev += (JSON.parse(push.changes) as unknown[]).length;
        await held.stores.team.acknowledge(serviceId, push.seq, accepted(lastRev, more));
      }
    },

    /** A HEAD, which adds the object if it was not listed. */
    async look(identifier: string, lengthBytes: number, state: ObjectState = 'stored') {
      const patch = { state, lengthBytes, checkedAtMs: nowMs() };
      const { catalogue } = held.stores;
      const [added] = await catalogue.add(serviceId, [{ kind: 'data', identifier, patch }]);
      if (added?.added === false) await catalogue.update([{ id: added.record.id, patch }]);
    },
    /** Adds an object by its identifier, as a person does. */
    add: (identifier: string) =>
      held.stores.catalogue.add(serviceId, [{ kind: 'data', identifier, patch: {} }]),
    async removeService() {
      await held.stores.documents.delete('services', serviceId);
      await held.stores.catalogue.removeService(serviceId);
    },
    /** Records the result of a check. */
    async check(identifier: string, seen: Seen) {
      const before = row(identifier);
      if (before === null && seen.present) await copy.look(identifier, seen.lengthBytes ?? 0);
      const change = before && changeAfterHead(before, seen, nowMs());
      if (change) await held.stores.catalogue.update([change]);
    },
    async download(identifier: string, bytes: Bytes) {
      const { lengthBytes, sha256 } = bytes;
      const patch = { state: 'stored', lengthBytes, sha256, checkedAtMs: nowMs() } as const;
      await held.stores.catalogue.update([{ id: idOf(identifier), patch }]);
    },
    /** A HEAD without a length in the response. */
    lookOnly: (identifier: string) =>
      held.stores.catalogue.update([
        { id: idOf(identifier), patch: { state: 'stored', checkedAtMs: nowMs() } },
      ]),
    type: (identifier: string, note: string) =>
      held.stores.catalogue.update([{ id: idOf(identifier), patch: { note } }]),
    setRenewBy: (identifier: string, renewBy: string) =>
      held.stores.catalogue.update([{ id: idOf(identifier), patch: { renewBy } }]),
    remove: (identifier: string, removal?: string) =>
      held.stores.catalogue.remove([idOf(identifier)], removal),
    putBack: (removal: string) => held.stores.catalogue.putBack(removal),
    async addSecret(identifier: string) {
      const patch = { state: 'unknown', unverified: 4 } as const;
      await held.stores.catalogue.add(serviceId, [{ kind: 'secret', identifier, patch }]);
    },

    async upload(identifier: string, { classification, ...bytes }: Bytes) {
      const { id } = await beginUpload(identifier);
      const patch = {
        state: 'stored',
        ...bytes,
        sourceName: `${identifier}.txt`,
        storedAtMs: nowMs(),
        checkedAtMs: nowMs(),
      } as const;
      const row = {
        kind: 'stored',
        patch: { ...patch, classification: classification ?? null },
        history,
      } as const;
      const state = { name: 'done', outcome: null, savedPath: null } as const;
      await held.stores.transfers.apply([{ id, change: { state }, row }]);
    },
    /** Begins an upload with a row. @returns cancels it: nothing was stored */
    beginUpload: async (identifier: string) => (await beginUpload(identifier)).cancel,
    /** Begins a deletion. @returns ends it without an effect */
    async work(identifier: string) {
      const [added] = await held.stores.transfers.enqueue(serviceId, [
        { ...newDownload(identifier, idOf(identifier)), direction: 'delete', work: { kind: 'delete' } },
      ]);
      const id = added?.id ?? 0;
      await claim('delete', id);
      const row = { kind: 'deleted', state: null, history: { action: 'deleteFailed' } } as const;
      return async () => {
        await held.stores.transfers.apply([{ id, change: { state: { name: 'cancelled' } }, row }]);
      };
    },
    /** @returns whether the DELETE was sent */
    async delete(identifier: string): Promise<boolean> {
      const [added] = await held.stores.transfers.enqueue(serviceId, [
        { ...newDownload(identifier, idOf(identifier)), direction: 'delete', work: { kind: 'delete' } },
      ]);
      const id = added?.id ?? 0;
      await claim('delete', id);
      if (row(identifier)?.state !== 'deleting') return false;
      const gone = { kind: 'deleted', state: 'gone', history: { action: 'deleted' } } as const;
      const state = { name: 'done', outcome: null, savedPath: null } as const;
      await held.stores.transfers.apply([{ id, change: { state }, row: gone, atMs: nowMs() }]);
      return true;
    },
    async import(
      identifier: string,
      lengthBytes: number,
      sha256: string | null = null,
      sourceName: string | null = null,
      more: object = {},
    ) {
      await using folder = await makeFolder();
      const path = join(folder.path, 'list.jsonl');
      const lines = [
        { cofferCatalogue: 1 },
        { kind: 'data', identifier, state: 'stored', lengthBytes, sha256, sourceName, ...more },
      ];
      await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await held.stores.catalogue.importFrom(serviceId, path, identifier);
    },

    /** Like a start after a kill. */
    reopen: () => held.reopen(),
    close: () => held[Symbol.dispose](),
  };
  return copy;
}
