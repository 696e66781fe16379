import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Output } from '../../../../shared/contract.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { sortOf, usePlace } from '../../../app/place.ts';
import { useSettings } from '../../../app/stores.ts';
import { createRowWindow, rowAt } from '../../../app/row-window.ts';
import { announce } from '../../../ui/announce.tsx';
import { showQuery, useBrowser } from '../browser-store.ts';

/** The query of the open place; null: no service. */
export function useObjectQuery(serviceId: string | null): ObjectQuery | null {
  const { kind, place, search, sorts } = usePlace();
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
            search: search.slice(0, 1000),
            ...(showAllVersions && { allVersions: true }),
            sort,
          },
    [serviceId, kind, place, search, showAllVersions, sort],
  );
  useEffect(() => showQuery(query), [query]);
  return query;
}

/** The visible rows of a query, kept up to date. Shows the previous query's rows until a new one is answered. */
export function useObjectRows(query: ObjectQuery | null) {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<ObjectQuery, Output<'objects.page'>>((asked, offset, limit) =>
      client.call('objects.page', { query: asked, offset, limit }),
    ),
  );
  const { query: answered, page: shown, error } = useStore(rows.store);
  // Never shows rows of another service, not even briefly.
  const page = answered?.serviceId === query?.serviceId ? shown : null;

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
  return { answered, page, error, rowAt: at, show, retry: () => rows.retry() };
}
