import { useEffect, useState } from 'react';
import { useClient } from '../../../app/client.ts';

type Known = { serviceId: string; automatic: readonly (string | null)[] };

export type PreviewChoices = {
  isAutomatic: (classification: string | null) => boolean;
};

/** The classifications of a service whose previews are fetched automatically; null: not loaded yet. */
export function usePreviewChoices(serviceId: string | null): PreviewChoices | null {
  const client = useClient();
  const [known, setKnown] = useState<Known | null>(null);
  useEffect(() => {
    let live = true;
    if (serviceId === null) return undefined;
    client.call('objects.previewChoices', { serviceId }).then(
      ({ automatic }) => live && setKnown({ serviceId, automatic }),
      // On failure, nothing is fetched automatically.
      () => live && setKnown({ serviceId, automatic: [] }),
    );
    return () => {
      live = false;
    };
  }, [client, serviceId]);

  if (known === null || known.serviceId !== serviceId) return null;
  return { isAutomatic: (classification) => known.automatic.includes(classification) };
}
