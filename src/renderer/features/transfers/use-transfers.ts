import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Output } from '../../../shared/contract.ts';
import { openedMax, type Batch } from '../../../shared/domain/transfer-summary.ts';
import type { Priority, Tab, Transfer } from '../../../shared/domain/transfer.ts';
import { useClient, type Client } from '../../app/client.ts';
import { useExpandedGroups } from '../../app/dock-list/list-layout.ts';
import { createRowWindow, type WindowPage } from '../../app/row-window.ts';

/** A batch as a row of the list. Its id is negative, to differ from those of transfers. */
export type BatchRow = {
  id: number;
  identifier: string;
  priority: Priority;
  first: number | undefined;
  batch: Batch;
};
export type Row = Transfer | BatchRow;

export function isBatchRow(row: Row): row is BatchRow {
  return typeof row.batch === 'object';
}

export type TransferPage = WindowPage<Row> &
  Pick<Output<'transfers.dock'>, 'counts' | 'entries' | 'verifying' | 'summary'>;

/** Prefix of the keys of expanded batches in the dock. */
const foldPrefix = 'batch ';

export function foldOfBatch(id: number): string {
  return `${foldPrefix}${String(id)}`;
}

/** Ids of the expanded batches, as a string to be stable across renders. */
export function useOpened(): string {
  return useExpandedGroups((unfolded) =>
    [...unfolded.keys()]
      .filter((name) => name.startsWith(foldPrefix))
      .map((name) => name.slice(foldPrefix.length))
      .slice(-openedMax)
      .join(' '),
  );
}

/** Without a filter, a batch of direct transfers is one row; each deferred request has its own. */
async function askPage(
  client: Client,
  tab: Tab,
  asked: { filter: string; opened: string },
  offset: number,
  limit: number,
): Promise<TransferPage> {
  const { filter, opened } = asked;
  if (tab === 'transfers' && filter === '') {
    const ids = opened === '' ? [] : opened.split(' ').map(Number);
    const page = await client.call('transfers.dock', { offset, limit, opened: ids });
    const rows = page.rows.map((row) => ('batch' in row ? rowOf(row.batch) : row.transfer));
    return { ...page, rows, revision: page.summary.revision };
  }
  const page = await client.call('transfers.page', { tab, offset, limit, filter });
  const { counts, summary } = page;
  const verifying = tab === 'transfers' ? summary.verifying : 0;
  return { ...page, entries: counts, verifying, revision: summary.revision };
}

function rowOf(batch: Batch): BatchRow {
  const { id, folder, next } = batch;
  return { id: -id, identifier: folder, priority: next?.priority ?? 'normal', first: next?.id, batch };
}

/** The visible part of a tab's list, kept up to date. @param filter a substring of the identifier, '' for all */
export function useTransferWindow(tab: Tab, filter: string) {
  const client = useClient();
  const opened = useOpened();
  const query = JSON.stringify({ filter, opened: tab === 'transfers' ? opened : '' });
  const ask = useCallback(
    (wanted: string, offset: number, limit: number) =>
      askPage(client, tab, JSON.parse(wanted) as { filter: string; opened: string }, offset, limit),
    [client, tab],
  );
  const [rows] = useState(() => createRowWindow<string, TransferPage>(ask));
  useEffect(() => {
    const stop = client.on('transfers.changed', ({ revision }) => rows.changed(revision));
    return () => {
      stop();
      rows.close();
    };
  }, [client, rows]);
  const { page, error } = useStore(rows.store);
  // Reload the visible range when a batch is expanded or collapsed.
  const shown = useRef({ from: 0, to: 30 });
  const show = useCallback(
    (from: number, to: number) => {
      shown.current = { from, to };
      rows.show(query, from, to);
    },
    [rows, query],
  );
  useEffect(() => show(shown.current.from, shown.current.to), [show]);
  const askRows = useCallback(
    async (offset: number, limit: number) => (await ask(query, offset, limit)).rows,
    [ask, query],
  );
  return { page, error, show, askRows, retry: rows.retry };
}
