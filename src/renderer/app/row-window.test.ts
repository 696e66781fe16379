import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Input, ObjectRow, Output } from '../../shared/contract.ts';
import { objectQuerySchema, type ObjectQuery } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { createRowWindow, rowAt } from './row-window.ts';

type Page = Output<'objects.page'>;
const million = 1_000_000;

function row(id: number): ObjectRow {
  return {
    id,
    serviceId: 'p',
    identifier: `object-${id}`,
    kind: 'data',
    state: 'stored',
    lengthBytes: id,
    sha256: null,
    classification: null,
    sourceName: null,
    storedAtMs: null,
    checkedAtMs: null,
    activityToken: null,
    note: '',
    transfer: null,
  };
}

function makeQuery(search = ''): ObjectQuery {
  return objectQuerySchema.parse({
    serviceId: 'p',
    kind: 'data',
    place: { kind: 'all' },
    search,
    sort: { column: 'stored', direction: 'descending' },
  });
}

/** A source that answers under the test's control, in any order. */
function setUp() {
  const asked: {
    input: Input<'objects.page'>;
    answer: (revision?: number, total?: number) => Promise<void>;
    fail: () => Promise<void>;
  }[] = [];
  const rows = createRowWindow<ObjectQuery, Page>((query, offset, limit) => {
    const input = { query, offset, limit };
    const { promise, resolve, reject } = Promise.withResolvers<Page>();
    asked.push({
      input,
      async answer(revision = 1, total = million) {
        const end = Math.min(total, input.offset + input.limit);
        const found = Array.from({ length: Math.max(0, end - input.offset) }, (_, at) =>
          row(input.offset + at + 1),
        );
        resolve({ revision, total, totalBytes: 0, offset: input.offset, rows: found });
        await vi.advanceTimersByTimeAsync(0);
      },
      async fail() {
        reject(new AppFailure({ code: 'unexpected', reference: 'r' }));
        await vi.advanceTimersByTimeAsync(0);
      },
    });
    return promise;
  });
  function last() {
    const request = asked.at(-1);
    if (!request) throw new Error('nothing was asked');
    return request;
  }
  return { rows, asked, last };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('row window', () => {
  it('loads the visible rows and a margin at any position', async () => {
    const { rows, last } = setUp();
    const query = makeQuery();
    for (const from of [0, 500_000, million - 25]) {
      rows.show(query, from, from + 25);
      await last().answer();
      const state = rows.store.getState();
      expect(rowAt(state.page, from)?.id).toBe(from + 1);
      expect(rowAt(state.page, from + 24)?.id).toBe(from + 25);
      expect(state.page?.rows.length).toBeLessThanOrEqual(75);
    }
  });

  it('asks once at a time while scrolling, and then for the latest place only', async () => {
    const { rows, asked, last } = setUp();
    const query = makeQuery();
    rows.show(query, 0, 25);
    for (let from = 1000; from < 50_000; from += 1000) rows.show(query, from, from + 25);
    expect(asked).toHaveLength(1);
    await last().answer();
    expect(asked).toHaveLength(2);
    expect(last().input.offset).toBe(49_000 - 25);
  });

  it('does not ask while there are rows ahead', async () => {
    const { rows, asked, last } = setUp();
    const query = makeQuery();
    rows.show(query, 0, 25);
    await last().answer();
    rows.show(query, 10, 35);
    expect(asked).toHaveLength(1);
    rows.show(query, 20, 45);
    expect(asked).toHaveLength(2);
  });

  it.each([100, 200, 338, 500, 900])('asks once when %d rows are visible', async (visible) => {
    const { rows, asked, last } = setUp();
    rows.show(makeQuery(), 5000, 5000 + visible);
    await last().answer();
    expect(asked).toHaveLength(1);
    const { page } = rows.store.getState();
    expect(rowAt(page, 5000)?.id).toBe(5001);
    expect(rowAt(page, 4999 + Math.min(visible, 500))?.id).toBe(5000 + Math.min(visible, 500));
  });

  it('drops the answer to an older query, even if it arrives last', async () => {
    const { rows, asked } = setUp();
    rows.show(makeQuery('a'), 0, 25);
    const newer = makeQuery('ab');
    rows.show(newer, 0, 25);
    await asked[1]?.answer(1, 3);
    await asked[0]?.answer(1, 900);
    expect(rows.store.getState()).toMatchObject({ query: newer, page: { total: 3 } });
  });

  it('reloads when the catalogue changes, at most eight times a second', async () => {
    const { rows, asked, last } = setUp();
    rows.show(makeQuery(), 0, 25);
    await last().answer(1);
    for (let revision = 2; revision < 102; revision++) {
      rows.changed(revision);
      await vi.advanceTimersByTimeAsync(10);
      if (asked.length > 1) await last().answer(revision);
    }
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.length).toBeLessThanOrEqual(10);
  });

  it('does not reload for a revision it already has', async () => {
    const { rows, asked, last } = setUp();
    rows.show(makeQuery(), 0, 25);
    await last().answer(7);
    rows.changed(7);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(1);
  });

  it('retries a failed page automatically, then waits for a request', async () => {
    const { rows, asked, last } = setUp();
    rows.show(makeQuery(), 0, 25);
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(asked).toHaveLength(attempt);
      await last().fail();
      expect(rows.store.getState().error).toEqual({ code: 'unexpected', reference: 'r' });
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(asked).toHaveLength(5);
    rows.retry();
    await last().answer();
    expect(rows.store.getState()).toMatchObject({ error: null, page: { total: million } });
  });
});
