import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Output } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { useClient } from '../../app/client.ts';
import { createRowWindow, type WindowPage } from '../../app/row-window.ts';

type JobPage = WindowPage<Job> & Pick<Output<'jobs.page'>, 'counts' | 'summary'>;

/** The part of the list that is shown, kept up to date. @param filter a part of the identifier */
export function useJobWindow(filter: string) {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<string, JobPage>(async (wanted, offset, limit) => {
      const page = await client.call('jobs.page', { offset, limit, filter: wanted });
      return { ...page, revision: page.summary.revision };
    }),
  );
  useEffect(() => {
    const stop = client.on('jobs.changed', ({ revision }) => rows.changed(revision));
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
