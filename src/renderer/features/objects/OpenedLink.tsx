import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { isDialogOpen } from '../../app/key-bindings.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { usePlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useServices } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { AnswerButton } from '../../ui/AnswerButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChoiceList } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Identifier } from '../../ui/Identifier.tsx';
import { seekObject } from './state/browser-store.ts';
import { DialogError } from './actions/FailedDialog.tsx';
import { showKnown } from './shown-known.ts';

const texts = objectTexts.link;

type Link = Extract<NonNullable<Output<'links.take'>['link']>, { kind: 'object' }>;
type Found = { serviceId: string; objectId: number };

/**
 * Shows the object of a link that was opened outside Coffer. If the link is ambiguous or would contact a service, the person decides,
 * because anyone may have written it. Refuses while a dialog or form is open or there is no service, and says what to do first.
 */
export function OpenedLink({ active }: { active: Service | null }) {
  const client = useClient();
  const [link, setLink] = useState<Link | null>(null);
  const [found, setFound] = useState<Found | null>(null);

  const open = useEffectEvent(async (opened: Output<'links.take'>['link']) => {
    if (opened === null) return;
    if (opened.kind === 'unreadable') {
      announce(texts.unreadable, 'assertive');
      return;
    }
    const first = whatComesFirst(active);
    if (first !== null) {
      announce(first, 'assertive');
      return;
    }
    const [only, ...others] = opened.services.filter(({ isAtAddress }) => isAtAddress);
    if (only === undefined || others.length > 0 || only.objectId === null) setLink(opened);
    else await show({ serviceId: only.serviceId, objectId: only.objectId });
  });
  useEffect(() => {
    const take = () => sayFailure(client.call('links.take').then(({ link: opened }) => open(opened)));
    take();
    return client.on('links.opened', take);
  }, [client]);

  async function show(object: Found): Promise<void> {
    await client.call('services.activate', { id: object.serviceId });
    setLink(null);
    setFound(object);
  }
  // Seek only once the service is active: its list is first restored as it was left.
  const shown = useRef<Found | null>(null);
  useEffect(() => {
    if (found === null || found === shown.current || found.serviceId !== active?.id) return;
    shown.current = found;
    seekObject(found.objectId, 'data');
  }, [found, active?.id]);

  if (link === null || active === null) return null;
  return (
    <DialogPane onClose={() => setLink(null)}>
      <LinkDialog link={link} active={active} onShow={show} onClose={() => setLink(null)} />
    </DialogPane>
  );
}

/** What to do before a link can be opened; null: nothing. */
function whatComesFirst(active: Service | null): string | null {
  if (active === null) return texts.connectFirst;
  if (usePlace.getState().connecting !== null) return texts.formFirst;
  return isDialogOpen() ? texts.dialogFirst : null;
}

type DialogProps = {
  link: Link;
  active: Service;
  onShow: (found: Found) => Promise<void>;
  onClose: () => void;
};

function LinkDialog({
  link: { address, identifier, services: places },
  active,
  onShow,
  onClose,
}: DialogProps) {
  const client = useClient();
  const act = useAct();
  const { services } = useServices();
  const there = places.filter(({ isAtAddress }) => isAtAddress);
  const offered = there.length > 0 ? there : places;
  const first = offered.find(({ serviceId }) => serviceId === active.id) ?? offered[0];
  const [serviceId, setServiceId] = useState(first?.serviceId ?? active.id);
  const objectId = places.find((place) => place.serviceId === serviceId)?.objectId ?? null;
  const nameOf = (id: string) => services.find((service) => service.id === id)?.name ?? '';

  function open() {
    void act.run(async () => {
      if (objectId !== null) return onShow({ serviceId, objectId });
      await client.call('services.activate', { id: serviceId });
      showKnown(
        await client.call('objects.addKnown', { serviceId, kind: 'data', identifiers: [identifier] }),
      );
      return onClose();
    });
  }

  return (
    <Dialog
      isOpen
      size="medium"
      onClose={onClose}
      title={texts.title}
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <AnswerButton
            question={identifier}
            kind="primary"
            size="large"
            isPending={act.isRunning}
            onPress={open}
          >
            {objectId === null ? texts.checkAndAdd : commonTexts.openFile}
          </AnswerButton>
        </>
      }
    >
      <p>
        <Identifier identifier={identifier} icon="file" />
      </p>
      <p>
        {there.length === 0
          ? texts.noService({ address })
          : there.length > 1
            ? texts.several
            : texts.notListed({ service: nameOf(serviceId) })}
      </p>
      {there.length !== 1 && (
        <ChoiceList
          label={texts.service}
          value={serviceId}
          choices={offered.map((place) => ({
            value: place.serviceId,
            label: nameOf(place.serviceId),
            ...(place.objectId !== null && { text: texts.listed }),
          }))}
          onChange={setServiceId}
        />
      )}
      {act.error && <DialogError error={act.error} />}
    </Dialog>
  );
}
