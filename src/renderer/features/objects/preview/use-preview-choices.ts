import { useEffect, useState } from 'react';
import { useClient } from '../../../app/client.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { announce } from '../../../ui/announce.tsx';

type Classification = string | null;
type Known = {
  serviceId: string;
  automatic: readonly Classification[];
  asked: readonly Classification[];
};

export type PreviewChoices = {
  isAutomatic: (classification: Classification) => boolean;
  /** Asks once, in a message, whether previews of this classification are always to be fetched. */
  offer: (classification: Classification) => void;
};

/** The classifications of a service whose previews are fetched automatically; null: not loaded yet. */
export function usePreviewChoices(serviceId: string | null): PreviewChoices | null {
  const client = useClient();
  const [known, setKnown] = useState<Known | null>(null);
  useEffect(() => {
    let live = true;
    if (serviceId === null) return undefined;
    client.call('objects.previewChoices', { serviceId }).then(
      ({ automatic, asked = [] }) => live && setKnown({ serviceId, automatic, asked }),
      // On failure, nothing is fetched automatically.
      () => live && setKnown({ serviceId, automatic: [], asked: [] }),
    );
    return () => {
      live = false;
    };
  }, [client, serviceId]);

  if (known === null || known.serviceId !== serviceId) return null;
  const { automatic, asked } = known;

  function offer(classification: Classification) {
    if (serviceId === null || asked.includes(classification)) return;
    const choose = async (isAutomatic: boolean) => {
      await client.call('objects.choosePreview', { serviceId, classification, isAutomatic });
      const chosen = isAutomatic ? [...automatic, classification] : automatic;
      setKnown({ serviceId, automatic: chosen, asked: [...asked, classification] });
    };
    // Kept before the message is shown: whoever does not answer is not asked again.
    sayFailure(choose(false));
    announce(
      classification === null ? texts.alwaysPreviewDefault : texts.alwaysPreviewOf({ classification }),
      'polite',
      { act: { label: texts.alwaysPreview, run: () => sayFailure(choose(true)) } },
    );
  }

  return { isAutomatic: (classification) => automatic.includes(classification), offer };
}
