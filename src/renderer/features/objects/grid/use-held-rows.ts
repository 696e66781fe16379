import { useLayoutEffect, useRef } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { useBrowser } from '../state/browser-store.ts';

const held = [
  { index: 'cursor', id: 'cursorId' },
  { index: 'anchor', id: 'anchorId' },
] as const;

/**
 * Keeps the focus and the start of a selection on their rows while rows are added or removed above. If the row itself
 * disappears, the row now at its index takes its place.
 */
export function useHeldRows(query: ObjectQuery | null, page: Output<'objects.page'> | null): void {
  const client = useClient();
  const cursor = useBrowser((state) => state.cursor);
  const anchor = useBrowser((state) => state.anchor);
  const isHeld = useBrowser((state) => state.isHeld);
  /** The list revision for which each index was valid. */
  const rightFor = useRef({ cursor: -1, anchor: -1 });
  useLayoutEffect(() => {
    let live = true;
    const state = useBrowser.getState();
    if (!isHeld || page === null || query === null || query !== state.query) return undefined;
    const { rows, offset, total, revision } = page;
    const idAt = (index: number) => rows[index - offset]?.id ?? null;
    for (const { index, id } of held) {
      const known = state[id];
      if (known !== null && idAt(state[index]) === known) rightFor.current[index] = revision;
      if (rightFor.current[index] === revision) continue;
      const at = known === null ? -1 : rows.findIndex((row) => row.id === known);
      if (known === null) useBrowser.setState({ [id]: idAt(state[index]) });
      else if (at >= 0) useBrowser.setState({ [index]: offset + at });
      else {
        client.call('objects.indexOf', { query, id: known }).then(
          (found) => {
            if (!live || useBrowser.getState()[id] !== known) return;
            rightFor.current[index] = revision;
            const standing = Math.max(0, Math.min(state[index], total - 1));
            useBrowser.setState(
              found.index === null ? { [index]: standing, [id]: idAt(standing) } : { [index]: found.index },
            );
          },
          // The next page tries again.
          () => undefined,
        );
      }
    }
    return () => {
      live = false;
    };
  }, [client, query, page, cursor, anchor, isHeld]);
}
