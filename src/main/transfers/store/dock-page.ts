import { walkPage } from '../model/batches.ts';
import type { DockRow, DockSection, StoredBatch } from '../model/store-queries.ts';
import type { TransferStore } from '../model/store-types.ts';
import { createBatches, firstOpen } from './batches.ts';
import type { BatchCounts } from './counts.ts';
import { orders, type createListed, type ListedQuery } from './listed.ts';
import type { BulkChanges } from './bulk-changes.ts';
import { recordsOf } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** A stretch of a section whose length is known without reading it. */
interface Stretch {
  readonly length: number;
  /** From `from` up to, not including, `to`. */
  readonly read: (from: number, to: number) => DockRow[];
}
/** A batch row, and its position among the rows of its section. */
type Placed = readonly [batch: StoredBatch, rank: number];

/**
 * Waiting and done: single transfers and batches, each batch in the place of its first open or last ended transfer.
 */
const sections = {
  waiting: {
    group: 'open',
    alone: 't.priority AS first, t.order_key AS second',
    index: 'transfer_alone_in_order',
    batches: `SELECT f.priority AS first, f.order_key AS second, b.id AS id, 1 AS is_batch FROM batch b
      CROSS JOIN transfer f ON f.id = (${firstOpen})`,
    isHere: ({ open }: BatchCounts) => open > 0,
    order: 'first, second, id',
    before: '<',
  },
  done: {
    group: 'done',
    alone: 'ifnull(t.finished_at_ms, 9007199254740991) AS first, 0 AS second',
    index: 'transfer_alone_newest',
    batches:
      'SELECT ifnull(b.finished_at_ms, 0) AS first, 0 AS second, b.id AS id, 1 AS is_batch FROM batch b',
    isHere: ({ open, done, cancelled }: BatchCounts) => open === 0 && done + cancelled > 0,
    order: 'first DESC, id DESC',
    before: '>',
  },
} as const;

/** The list of the dock, in which each batch is one row. */
export function createDockPage(
  table: TransferTable,
  bulkChanges: BulkChanges,
  listed: ReturnType<typeof createListed>,
) {
  const batches = createBatches(table);

  /** Rows below an expanded batch. Failed and asking transfers are not among them: they have a group of their own. */
  function membersOf({ id, open, listed: ended }: StoredBatch, failing: readonly number[]): Stretch[] {
    const elsewhere = batches.openAmong(failing, id);
    return [
      {
        length: open - elsewhere.length,
        read: (from, to) => batches.open(id, to - from, from, elsewhere).map((transfer) => ({ transfer })),
      },
      {
        // `ended` includes what a pending bulk change will cancel, which the query does not find yet.
        length: bulkChanges.arePending ? batches.countEnded(id) : ended,
        read: (from, to) => batches.ended(id, to - from, from).map((transfer) => ({ transfer })),
      },
    ];
  }

  function one(row: DockRow): Stretch {
    return { length: 1, read: (from, to) => (to > from ? [row] : []) };
  }

  /** Single transfers and batches, with the rows below expanded ones. @param elsewhere batches in another section */
  function mixed(
    { group, alone, index, batches: select, isHere, order, before }: (typeof sections)['waiting' | 'done'],
    query: Omit<ListedQuery, 'group'>,
    counted: ReadonlyMap<number, BatchCounts>,
    { elsewhere, opened, failing }: Record<'elsewhere' | 'opened' | 'failing', readonly number[]>,
  ): { entries: number; stretches: Stretch[] } {
    const single = listed({ ...query, group, isAlone: true });
    const here = [...counted].flatMap(([id, counts]) =>
      isHere(counts) && !elsewhere.includes(id) ? [id] : [],
    );
    const part = group === 'open' ? '' : 'AND t.grp >= 2';
    const ofThese = `${select} WHERE b.id IN (SELECT value FROM json_each(?))`;
    const all = `SELECT ${alone}, t.id AS id, 0 AS is_batch FROM transfer t INDEXED BY ${index} WHERE ${single.where} ${part}
      UNION ALL ${ofThese}`;
    const values = [...single.values, JSON.stringify(here)];
    const entries = single.total + here.length;

    function rankOf(id: number): number {
      const [[first, second] = [0, 0]] = table.rows<[number, number]>(ofThese, JSON.stringify([id]));
      const sql = `SELECT count(*) FROM (${all}) WHERE (first, second, id) ${before} (?, ?, ?)`;
      return table.rows<[number]>(sql, ...values, first, second, id)[0]?.[0] ?? 0;
    }

    function read(from: number, to: number): DockRow[] {
      const sql = `${all} ORDER BY ${order} LIMIT ? OFFSET ?`;
      const found = table.rows<[number, number, number, number]>(sql, ...values, to - from, from);
      const idsOf = (wanted: number) =>
        found.flatMap(([, , id, isBatch]) => (isBatch === wanted ? [id] : []));
      const isOne = 't.id IN (SELECT value FROM json_each(?))';
      const transfers = new Map(
        recordsOf(table.find(isOne, JSON.stringify(idsOf(0)))).map((transfer) => [transfer.id, { transfer }]),
      );
      const whole = new Map(batches.get(idsOf(1), counted).map((batch) => [batch.id, { batch }]));
      return found.flatMap(([, , id, isBatch]) => (isBatch === 1 ? whole : transfers).get(id) ?? []);
    }

    const placed = batches
      .get(
        opened.filter((id) => here.includes(id)),
        counted,
      )
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
      const counted = table.counts.ofBatches();
      const inWork = batches.get(moving, counted);
      const over = batches
        .get([...givenUp.keys()], counted)
        .filter(({ id, open }) => !moving.includes(id) && open <= (givenUp.get(id) ?? 0))
        .reverse();
      const elsewhere = [...moving, ...over.map(({ id }) => id)];
      const shown = { elsewhere, opened, failing };
      const waiting = mixed(sections.waiting, { ...query, except: except.waiting }, counted, shown);
      const ended = mixed(sections.done, query, counted, shown);
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
      await table.counts.ready;
      return batches.get([id])[0] ?? null;
    },

    async doneOfBatch(id, limit) {
      return batches.ended(id, limit, 0);
    },
  } satisfies Partial<TransferStore>;
}
