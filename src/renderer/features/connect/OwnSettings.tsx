import { useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { Client } from '../../app/client.ts';
import {
  ClassificationTicks,
  differing,
  recallClassifications,
  useServicePart,
  type ServicePart,
} from '../../app/service-part.tsx';
import { Slot } from '../../app/slots.tsx';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { Icon } from '../../ui/Icon.tsx';

const texts = connectTexts.previewsAndEditing;

/** How Coffer shows and edits what a connected service stores. */
export function OwnSettings(part: ServicePart) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <Disclosure className="optional" isExpanded={isExpanded} onExpandedChange={setExpanded}>
      <Heading level={2}>
        <AriaButton slot="trigger" className="form__head">
          <Icon name={isExpanded ? 'down' : 'right'} size={12} />
          {texts.title}
        </AriaButton>
      </Heading>
      <DisclosurePanel>
        <div className="form">
          <PreviewFields {...part} />
          <Slot name="serviceSettings" {...part} />
        </div>
      </DisclosurePanel>
    </Disclosure>
  );
}

type Known = { automatic: readonly (string | null)[]; classifications: readonly (string | null)[] };

/** The classifications whose previews are fetched automatically. */
function PreviewFields(part: ServicePart) {
  const { serviceId } = part;
  const [known, change] = useServicePart(part, 'previews', recall, (from, to) =>
    differing(from.automatic, to.automatic).map(
      ({ classification, isChosen: isAutomatic }) =>
        (client) =>
          client.call('objects.choosePreview', { serviceId, classification, isAutomatic }),
    ),
  );
  if (known === null) return null;
  return (
    <ClassificationTicks
      label={texts.previews}
      hint={texts.previewsHint}
      classifications={known.classifications}
      chosen={known.automatic}
      onChange={(automatic) => change({ ...known, automatic })}
    />
  );
}

async function recall(client: Client, serviceId: string): Promise<Known> {
  const { automatic } = await client.call('objects.previewChoices', { serviceId });
  return { automatic, classifications: await recallClassifications(client, serviceId, automatic) };
}
