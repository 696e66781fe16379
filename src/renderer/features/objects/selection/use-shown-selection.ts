import { useEffect, useRef, useState } from 'react';
import type { Output, SelectionSummary } from '../../../../shared/contract.ts';
import type { ObjectQuery, Selection } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { useBrowser } from '../state/browser-store.ts';
import { type ObjectSelection, selectIds } from '../state/selection.ts';

/**
 * When a newer version arrives, selected rows that become hidden are replaced by the row they are hidden behind. A
 * hidden version selected in Details stays selected.
 */
export function useShownSelection(query: ObjectQuery | null, page: Output<'objects.page'> | null): void {
  const client = useClient();
  const selection = useBrowser((browser) => browser.selection);
  /** Rows that were hidden when they were selected. */
  const picked = useRef<{ of: ObjectSelection; away: ReadonlySet<number> } | null>(null);
  const latest = useRef(page);
  useEffect(() => {
    latest.current = page;
  }, [page]);
  const revision = page?.revision ?? null;
  useEffect(() => {
    let live = true;
    if (query === null || revision === null || query !== useBrowser.getState().query) return undefined;
    if (selection.kind !== 'ids' || selection.ids.size === 0) return undefined;
    const ids = [...selection.ids];
    const rows = new Set(latest.current?.rows.map(({ id }) => id));
    if (ids.every((id) => rows.has(id))) {
      picked.current = { of: selection, away: new Set() };
      return undefined;
    }
    client.call('objects.shownAs', { query, ids }).then(
      ({ ids: shown }) => {
        if (!live || useBrowser.getState().selection !== selection) return;
        if (picked.current?.of !== selection) {
          picked.current = { of: selection, away: new Set(ids.filter((id, at) => shown[at] !== id)) };
          return;
        }
        const { away } = picked.current;
        const now = selectIds(ids.map((id, at) => (away.has(id) ? id : (shown[at] ?? id))));
        if (ids.every((id) => now.ids.has(id))) return;
        picked.current = { of: now, away };
        useBrowser.setState({ selection: now });
      },
      // The next page tries again.
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [client, query, selection, revision]);
}

/**
 * Count and sizes of a selection from main; null: not loaded yet, or nothing is selected.
 * @param revision of the list: reloads when it changes
 */
export function useSelectionSummary(selection: Selection | null, revision = 0): SelectionSummary | null {
  const client = useClient();
  const [known, setKnown] = useState<{ of: Selection; summary: SelectionSummary } | null>(null);
  useEffect(() => {
    let live = true;
    if (selection === null) return undefined;
    client.call('objects.summarize', { selection }).then(
      (summary) => live && setKnown({ of: selection, summary }),
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [client, selection, revision]);
  return selection !== null && known?.of === selection ? known.summary : null;
}
