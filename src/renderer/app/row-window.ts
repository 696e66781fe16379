import { createStore, type StoreApi } from 'zustand/vanilla';
import { pageLimitMax } from '../../shared/domain/object.ts';
import type { AppError } from '../../shared/errors.ts';
import { asAppError } from './remote-store.ts';

/** A page of a long list that is stored in main. */
export type WindowPage<Row> = {
  revision: number;
  total: number;
  /** Index of `rows[0]` in the list. */
  offset: number;
  rows: readonly Row[];
};

/** The part of a list that is loaded: the visible rows and a margin, at most one page. */
export type RowWindowState<Query, Page> = {
  /** The query of `page`; null before the first answer. */
  query: Query | null;
  page: Page | null;
  /** Set if the last page could not be loaded; loading is retried for a while. */
  error: AppError | null;
};

export type RowWindow<Query, Page> = {
  store: StoreApi<RowWindowState<Query, Page>>;
  /** Requests the rows from `from` up to, not including, `to`, at most one page. Queries are compared by identity. */
  show: (query: Query, from: number, to: number) => void;
  /** Call when the list changed: reloads, at most about eight times a second. */
  changed: (revision: number) => void;
  retry: () => void;
  close: () => void;
};

const refreshEveryMs = 125;
const retryDelaysMs = [500, 1000, 2000, 4000];
const marginMin = 20;

export function rowAt<Row>(page: WindowPage<Row> | null, index: number): Row | undefined {
  return page?.rows[index - page.offset];
}

/**
 * Loads one page at a time. Meanwhile only the latest requested range is remembered; a new query does not wait, and
 * answers to the old one are dropped.
 */
export function createRowWindow<Query, Page extends WindowPage<unknown>>(
  askPage: (query: Query, offset: number, limit: number) => Promise<Page>,
): RowWindow<Query, Page> {
  const store = createStore<RowWindowState<Query, Page>>(() => ({ query: null, page: null, error: null }));
  let wanted: { query: Query; from: number; to: number } | null = null;
  let ticket = 0;
  let asking = false;
  let stale = false;
  let failures = 0;
  let shownRevision = -1;
  let newestRevision = -1;
  let askedAtMs = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function margin(): number {
    if (!wanted) return 0;
    const visible = wanted.to - wanted.from;
    return Math.min(Math.max(marginMin, visible), Math.floor((pageLimitMax - visible) / 2));
  }

  /** Loads ahead: false when less than half of the margin is left on one side. */
  function isCovered(): boolean {
    const { query, page } = store.getState();
    if (!wanted || !page || query !== wanted.query) return false;
    const ahead = Math.floor(margin() / 2);
    const from = Math.max(0, wanted.from - ahead);
    const to = Math.min(page.total, wanted.to + ahead);
    return from >= to || (from >= page.offset && to <= page.offset + page.rows.length);
  }

  function checkAgainIn(delayMs: number) {
    clearTimeout(timer);
    timer = setTimeout(advance, delayMs);
  }

  function advance() {
    if (!wanted || asking) return;
    const covered = isCovered();
    if (covered && !stale) return;
    const waitMs = covered ? askedAtMs + refreshEveryMs - performance.now() : 0;
    if (waitMs > 0) checkAgainIn(waitMs);
    else void ask(wanted.query);
  }

  async function ask(query: Query) {
    if (!wanted) return;
    clearTimeout(timer);
    const mine = ++ticket;
    const offset = Math.max(0, wanted.from - margin());
    const limit = Math.min(pageLimitMax, Math.max(1, wanted.to + margin() - offset));
    asking = true;
    stale = false;
    askedAtMs = performance.now();
    try {
      const page = await askPage(query, offset, limit);
      if (mine !== ticket) return;
      failures = 0;
      shownRevision = page.revision;
      stale = newestRevision > shownRevision;
      store.setState({ query, page, error: null });
      asking = false;
      advance();
    } catch (cause) {
      if (mine !== ticket) return;
      asking = false;
      store.setState({ error: asAppError(cause) });
      const delayMs = retryDelaysMs[failures++];
      stale = true;
      if (delayMs !== undefined) checkAgainIn(delayMs);
    }
  }

  return {
    store,
    show(query, from, to) {
      const isNew = wanted?.query !== query;
      wanted = { query, from, to: Math.min(to, from + pageLimitMax) };
      if (isNew) {
        failures = 0;
        void ask(query);
      } else if (failures === 0) advance();
    },
    changed(changedRevision) {
      newestRevision = Math.max(newestRevision, changedRevision);
      if (newestRevision <= shownRevision) return;
      stale = true;
      if (failures === 0) advance();
    },
    retry() {
      failures = 0;
      if (wanted) void ask(wanted.query);
    },
    close() {
      ticket++;
      clearTimeout(timer);
      wanted = null;
    },
  };
}
