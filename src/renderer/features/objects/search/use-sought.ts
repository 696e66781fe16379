import { useEffect } from 'react';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { useClient } from '../../../app/client.ts';
import { followSelection, showDock } from '../../../app/dock.ts';
import { announce } from '../../../ui/announce.tsx';
import { select, standOn, useBrowser } from '../state/browser-store.ts';
import { nothingSelected, selectIds } from '../state/selection.ts';

/** Finds the sought folder above the objects and focuses it. */
export function useSoughtFolder(query: ObjectQuery | null): void {
  const client = useClient();
  const path = useBrowser(({ soughtFolder }) => soughtFolder);
  // A new folder is on the list before the rows shown tell of it.
  const folderCount = useBrowser((state) => state.folderCount);
  useEffect(() => {
    let live = true;
    if (path === null || query === null) return undefined;
    client.call('objects.folderIndex', { query, path }).then(
      ({ index }) => {
        if (!live) return;
        if (index !== null && index >= folderCount) return;
        const { isFolderSelected } = useBrowser.getState();
        useBrowser.setState({ soughtFolder: null });
        if (index === null) return;
        standOn(index - folderCount, null);
        if (isFolderSelected) select(nothingSelected, new Set([path]));
      },
      () => live && useBrowser.setState({ soughtFolder: null }),
    );
    return () => {
      live = false;
    };
  }, [client, query, path, folderCount]);
}

/** Finds the sought object in the list and focuses it. */
export function useSoughtObject(query: ObjectQuery | null): void {
  const client = useClient();
  const id = useBrowser((state) => state.soughtId);
  const purpose = useBrowser((state) => state.soughtFor);
  useEffect(() => {
    let live = true;
    if (id === null || query === null) return undefined;
    client.call('objects.indexOf', { query, id }).then(
      ({ index }) => {
        if (!live) return;
        useBrowser.setState({ soughtId: null });
        if (index === null) {
          if (purpose === 'show') announce(errorLine({ code: 'notFound', what: 'object' }), 'assertive');
          return;
        }
        standOn(index, id);
        select(selectIds([id]));
        if (purpose === 'show') showDock('details');
        if (purpose === 'select') followSelection();
      },
      () => live && useBrowser.setState({ soughtId: null }),
    );
    return () => {
      live = false;
    };
  }, [client, query, id, purpose]);
}
