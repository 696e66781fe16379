import { useEffect, useRef } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { folderAbove } from '../../../../shared/domain/folder.ts';
import { useClient } from '../../../app/client.ts';
import { showDock, useDock } from '../../../app/dock.ts';
import { useFirstUpload } from '../../../app/first-upload.ts';
import { select, standOn, useBrowser } from '../state/browser-store.ts';
import { selectIds } from '../state/selection.ts';

/** Selects the first object uploaded to an empty list, and opens Details this once, even in a narrow window. */
export function useFirstRow(query: ObjectQuery | null, page: Output<'objects.page'> | null): void {
  const isAwaited = useFirstUpload(({ isAwaited }) => isAwaited);
  const isListEmpty =
    query !== null && query.search === '' && page?.total === 0 && (page.folders?.total ?? 0) === 0;
  useEffect(() => {
    useFirstUpload.setState({ isListEmpty });
    return () => useFirstUpload.setState({ isListEmpty: false });
  }, [isListEmpty]);

  const first = query !== null && page?.offset === 0 ? page.rows[0] : undefined;
  useEffect(() => {
    if (!isAwaited || first === undefined) return;
    useFirstUpload.setState({ isAwaited: false });
    const { selection } = useBrowser.getState();
    if (useDock.getState().isPinned || selection.kind !== 'ids' || selection.ids.size > 0) return;
    standOn(0, first.id);
    select(selectIds([first.id]));
    showDock('details');
  }, [isAwaited, first]);
}

/** Selects what this window uploads into the open folder as soon as its rows are there, unless the person has gone on since. */
export function useUploaded(
  query: ObjectQuery | null,
  page: Output<'objects.page'> | null,
  separator: string,
): void {
  const client = useClient();
  const uploaded = useFirstUpload((upload) => upload.uploaded);
  /** The list and what was selected in it when the upload began. */
  const begun = useRef<{ of: typeof uploaded; query: ObjectQuery; selected: unknown[] } | null>(null);
  const revision = page?.revision ?? null;
  useEffect(() => {
    if (uploaded === null || query === null || revision === null) return undefined;
    const { serviceId, identifiers } = uploaded;
    const selected = () => {
      const { selection, folders, cursor } = useBrowser.getState();
      return [selection, folders, cursor];
    };
    if (begun.current?.of !== uploaded) begun.current = { of: uploaded, query, selected: selected() };
    const { current: before } = begun;
    const hasGoneOn = () =>
      before.query !== query || before.selected.some((was, at) => was !== selected()[at]);
    const { place } = query;
    const here = identifiers.filter(
      (identifier) => place.kind === 'folder' && folderAbove(identifier, separator) === place.path,
    );
    if (hasGoneOn() || serviceId !== query.serviceId || here.length === 0) {
      useFirstUpload.setState({ uploaded: null });
      return undefined;
    }
    let live = true;
    async function find() {
      const rows = await Promise.all(
        here.map((identifier) => client.call('objects.find', { serviceId, kind: 'data', identifier })),
      );
      const ids = rows.map(({ id }) => id);
      const [id] = ids;
      if (id === undefined || query === null) return;
      const { index } = await client.call('objects.indexOf', { query, id });
      if (!live || index === null) return;
      useFirstUpload.setState({ uploaded: null });
      if (hasGoneOn()) return;
      standOn(index, id);
      select(selectIds(ids));
    }
    // Not there yet: the next page tries again.
    find().catch(() => undefined);
    return () => {
      live = false;
    };
  }, [client, uploaded, query, revision, separator]);
}
