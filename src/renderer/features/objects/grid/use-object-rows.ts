import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Output } from '../../../../shared/contract.ts';
import { type FolderRow, type ObjectQuery, searchLengthMax } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { sortOf, usePlace } from '../../../app/place.ts';
import { useSettings } from '../../../app/stores.ts';
import { createRowWindow, rowAt, type RowWindowState, type WindowPage } from '../../../app/row-window.ts';
import { announce } from '../../../ui/announce.tsx';
import { returnToFolder, showFolderCount, showQuery, useBrowser } from '../state/browser-store.ts';

/** Folders and objects as one list, in the order shown. */
type ShownPage = WindowPage<unknown> & { objects: Output<'objects.page'> };

const noFolders: { total: number; rows: FolderRow[] } = { total: 0, rows: [] };

/** The query of the open place; null: no service. */
export function useObjectQuery(serviceId: string | null): ObjectQuery | null {
  const kind = usePlace((state) => state.kind);
  const place = usePlace((state) => state.place);
  const search = usePlace((state) => state.search);
  const sorts = usePlace((state) => state.sorts);
  const sort = sortOf({ kind, place, sorts });
  const { showAllVersions } = useSettings();
  const query = useMemo(
    () =>
      serviceId === null
        ? null
        : {
            serviceId,
            kind,
            place,
            search: search.slice(0, searchLengthMax),
            ...(showAllVersions && { allVersions: true }),
            ...(place.kind === 'folder' && { oneLevel: true }),
            sort,
          },
    [serviceId, kind, place, search, showAllVersions, sort],
  );
  useEffect(() => showQuery(query), [query]);
  return query;
}

/**
 * The visible rows of a query, kept up to date. Objects have indices from 0; the folders above them have negative ones, so that the
 * nearest is -1. Shows the previous query's rows until a new one is answered.
 */
export function useObjectRows(query: ObjectQuery | null) {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<ObjectQuery, ShownPage>(async (asked, offset, limit) => {
      const objects = await client.call('objects.page', { query: asked, offset, limit });
      const folders = objects.folders ?? noFolders;
      const all = [...folders.rows, ...objects.rows];
      return { revision: objects.revision, total: folders.total + objects.total, offset, rows: all, objects };
    }),
  );
  const { query: answered, page: shown, error } = useStore(rows.store);
  // Never shows rows of another service, not even briefly.
  const whole = answered?.serviceId === query?.serviceId ? shown : null;
  const page = whole?.objects ?? null;
  const folderCount = page?.folders?.total ?? 0;

  useEffect(() => {
    if (query === null) return undefined;
    rows.show(query, 0, 30);
    return client.on('objects.changed', ({ serviceId, revision }) => {
      if (serviceId === query.serviceId) rows.changed(revision);
    });
  }, [client, rows, query]);
  useEffect(() => () => rows.close(), [rows]);

  const total = page?.total ?? 0;
  const isSearch = answered !== null && answered.search !== '';
  useEffect(() => {
    if (isSearch) announce(objectTexts.found({ count: total }), 'polite', { isOnScreen: true });
  }, [isSearch, total]);
  useEffect(() => useBrowser.setState({ total }), [total]);

  const show = useCallback(
    (from: number, to: number) => {
      // While another query is loading, its first rows are wanted instead.
      if (query !== null && query === answered) rows.show(query, from, to);
    },
    [rows, query, answered],
  );
  const at = useCallback((index: number) => rowAt(page, index), [page]);
  const folderAt = useCallback((index: number) => folderIn(whole, index), [whole]);
  // Of a whole page: folders that are gone are no longer selected.
  useEffect(() => {
    const listed = page?.folders;
    if (listed === undefined || listed.rows.length < listed.total || answered !== query) return;
    const { folders } = useBrowser.getState();
    const there = new Set(listed.rows.map(({ path }) => path));
    const kept = [...folders].filter((path) => there.has(path));
    if (kept.length < folders.size) useBrowser.setState({ folders: new Set(kept) });
  }, [page, answered, query]);
  // In the turn in which the page is shown: a render in between would scroll to the index of the list before.
  useEffect(() => rows.store.subscribe(keepFocusOnFolder), [rows]);
  return { answered, page, error, rowAt: at, folderCount, folderAt, show, retry: () => rows.retry() };
}

/** @param index negative: folders are above the objects */
function folderIn(page: ShownPage | null, index: number): FolderRow | undefined {
  if (page === null) return undefined;
  const { folders } = page.objects;
  return folders?.rows[index + folders.total - page.offset];
}

/** Keeps the focus in the list: the number of folders above the objects may be another one now. */
function keepFocusOnFolder(now: RowWindowState<ObjectQuery, ShownPage>, before: typeof now): void {
  if (now.page === before.page || now.query === null || now.query !== useBrowser.getState().query) return;
  const focused = ({ page }: typeof now) => folderIn(page, useBrowser.getState().cursor);
  const stoodOn = before.query === now.query ? focused(before)?.path : undefined;
  showFolderCount(now.page?.objects.folders?.total ?? 0);
  // The index may belong to another folder now: follow the folder.
  const standsOn = focused(now)?.path;
  if (stoodOn !== undefined && standsOn !== undefined && standsOn !== stoodOn) returnToFolder(stoodOn);
}
