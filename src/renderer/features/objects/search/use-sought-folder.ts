import { useEffect } from 'react';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { standOn, useBrowser } from '../state/browser-store.ts';

/** Finds the sought folder above the objects and focuses it. */
export function useSoughtFolder(query: ObjectQuery | null): void {
  const client = useClient();
  const path = useBrowser(({ soughtFolder }) => soughtFolder);
  useEffect(() => {
    let live = true;
    if (path === null || query === null) return undefined;
    client.call('objects.folderIndex', { query, path }).then(
      ({ index }) => {
        if (!live) return;
        const { folderCount } = useBrowser.getState();
        useBrowser.setState({ soughtFolder: null });
        if (index !== null && index < folderCount) standOn(index - folderCount, null);
      },
      () => live && useBrowser.setState({ soughtFolder: null }),
    );
    return () => {
      live = false;
    };
  }, [client, query, path]);
}
