import { useState } from 'react';
import type { LeftParts } from '../../../shared/contract.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { isolate } from '../../../shared/i18n/messages.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { useClient } from '../../app/client.ts';
import { useServices } from '../../app/stores.ts';
import { useLeftParts } from '../../app/use-left-parts.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from './Section.tsx';
import { objectTexts } from '../../i18n/object-texts.ts';

const texts = settingsTexts.leftParts;

/** Parts left at the services, by upload, with a way to remove them. */
export function LeftPartsSection({ search }: { search: string }) {
  const { services } = useServices();
  return services.map(({ id, name }) => (
    <OfService key={id} serviceId={id} service={name} isOnlyOne={services.length === 1} search={search} />
  ));
}

function OfService({
  serviceId,
  service,
  isOnlyOne,
  search,
}: {
  serviceId: string;
  service: string;
  isOnlyOne: boolean;
  search: string;
}) {
  const left = useLeftParts(serviceId);
  const [asked, setAsked] = useState<LeftParts | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Section
        title={isOnlyOne ? texts.title : texts.titleOf({ service: isolate(service) })}
        search={search}
        settings={left.map((each) => ({
          name: each.identifier,
          hint: formatList([
            texts.count({ count: each.parts }),
            texts.upload({ upload: isolate(each.upload) }),
            texts.why[each.why],
          ]),
          control: (
            <Button
              kind="bad"
              onPress={() => setAsked(each)}
              aria-label={texts.removeOf({ name: isolate(each.identifier) })}
            >
              {objectTexts.act.deleteAsk}
            </Button>
          ),
        }))}
      />
      {asked !== null && <RemoveQuestion serviceId={serviceId} left={asked} onClose={close} />}
    </>
  );
}

function RemoveQuestion({
  serviceId,
  left,
  onClose,
}: {
  serviceId: string;
  left: LeftParts;
  onClose: () => void;
}) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={texts.removeTitle({ count: left.parts })}
      button={texts.removeButton}
      run={() => client.call('objects.removeLeftParts', { serviceId, uploads: [left.upload] })}
      onClose={onClose}
    >
      <div className="paragraphs">
        <p>{texts.removeText({ identifier: isolate(left.identifier) })}</p>
        {left.why === 'unknown' && <p>{texts.removeUnknown}</p>}
      </div>
    </ConfirmDialog>
  );
}
