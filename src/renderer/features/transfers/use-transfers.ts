import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Output } from '../../../shared/contract.ts';
import type { Tab, Transfer } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { createRowWindow, type WindowPage } from '../../app/row-window.ts';

export type TransferPage = WindowPage<Transfer> & Pick<Output<'transfers.page'>, 'counts' | 'summary'>;

/** The visible part of a tab's list, kept up to date. @param filter a substring of the identifier, '' for all */
export function useTransferWindow(tab: Tab, filter: string) {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<string, TransferPage>(async (wanted, offset, limit) => {
      const page = await client.call('transfers.page', { tab, offset, limit, filter: wanted });
      return { ...page, revision: page.summary.revision };
    }),
  );
  useEffect(() => {
    const stop = client.on('transfers.changed', ({ revision }) => rows.changed(revision));
    return () => {
      stop();
      rows.close();
    };
  }, [client, rows]);
  useEffect(() => rows.show(filter, 0, 30), [rows, filter]);
  const { page, error } = useStore(rows.store);
  const show = useCallback((from: number, to: number) => rows.show(filter, from, to), [rows, filter]);
  return { page, error, show, retry: rows.retry };
}
