import { useEffect, useState } from 'react';
import type { SelectionSummary } from '../../../../shared/contract.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';

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
