import type { SQLInputValue } from 'node:sqlite';
import { walkPage } from '../model/page-walk.ts';
import type { DockRow, DockSection, StoredBatch, TransferStore } from '../model/store-types.ts';
import { batchActionCodes, groupCodes } from './codes.ts';
import { orders, type createListed, type ListedQuery } from './listed.ts';
import { recordsOf } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** A stretch of a section whose length is known without reading it. */
interface Stretch {
  readonly length: number;
  /** From `from` up to, not including, `to`. */
  readonly read: (from: number, to: number) => DockRow[];
}
/** A row of a batch, and where it stands among the rows of its section. */
type Placed = readonly [batch: StoredBatch, rank: number];

const done = `t.grp = ${String(groupCodes.code('done'))}`;
const columns = `b.id, (SELECT service_id FROM service WHERE service.id = b.service), b.action, b.folder, b.created_at_ms, b.open,
  b.paused, b.asking, b.failed, b.done, b.cancelled, b.open_bytes, b.done_bytes, b.finished_at_ms`;
type Values = [
  id: number,
  serviceId: string,
  action: number,
  folder: string,
  createdAtMs: number,
  open: number,
  paused: number,
  asking: number,
  failed: number,
  done: number,
  cancelled: number,
  openBytes: number,
  doneBytes: number,
  finishedAtMs: number | null,
];

/** What waits, and what is done: transfers that stand alone among batches, each batch where the first or the last of it would stand. */
const sections = {
  waiting: {
    group: 'open',
    alone: 't.priority AS first, t.order_key AS second',
    index: 'transfer_alone_in_order',
    batches: `SELECT f.priority AS first, f.order_key AS second, b.id AS id, 1 AS is_batch FROM batch b
      CROSS JOIN transfer f ON f.id = (SELECT t.id FROM transfer t WHERE t.batch = b.id AND t.grp < 2
        ORDER BY t.priority, t.order_key LIMIT 1)`,
    isHere: 'b.open > 0',
    order: 'first, second, id',
    before: '<',
  },
  done: {
    group: 'done',
    alone: 'ifnull(t.finished_at_ms, 9007199254740991) AS first, 0 AS second',
    index: 'transfer_alone_newest',
    batches:
      'SELECT ifnull(b.finished_at_ms, 0) AS first, 0 AS second, b.id AS id, 1 AS is_batch FROM batch b',
    isHere: 'b.open = 0 AND b.done + b.cancelled > 0',
    order: 'first DESC, id DESC',
    before: '>',
  },
} as const;

/** The list of the dock, in which each batch is one row. */
export function createDockPage(table: TransferTable, listed: ReturnType<typeof createListed>) {
  function batchesWhere(condition: string, ...values: SQLInputValue[]): StoredBatch[] {
    const sql = `SELECT ${columns} FROM batch b WHERE ${condition}`;
    return table.rows<Values>(sql, ...values).map((found) => ({
      id: found[0],
      serviceId: found[1],
      action: batchActionCodes.word(found[2]),
      folder: found[3],
      createdAtMs: found[4],
      open: found[5],
      paused: found[6],
      asking: found[7],
      failed: found[8],
      done: found[9],
      cancelled: found[10],
      openBytes: found[11],
      doneBytes: found[12],
      finishedAtMs: found[13],
      next: found[5] > 0 ? (membersInOrder(found[0], 1, 0)[0] ?? null) : null,
    }));
  }

  /** @param except these stand elsewhere */
  function membersInOrder(batch: number, limit: number, offset: number, except: readonly number[] = []) {
    const isHere = except.length > 0 ? 't.id NOT IN (SELECT value FROM json_each(?)) AND' : '';
    const values = except.length > 0 ? [JSON.stringify(except)] : [];
    const condition = `t.batch = ? AND ${isHere} ${orders.waiting} LIMIT ? OFFSET ?`;
    return recordsOf(table.find(condition, batch, ...values, limit, offset));
  }

  function membersDone(batch: number, limit: number, offset: number) {
    const condition = `t.batch = ? AND ${done} AND ${orders.done} LIMIT ? OFFSET ?`;
    return recordsOf(table.find(condition, batch, limit, offset));
  }

  /** What stands below an opened batch: what needs an answer or has failed stands in its own group. */
  function membersOf({ id, open, done, cancelled }: StoredBatch, failing: readonly number[]): Stretch[] {
    const isOpen = 't.id IN (SELECT value FROM json_each(?)) AND t.batch = ? AND t.grp < 2';
    const elsewhere = failing.length > 0 ? table.ids(isOpen, JSON.stringify(failing), id) : [];
    return [
      {
        length: open - elsewhere.length,
        read: (from, to) => membersInOrder(id, to - from, from, elsewhere).map((transfer) => ({ transfer })),
      },
      {
        length: done + cancelled,
        read: (from, to) => membersDone(id, to - from, from).map((transfer) => ({ transfer })),
      },
    ];
  }

  function one(row: DockRow): Stretch {
    return { length: 1, read: (from, to) => (to > from ? [row] : []) };
  }

  /** Transfers that stand alone and batches, with what is below the opened ones. */
  function mixed(
    { group, alone, index, batches, isHere, order, before }: (typeof sections)['waiting' | 'done'],
    query: Omit<ListedQuery, 'group'>,
    moving: readonly number[],
    opened: readonly number[],
    failing: readonly number[],
  ): { entries: number; stretches: Stretch[] } {
    const single = listed({ ...query, group, isAlone: true });
    const here = `${isHere} AND b.id NOT IN (SELECT value FROM json_each(?))`;
    const [counted] = table.rows<[number]>(
      `SELECT count(*) FROM batch b WHERE ${here}`,
      JSON.stringify(moving),
    );
    const part = group === 'open' ? '' : 'AND t.grp >= 2';
    const all = `SELECT ${alone}, t.id AS id, 0 AS is_batch FROM transfer t INDEXED BY ${index} WHERE ${single.where} ${part}
      UNION ALL ${batches} WHERE ${here}`;
    const values = [...single.values, JSON.stringify(moving)];
    const entries = single.total + (counted?.[0] ?? 0);

    function rankOf(id: number): number {
      const found = table.rows<[number, number]>(
        `${batches} WHERE ${here} AND b.id = ?`,
        JSON.stringify(moving),
        id,
      );
      const [first = 0, second = 0] = found[0] ?? [];
      const sql = `SELECT count(*) FROM (${all}) WHERE (first, second, id) ${before} (?, ?, ?)`;
      return table.rows<[number]>(sql, ...values, first, second, id)[0]?.[0] ?? 0;
    }

    function read(from: number, to: number): DockRow[] {
      const sql = `${all} ORDER BY ${order} LIMIT ? OFFSET ?`;
      const found = table.rows<[number, number, number, number]>(sql, ...values, to - from, from);
      return found.flatMap(([, , id, isBatch]): DockRow[] => {
        if (isBatch === 1) return batchesWhere('b.id = ?', id).map((batch) => ({ batch }));
        const stored = table.get(id);
        return stored === null ? [] : [{ transfer: stored.record }];
      });
    }

    const isIn = `b.id IN (SELECT value FROM json_each(?)) AND ${here}`;
    const placed = batchesWhere(isIn, JSON.stringify(opened), JSON.stringify(moving))
      .map((batch): Placed => [batch, rankOf(batch.id)])
      .sort(([, a], [, b]) => a - b);
    const stretches: Stretch[] = [];
    let at = 0;
    for (const [batch, rank] of [...placed, [null, entries - 1] as const]) {
      const start = at;
      at = rank + 1;
      stretches.push({ length: at - start, read: (from, to) => read(start + from, start + to) });
      if (batch !== null) stretches.push(...membersOf(batch, failing));
    }
    return { entries, stretches };
  }

  return {
    async dockPage({ offset, limit, exceptIds, moving, givenUp, failing, opened, before, except }) {
      await table.counts.ready;
      const take = walkPage(offset, limit);
      const query = { tab: 'transfers', filter: '', exceptIds } as const;

      function section(inWork: number, entries: number, stretches: readonly Stretch[]): DockSection {
        take(inWork);
        const found: DockRow[] = [];
        let total = 0;
        for (const { length, read } of stretches) {
          const { from, to } = take(length);
          if (to > from) found.push(...read(from, to));
          total += length;
        }
        return { total, entries, rows: found };
      }

      const needsYou = listed({ ...query, group: 'needsYou', except: except.needsYou });
      const needing: Stretch = {
        length: needsYou.total,
        read: (from, to) => {
          const sql = `${needsYou.where} AND ${orders.needsYou} LIMIT ? OFFSET ?`;
          const records = recordsOf(table.find(sql, ...needsYou.values, to - from, from));
          return records.map((transfer) => ({ transfer }));
        },
      };
      const given = 'b.id IN (SELECT value FROM json_each(?)) ORDER BY b.id';
      const inWork = batchesWhere(given, JSON.stringify(moving));
      const over = batchesWhere(`${given} DESC`, JSON.stringify([...givenUp.keys()])).filter(
        ({ id, open }) => !moving.includes(id) && open <= (givenUp.get(id) ?? 0),
      );
      const shown = [...moving, ...over.map(({ id }) => id)];
      const waiting = mixed(sections.waiting, { ...query, except: except.waiting }, shown, opened, failing);
      const ended = mixed(sections.done, query, shown, opened, failing);
      const withMembers = (batch: StoredBatch) => [
        one({ batch }),
        ...(opened.includes(batch.id) ? membersOf(batch, failing) : []),
      ];
      return {
        needsYou: section(before.needsYou, needsYou.total, [needing]),
        moving: section(0, inWork.length, inWork.flatMap(withMembers)),
        waiting: section(before.waiting, waiting.entries, waiting.stretches),
        done: section(before.done, over.length + ended.entries, [
          ...over.flatMap(withMembers),
          ...ended.stretches,
        ]),
      };
    },

    async batch(id) {
      return batchesWhere('b.id = ?', id)[0] ?? null;
    },

    async doneOfBatch(id, limit) {
      return membersDone(id, limit, 0);
    },
  } satisfies Partial<TransferStore>;
}
