import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Draft, DraftEntry } from '../../../shared/domain/upload-draft.ts';
import { useClient } from '../../app/client.ts';
import { createRowWindow, type WindowPage } from '../../app/row-window.ts';
import { takeDraft } from './upload-store.ts';

type DraftPage = WindowPage<DraftEntry> & { draft: Draft };

/** The part of the sheet's files that is shown, kept up to date. */
export function useDraftWindow({ id: draftId, revision }: Draft) {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<string, DraftPage>(async (id, offset, limit) => {
      const { draft, total, entries, ...page } = await client.call('drafts.page', { id, offset, limit });
      takeDraft(draft);
      return { ...page, draft, total, revision: draft.revision, rows: entries };
    }),
  );
  useEffect(() => {
    rows.show(draftId, 0, 20);
    return rows.close;
  }, [rows, draftId]);
  useEffect(() => client.on('drafts.changed', takeDraft), [client]);
  useEffect(() => rows.changed(revision), [rows, revision]);
  const { page, error } = useStore(rows.store);
  const show = useCallback((from: number, to: number) => rows.show(draftId, from, to), [rows, draftId]);
  return { page, error, show, retry: rows.retry };
}
