import { useEffect } from 'react';
import type { ObjectQuery } from '../../../shared/domain/object.ts';
import { useClient } from '../../app/client.ts';
import { showDock } from '../../app/dock.ts';
import { standOn, useBrowser } from './browser-store.ts';
import { selectIds } from './selection.ts';

/** Finds the object that was sought in the list, selects it and puts the keyboard on it. */
export function useSoughtObject(query: ObjectQuery | null): void {
  const client = useClient();
  const id = useBrowser((state) => state.soughtId);
  useEffect(() => {
    let live = true;
    if (id === null || query === null) return undefined;
    client.call('objects.indexOf', { query, id }).then(
      ({ index }) => {
        if (!live) return;
        useBrowser.setState({ soughtId: null });
        if (index === null) return;
        useBrowser.setState({ selection: selectIds([id]) });
        standOn(index, id);
        showDock('details');
      },
      () => live && useBrowser.setState({ soughtId: null }),
    );
    return () => {
      live = false;
    };
  }, [client, query, id]);
}
