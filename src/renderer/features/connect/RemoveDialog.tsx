import { useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { showRemove, usePlace } from '../../app/place.ts';
import { useRemoteStore, useServices, useStores } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { editTexts } from '../../i18n/edit-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ChoiceList } from '../../ui/Choice.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { focusHere } from '../../ui/focus-here.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';

const texts = connectTexts.remove;

/** Rendered once in the window; `showRemove` opens it. */
export function RemoveService() {
  const { services } = useServices();
  const removing = usePlace((shown) => shown.removing);
  const service = services.find(({ id }) => id === removing);
  if (service === undefined) return null;
  const close = () => showRemove(null);
  return (
    <DialogPane onClose={close}>
      <RemoveDialog service={service} onClose={close} />
    </DialogPane>
  );
}

/** Removes a service from this computer, and asks what to do with its list. The focus is on Cancel. */
function RemoveDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const client = useClient();
  const { edits } = useStores();
  const open = useRemoteStore(edits).value?.edits ?? [];
  const unsaved = open.filter(({ serviceId, mine }) => serviceId === service.id && mine !== null);
  const [catalogue, setCatalogue] = useState<'keep' | 'drop'>('keep');
  const remove = useAct();
  const words = service.isLocal ? texts.local : texts.service;
  const removeNow = async () => {
    const isRemoved = await remove.run(async () => {
      await client.call('services.remove', { id: service.id, removeCatalogue: catalogue === 'drop' });
    });
    if (isRemoved) onClose();
  };
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={texts.title({ name: service.name })}
      buttons={
        <>
          <Button size="large" {...focusHere} onPress={onClose}>
            {texts.cancel}
          </Button>
          <Button kind="fatal" size="large" isDisabled={remove.isRunning} onPress={() => void removeNow()}>
            {texts.button}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      <ChoiceList
        label={texts.question}
        value={catalogue}
        onChange={setCatalogue}
        choices={[
          { value: 'keep', label: words.keep, text: words.keepText },
          { value: 'drop', label: words.drop, text: words.dropText },
        ]}
      />
      {unsaved.length > 0 && (
        <div className="remove-unsaved">
          <p>{editTexts.remove.unsaved({ count: unsaved.length })}</p>
          <ul>
            {unsaved.map(({ id, identifier }) => (
              <li key={id}>
                <bdi dir="ltr">{identifier}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {remove.error !== null && <ErrorNote {...errorText(remove.error)} />}
    </AlertDialog>
  );
}
