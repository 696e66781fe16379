import { useState } from 'react';
import type { LeftParts } from '../../../shared/contract.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { isolate } from '../../../shared/i18n/messages.ts';
import { useClient } from '../../app/client.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { useProfiles } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { useLeftParts } from '../../app/use-left-parts.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus-here.ts';
import { Section } from './Section.tsx';

const texts = settingsTexts.leftParts;

/** Parts that are left at the services, each upload by its name, and how to remove them. */
export function LeftPartsSection({ search }: { search: string }) {
  const { profiles } = useProfiles();
  return profiles.map(({ id, name }) => (
    <OfService key={id} profileId={id} service={name} isOnlyOne={profiles.length === 1} search={search} />
  ));
}

function OfService({
  profileId,
  service,
  isOnlyOne,
  search,
}: {
  profileId: string;
  service: string;
  isOnlyOne: boolean;
  search: string;
}) {
  const left = useLeftParts(profileId);
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
              {texts.remove}
            </Button>
          ),
        }))}
      />
      {asked !== null && (
        <DialogPane onClose={close}>
          <RemoveQuestion profileId={profileId} left={asked} onClose={close} />
        </DialogPane>
      )}
    </>
  );
}

function RemoveQuestion({
  profileId,
  left,
  onClose,
}: {
  profileId: string;
  left: LeftParts;
  onClose: () => void;
}) {
  const client = useClient();
  const act = useAct();
  const remove = () =>
    void act.run(async () => {
      await client.call('objects.removeLeftParts', { profileId, uploads: [left.upload] });
      onClose();
    });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={texts.removeTitle({ count: left.parts })}
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button kind="fatal" size="large" isDisabled={act.isRunning} onPress={remove}>
            {texts.removeButton}
          </Button>
        </>
      }
    >
      <p>{texts.removeText({ identifier: isolate(left.identifier) })}</p>
      {left.why === 'unknown' && <p>{texts.removeUnknown}</p>}
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
    </AlertDialog>
  );
}
