import { useState } from 'react';
import { objectTexts } from '../../i18n/object-texts.ts';
import type { Selection } from '../../../shared/domain/object.ts';
import { useClient } from '../../app/client.ts';
import { turnDock } from '../../app/dock.ts';
import { useAct } from '../../app/use-act.ts';
import { announce } from '../../ui/announce.tsx';
import { useBrowser } from './browser-store.ts';
import { nothingSelected } from './selection.ts';

/** What can be done with a selection. A failure stays in `act` until something else is tried. */
export function useObjectActions(selection: Selection | null) {
  const client = useClient();
  const act = useAct();
  const [doomed, setDoomed] = useState<Selection | null>(null);

  function start(work: (chosen: Selection) => Promise<void>) {
    if (selection !== null) void act.run(() => work(selection));
  }

  return {
    act,
    /** What the confirmation of a deletion is about; null: it is not asked. */
    doomed,
    askToDelete: () => setDoomed(selection),
    closeDelete: () => setDoomed(null),
    download: (saveAs = false) =>
      start(async (chosen) => {
        const started = await client.call('objects.download', { selection: chosen, saveAs });
        if (started === null) return;
        turnDock('transfers');
        // The dock or the status line shows it, and what has only begun is not seen as done.
        announce(texts.downloading({ count: started.count }), 'polite', {
          isOnScreen: true,
        });
      }),
    downloadDeferred: () =>
      start(async (chosen) => {
        const { count } = await client.call('objects.downloadDeferred', { selection: chosen });
        announce(texts.deferred({ count }), 'polite', {
          isOnScreen: true,
        });
        turnDock('jobs');
      }),
    check: () =>
      start(async (chosen) => {
        await client.call('objects.check', { selection: chosen });
      }),
    copyIdentifiers: () =>
      start(async (chosen) => {
        const { count } = await client.call('objects.copyIdentifiers', { selection: chosen });
        announce(texts.copied({ count }));
      }),
    forget: () =>
      start(async (chosen) => {
        const { forgotten } = await client.call('objects.forget', { selection: chosen });
        useBrowser.setState({ selection: nothingSelected });
        announce(texts.removed({ count: forgotten }));
      }),
  };
}

const texts = objectTexts.said;

export type ObjectActions = ReturnType<typeof useObjectActions>;
