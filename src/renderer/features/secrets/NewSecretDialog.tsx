import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { flushSync } from 'react-dom';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { useServices } from '../../app/stores.ts';
import { useDoneKey } from '../../app/use-done-key.ts';
import { useAct } from '../../app/use-act.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import { errorLine, errorText } from '../../../shared/i18n/error-text.ts';
import { useDiscardQuestion } from '../../app/DiscardQuestion.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { leaveField } from '../../ui/focus.ts';
import {
  ClassificationPicker,
  type ClassificationPickerHandle,
} from '../../app/classification/ClassificationPicker.tsx';
import { DayField } from '../../ui/DayField.tsx';
import { isDay } from '../objects/details/RenewBy.tsx';
import type { VersionedSecret } from './new-version.ts';
import type { ValueDraft } from './value-draft.ts';
import { ValueField } from './ValueField.tsx';
import { secretSizeText } from './secret-size.ts';
import './new-secret.css';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';
import { ServicePlace } from '../../app/ServicePlace.tsx';

const texts = secretTexts.create;

/** Props of the field that gets the initial focus. */
const focusHere = { autoFocus: true };

type Props = {
  /** Where to store it. The dialog stays with the first one when another becomes active. */
  service: Service;
  start: ValueDraft;
  /** The secret that gets a new value, as its next version. */
  versionOf?: VersionedSecret;
  /** Called when storing has begun; the list and the jobs show its progress. */
  onStored: (identifier: string) => void;
  onClose: () => void;
};

/** Stores a value under a name. The value exists only in this component's state and its field. */
export function NewSecretDialog({ service: active, start, versionOf, onStored, onClose }: Props) {
  const client = useClient();
  const { services } = useServices();
  const [opened] = useState(active);
  const service = services.find(({ id }) => id === opened.id) ?? opened;
  const firstIdentifier = versionOf?.identifier ?? (start.kind === 'file' ? start.name : '');
  const [identifier, setIdentifier] = useState(firstIdentifier);
  const [renewBy, setRenewBy] = useState('');
  const [isNamed, setNamed] = useState(false);
  const [value, setValue] = useState(start);
  const [classification, setClassification] = useState(versionOf?.classification ?? null);
  const picker = useRef<ClassificationPickerHandle>(null);
  /** The name when its field got the focus; Escape restores it. */
  const nameBefore = useRef('');
  const button = useRef<HTMLButtonElement>(null);
  const act = useAct();
  /** The name exists; this is what its next version would be called. */
  const [nextVersion, setNextVersion] = useState<string | null>(null);

  const size = secretSizeText(value.sizeBytes, service.maxSecretBytes);
  const verdict = checkObjectId(identifier);
  const reason = missingText(identifier, value, size.problem);

  const isUnseen = act.error?.code === 'exists' && act.error.isUnseen === true;
  const isEdited =
    identifier !== firstIdentifier ||
    renewBy !== '' ||
    (value.kind === 'text' ? value.text !== '' : value !== start);
  const discard = useDiscardQuestion(texts.discardTitle, isEdited, onClose);

  /** A file provides the name, unless the person entered one. */
  function takeValue(next: ValueDraft) {
    const isOfFile = value.kind === 'file' && identifier === value.name;
    setValue(next);
    if (next.kind === 'file' && (identifier === '' || isOfFile)) {
      setIdentifier(next.name);
      setNextVersion(null);
    }
  }

  /** @param storesUnseen store although the name is said to exist (unverified); the service decides */
  function store(storesUnseen = false) {
    if (reason !== null || picker.current?.finish() === false) return;
    const asNewVersion = nextVersion !== null && !storesUnseen;
    void act.run(async () => {
      const source =
        value.kind === 'text'
          ? ({ kind: 'text', text: value.text } as const)
          : ({ kind: 'grant', grant: value.grant } as const);
      try {
        const given = { serviceId: service.id, identifier, classification, source };
        const stored = await client.call('secrets.store', {
          ...given,
          ...(asNewVersion && { asNewVersion }),
          ...(storesUnseen && { storesUnseen }),
          ...(isDay(renewBy) && { renewBy }),
        });
        onStored(stored.identifier);
      } catch (cause) {
        if (toAppError(cause)?.code === 'exists') await offerVersion();
        throw cause;
      }
    });
  }

  useDoneKey(() => {
    if (!act.isRunning) store();
  }, button);

  const offerAtOnce = useEffectEvent(() => void offerVersion());
  useEffect(() => {
    if (versionOf !== undefined) offerAtOnce();
  }, [versionOf]);

  /**
   * Secrets cannot be deleted, so a new version is the only alternative to another name. If this fails, the first
   * error stays.
   */
  async function offerVersion() {
    const asked = client.call('secrets.nextVersion', { serviceId: service.id, identifier });
    setNextVersion(await asked.then((next) => next.identifier).catch(() => null));
  }

  return (
    <Dialog
      isOpen
      size="medium"
      className="new-secret"
      onClose={discard.close}
      title={versionOf === undefined ? secretTexts.newSecret : secretTexts.newVersionTitle}
      place={<ServicePlace name={service.name} />}
      say={
        <>
          <Icon name="lock" />
          {reason ?? (nextVersion === null ? texts.notKept : texts.asVersion({ identifier: nextVersion }))}
        </>
      }
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            ref={button}
            kind="primary"
            size="large"
            isDisabled={reason !== null}
            isPending={act.isRunning}
            onPress={() => store()}
          >
            {nextVersion === null ? texts.store : texts.storeVersion}
          </Button>
        </>
      }
    >
      <TextField
        {...(versionOf === undefined ? focusHere : {})}
        label={fieldTexts.identifier}
        isCode
        autoComplete="off"
        spellCheck="false"
        value={identifier}
        onChange={(next) => {
          setIdentifier(next);
          setNextVersion(null);
          act.clear();
        }}
        onFocus={() => (nameBefore.current = identifier)}
        onBlur={() => setNamed(identifier !== '')}
        onKeyDown={(event) => {
          const before = nameBefore.current;
          if (event.key !== 'Escape' || identifier === before) return event.continuePropagation();
          flushSync(() => setIdentifier(before));
          leaveField(event.currentTarget);
        }}
        hint={texts.stays}
        problem={identifierProblem()}
      />
      {isUnseen && (
        <p className="new-secret__anyway">
          {texts.serviceDecides}{' '}
          <Button
            kind="link"
            isDisabled={reason !== null}
            isPending={act.isRunning}
            onPress={() => store(true)}
          >
            {texts.storeAnyway}
          </Button>
        </p>
      )}
      <ValueField
        serviceId={service.id}
        value={value}
        size={size}
        beginsHere={versionOf !== undefined}
        onChange={takeValue}
      />
      <ClassificationPicker
        ref={picker}
        serviceId={service.id}
        folder=""
        startsWith="default"
        {...(versionOf !== undefined && { start: versionOf.classification })}
        onChange={setClassification}
      />
      <DayField
        label={secretTexts.renewal.label}
        value={renewBy}
        hint={secretTexts.renewal.hint}
        onChange={setRenewBy}
      />
      {discard.question}
      {act.error !== null && act.error.code !== 'exists' && (
        <p className="new-secret__error">{errorLine(act.error)}</p>
      )}
    </Dialog>
  );

  function identifierProblem(): string | undefined {
    if (act.error?.code === 'exists') return isUnseen ? texts.existsUnseen : texts.exists;
    if (verdict.ok || (!isNamed && verdict.problem === 'empty')) return undefined;
    return errorText({ code: 'badIdentifier', problem: verdict.problem }).what;
  }
}

/** Why it cannot be stored yet; null: it can. */
function missingText(identifier: string, value: ValueDraft, sizeProblem: string | null): string | null {
  if (!checkObjectId(identifier).ok) return identifier === '' ? texts.needsIdentifier : texts.badIdentifier;
  if (value.sizeBytes === 0) return texts.needsValue;
  if (value.kind === 'text' && !value.text.isWellFormed()) return texts.badValue;
  return sizeProblem === null ? null : texts.tooLarge;
}
