import { useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { showRemove, usePlace } from '../../app/place.ts';
import { Slot, useFacts } from '../../app/slots.tsx';
import { useServices } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { ChoiceList } from '../../ui/Choice.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = connectTexts.remove;

/** Rendered once in the window; `showRemove` opens it. */
export function RemoveService() {
  const { services } = useServices();
  const removing = usePlace((shown) => shown.removing);
  const service = services.find(({ id }) => id === removing);
  if (service === undefined) return null;
  return <RemoveDialog service={service} onClose={() => showRemove(null)} />;
}

/** Removes a service from this computer, and asks what to do with its list. The focus is on Cancel. */
function RemoveDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const client = useClient();
  const [catalogue, setCatalogue] = useState<'keep' | 'drop'>('keep');
  const act = useAct();
  const isUnshared = useFacts('unshared', service.id).some((count) => count > 0);
  // Main has refused, and the dialog shows what would be lost.
  const isUnfinished = act.error?.code === 'serviceUnfinished';
  const words = service.isLocal ? texts.local : texts.service;
  async function removeNow() {
    await client.call('services.remove', {
      id: service.id,
      removeCatalogue: catalogue === 'drop',
      // `ask`: main rejects if changes became due while this dialog was open.
      unshared: isUnshared ? 'drop' : 'ask',
      unfinished: isUnfinished ? 'drop' : 'ask',
    });
  }
  return (
    <ConfirmDialog
      title={texts.title({ name: service.name })}
      button={isUnfinished ? texts.buttonUnfinished : isUnshared ? texts.buttonUnshared : commonTexts.remove}
      act={act}
      run={removeNow}
      onClose={onClose}
    >
      <p>{words.text}</p>
      <Slot name="removeStart" serviceId={service.id} act={act} />
      <ChoiceList
        label={texts.question}
        value={catalogue}
        onChange={setCatalogue}
        choices={[
          { value: 'keep', label: words.keep, text: words.keepText },
          { value: 'drop', label: words.drop, text: words.dropText },
        ]}
      />
      <Slot name="removeEnd" serviceId={service.id} />
    </ConfirmDialog>
  );
}
