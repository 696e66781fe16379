import { useEffect } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { showDock, useDock } from '../../../app/dock.ts';
import { useFirstUpload } from '../../../app/first-upload.ts';
import { standOn, useBrowser } from '../state/browser-store.ts';
import { selectIds } from '../state/selection.ts';

/** Selects the first object uploaded to an empty list, and opens Details this once, even in a narrow window. */
export function useFirstRow(query: ObjectQuery | null, page: Output<'objects.page'> | null): void {
  const isAwaited = useFirstUpload(({ isAwaited }) => isAwaited);
  const isListEmpty = query !== null && query.search === '' && page?.total === 0;
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
    useBrowser.setState({ selection: selectIds([first.id]) });
    showDock('details');
  }, [isAwaited, first]);
}
