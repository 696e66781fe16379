import { useEffect, useEffectEvent, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { failureText } from '../../i18n/ending-text.ts';
import { errorLine } from '../../../shared/i18n/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { ClassificationPicker } from '../classification/ClassificationPicker.tsx';
import { useClient } from '../client.ts';
import { useServices } from '../stores.ts';
import { useAct } from '../use-act.ts';
import { closeFailure, useFailure, type Failure } from './failure-store.ts';
import { remedyLabel, useRemedies } from './use-remedies.ts';
import './failure-dialogs.css';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';
import { ServicePlace } from '../ServicePlace.tsx';

const texts = dockTexts.failure;

/** The full failure with all its remedies, and the dialog that edits a failed upload. Mount once. */
export function FailureDialogs() {
  const { shown, edited } = useFailure();
  if (edited !== null) return <EditAndRetryDialog failure={edited} />;
  return shown === null ? null : <WholeFailure failure={shown} />;
}

function WholeFailure({ failure }: { failure: Failure }) {
  const { name, error, direction, facts, remedies, serviceId } = failure;
  const { services } = useServices();
  const remedy = useRemedies();
  const [first, ...others] = remedies;
  return (
    <Dialog
      isOpen
      onClose={closeFailure}
      title={direction === null ? texts.several : texts[direction]}
      size="medium"
      place={<ServicePlace name={services.find(({ id }) => id === serviceId)?.name} />}
      buttons={
        <>
          {others.toReversed().map((each) => (
            <Button key={each} size="large" onPress={() => remedy(each, failure)}>
              {remedyLabel(each, failure)}
            </Button>
          ))}
          {first !== undefined && (
            <Button kind="primary" size="large" {...focusHere} onPress={() => remedy(first, failure)}>
              {remedyLabel(first, failure)}
            </Button>
          )}
        </>
      }
    >
      <p className="failure__name selectable">
        <bdi dir={direction === null ? 'auto' : 'ltr'}>{name}</bdi>
      </p>
      <p className="failure__text figures selectable">
        {direction === null ? errorLine(error) : failureText(error, direction)}
      </p>
      {facts !== '' && <p className="failure__facts figures selectable">{facts}</p>}
    </Dialog>
  );
}

type Asked = Output<'transfers.uploadOf'>;

/** Retries an upload with another identifier or classification. */
function EditAndRetryDialog({ failure }: { failure: Failure }) {
  const client = useClient();
  const { services } = useServices();
  const act = useAct();
  const [id] = Array.isArray(failure.which) ? failure.which : [];
  const [asked, setAsked] = useState<Asked | null>(null);
  const [identifier, setIdentifier] = useState('');
  const [classification, setClassification] = useState<string | null>(null);

  const load = useEffectEvent(() =>
    act.run(async () => {
      if (id === undefined) return;
      const found = await client.call('transfers.uploadOf', { id });
      setAsked(found);
      setIdentifier(found.identifier);
      setClassification(found.classification);
    }),
  );
  useEffect(() => void load(), [id]);

  function send() {
    void act.run(async () => {
      if (id === undefined) return;
      await client.call('transfers.editAndRetry', { id, identifier, classification });
      closeFailure();
    });
  }

  return (
    <Dialog
      isOpen
      onClose={closeFailure}
      title={texts.editAndRetry}
      place={<ServicePlace name={services.find((service) => service.id === failure.serviceId)?.name} />}
      size="medium"
      buttons={
        <>
          <Button size="large" onPress={closeFailure}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={asked === null || identifier === ''}
            isPending={act.isRunning}
            onPress={send}
          >
            {transferTexts.uploadAgain}
          </Button>
        </>
      }
    >
      <p className="failure__text selectable">{errorLine(failure.error)}</p>
      {asked !== null && (
        <div className="failure__form">
          <p className="failure__facts">{texts.file({ fileName: asked.fileName })}</p>
          <TextField
            label={fieldTexts.identifier}
            value={identifier}
            onChange={setIdentifier}
            isReadOnly={asked.isReclassification}
            maxLength={8192}
            {...focusHere}
            {...(act.error !== null && { problem: errorLine(act.error) })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && identifier !== '' && !act.isRunning) send();
              // Let Escape reach the dialog.
              else event.continuePropagation();
            }}
          />
          <ClassificationPicker
            serviceId={asked.serviceId}
            folder=""
            start={asked.classification}
            onChange={setClassification}
          />
        </div>
      )}
      {asked === null && act.error !== null && <p className="failure__text">{errorLine(act.error)}</p>}
    </Dialog>
  );
}
