import { useEffect, useState } from 'react';
import { useClient } from '../../../app/client.ts';
import { sayFailure } from '../../../app/say-failure.ts';

type Known = { profileId: string; automatic: readonly (string | null)[] };

export type PreviewChoices = {
  isAutomatic: (classification: string | null) => boolean;
  choose: (classification: string | null, isAutomatic: boolean) => void;
};

/** The classifications of a service whose previews are fetched unasked; null until they are known. */
export function usePreviewChoices(profileId: string | null): PreviewChoices | null {
  const client = useClient();
  const [known, setKnown] = useState<Known | null>(null);
  useEffect(() => {
    let live = true;
    if (profileId === null) return undefined;
    client.call('objects.previewChoices', { profileId }).then(
      ({ automatic }) => live && setKnown({ profileId, automatic }),
      // Then nothing is fetched unasked.
      () => live && setKnown({ profileId, automatic: [] }),
    );
    return () => {
      live = false;
    };
  }, [client, profileId]);

  if (known === null || known.profileId !== profileId) return null;
  return {
    isAutomatic: (classification) => known.automatic.includes(classification),
    choose(classification, isAutomatic) {
      const others = known.automatic.filter((value) => value !== classification);
      setKnown({ profileId, automatic: isAutomatic ? [...others, classification] : others });
      sayFailure(client.call('objects.choosePreview', { profileId, classification, isAutomatic }));
    },
  };
}
