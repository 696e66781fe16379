import { useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import type { SavedFile } from '../../../../shared/domain/transfer.ts';
import { useClient } from '../../../app/client.ts';
import { useBrowser } from '../state/browser-store.ts';
import { countSelected, toWire } from '../state/selection.ts';
import type { Point } from './grid-props.ts';

type OpenedMenu = { at: Point; saved: SavedFile | null; downloads: readonly number[] };

/** The context menu of the rows. First asks main whether files of earlier downloads still exist, to offer them. */
export function useRowMenu(query: ObjectQuery | null, total: number) {
  const client = useClient();
  const [menu, setMenu] = useState<OpenedMenu | null>(null);

  async function open(pressed: ObjectRow | undefined, at: Point) {
    const asked = pressed === undefined ? null : client.call('objects.savedFile', { id: pressed.id });
    const { selection } = useBrowser.getState();
    const several = query === null || countSelected(selection, total) < 2 ? null : toWire(selection, query);
    const [saved, downloads] = await Promise.all([
      asked?.then(
        (answer) => answer.saved,
        () => null,
      ),
      several &&
        client.call('objects.savedFiles', { selection: several }).then(
          (answer) => answer.transferIds,
          () => [],
        ),
    ]);
    setMenu({ at, saved: saved ?? null, downloads: downloads ?? [] });
  }
  return { menu, open, close: () => setMenu(null) };
}
