import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Output } from '../../../shared/contract.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { createRowWindow, type WindowPage } from '../../app/row-window.ts';

type TransferPage = WindowPage<Transfer> & Pick<Output<'transfers.page'>, 'counts' | 'summary'>;

/** There is one list of transfers; its window needs no query. */
const theList = 'transfers';

/** The part of the list that is shown, kept up to date. */
export function useTransferWindow() {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<typeof theList, TransferPage>(async (_, offset, limit) => {
      const page = await client.call('transfers.page', { offset, limit });
      return { ...page, revision: page.summary.revision };
    }),
  );
  useEffect(() => {
    const stop = client.on('transfers.changed', ({ revision }) => rows.changed(revision));
    rows.show(theList, 0, 30);
    return () => {
      stop();
      rows.close();
    };
  }, [client, rows]);
  const { page, error } = useStore(rows.store);
  const show = useCallback((from: number, to: number) => rows.show(theList, from, to), [rows]);
  return { page, error, show, retry: rows.retry };
}
