import type { Service } from '../../../shared/domain/service.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { connectTexts as texts } from '../../i18n/connect-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { fieldMark, focusField } from './focus-field.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';
import { Form } from 'react-aria-components';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { useDiscardQuestion } from '../../app/DiscardQuestion.tsx';
import { isDialogOpen } from '../../app/key-bindings.ts';
import type { ServiceField } from '../../app/service-field.ts';
import { useKeptChanges } from '../../app/service-part.tsx';
import { connectExamples } from '../../../shared/i18n/connect-examples.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { announce } from '../../ui/announce.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus.ts';
import { maxNameLength, nameOf } from './draft.ts';
import { FirstScreen } from './FirstScreen.tsx';
import { OptionalFields } from './OptionalFields.tsx';
import { OwnSettings } from './OwnSettings.tsx';
import { TestSteps } from './TestSteps.tsx';
import { useConnect } from './use-connect.ts';
import type { WrongField } from './wrong-field.ts';
import { commonTexts } from '../../i18n/common-texts.ts';

/** The access token. A stored one is never shown, only where it is stored. */
function TokenField(props: {
  service: Service | null;
  token: string | null;
  problem: string | undefined;
  onChange: (token: string) => void;
}) {
  const { service, token, problem, onChange } = props;
  const isKeychainUsable = useRemoteStore(useStores().info).value?.keychain.usable ?? true;
  if (service !== null && token === null) {
    return (
      <div className="form__row" {...fieldMark('token')}>
        <span className="form__label">{fieldTexts.token}</span>
        <div className="form__field">
          <span className="input input--line input--shown">
            <Icon name="lock" />
            <span>{texts.tokenStoredIn[service.tokenStoredIn]}</span>
          </span>
          {!service.isLocal && (
            <Button kind="line" size="large" aria-label={texts.replaceToken} onPress={() => onChange('')}>
              {texts.replace}
            </Button>
          )}
        </div>
      </div>
    );
  }
  return (
    <PasswordField
      label={fieldTexts.token}
      labelPlace="beside"
      value={token ?? ''}
      onChange={onChange}
      maxLength={16_384}
      problem={problem}
      eye={texts.tokenEye}
      {...fieldMark('token')}
      hint={
        <>
          <Icon name={isKeychainUsable ? 'lock' : 'warn'} size={12} />
          {isKeychainUsable ? texts.tokenHint : texts.tokenSession}
        </>
      }
    />
  );
}

type Props = {
  service: Service | null;
  /** The field to focus; null: the form's first one. */
  field?: ServiceField | null;
  onClose: () => void;
};

/** Connects a service, or edits an existing one, whose token stays unless it is replaced. */
export function ConnectScreen({ service, field = null, onClose }: Props) {
  const own = useKeptChanges();
  const connect = useConnect(service, field, own, (connected) => {
    if (connected !== null) announce(texts.connected({ name: connected.name }));
    onClose();
  });
  const { form, change, needs, report, error, wrong } = connect;
  const screen = useWrongField(connect.failure, wrong, field);
  const problemOf = (of: ServiceField) => (wrong?.field === of ? wrong.says : undefined);
  const busy = error?.code === 'serviceBusy' ? error : null;
  const discard = useDiscardQuestion(texts.discardTitle, connect.isEdited, onClose);
  useEscape(discard.close);
  return (
    <FirstScreen>
      <Form
        className="connect"
        ref={screen}
        onSubmit={(event) => {
          event.preventDefault();
          if (needs === null) connect.save();
        }}
      >
        <div className="connect__scroll">
          <Button kind="quiet" icon="left" className="connect__back" onPress={discard.close}>
            {texts.back}
          </Button>
          <h1 className="connect__title">
            {service === null ? texts.title : commonTexts.editName({ name: service.name })}
          </h1>
          <div className="form">
            <TextField
              label={fieldTexts.name}
              labelPlace="beside"
              placeholder={nameOf(form.baseAddress)}
              value={form.name}
              onChange={(name) => change({ name })}
              maxLength={maxNameLength}
              problem={problemOf('name')}
              {...fieldMark('name')}
              {...(service === null ? focusHere : {})}
            />
            <TextField
              label={fieldTexts.baseAddress}
              isCode
              labelPlace="beside"
              placeholder={connectExamples.baseAddress}
              value={form.baseAddress}
              onChange={(baseAddress) => change({ baseAddress })}
              spellCheck="false"
              maxLength={2000}
              isDisabled={service?.isLocal ?? false}
              problem={problemOf('baseAddress')}
              {...fieldMark('baseAddress')}
            />
            <TokenField
              service={service}
              token={connect.token}
              problem={problemOf('token')}
              onChange={(token) => change({ token })}
            />
            <OptionalFields
              form={form}
              change={change}
              choose={connect.choose}
              isShown={connect.isOptionalShown}
              onShow={connect.setOptionalShown}
              way={service?.isLocal === true ? null : { problemOf }}
            />
            {service !== null && <OwnSettings serviceId={service.id} keep={own.keep} />}
          </div>
        </div>
        {report !== null && (
          <TestSteps
            report={report}
            trial={connect.trial}
            onTrust={connect.trust}
            onSignedIn={connect.test}
          />
        )}
        {error !== null && error.code !== 'nameTaken' && busy === null && (
          <div className="connect__test">
            <div className="test">
              <ErrorNote {...errorText(error)} />
            </div>
          </div>
        )}
        <footer className="connect__foot">
          <Button
            kind="line"
            size="large"
            isDisabled={needs === 'fields'}
            isPending={connect.isTesting}
            onPress={connect.test}
          >
            {connect.isTesting ? texts.testing : texts.test}
          </Button>
          <span className="connect__say" id="connect-needs">
            {needs !== null && texts.needs[needs]}
          </span>
          <Button
            kind="primary"
            size="large"
            type="submit"
            isDisabled={needs !== null || connect.isTesting}
            isPending={connect.isSaving}
            aria-describedby="connect-needs"
          >
            {service === null ? texts.connect : commonTexts.save}
          </Button>
        </footer>
      </Form>
      {discard.question}
      {busy !== null && (
        <BusyDialog
          name={service?.name ?? form.name}
          count={busy.count}
          onFinishFirst={connect.keepAddress}
          onCancelThem={connect.cancelAndSave}
        />
      )}
    </FirstScreen>
  );
}

/** Focuses the field that the form was opened for, and later the one that a failure is about. */
function useWrongField(failure: AppError | null, wrong: WrongField | null, opened: ServiceField | null) {
  const screen = useRef<HTMLFormElement>(null);
  const onFailure = useEffectEvent(() => {
    if (wrong !== null) focusField(screen.current, wrong.field);
  });
  useEffect(() => onFailure(), [failure]);
  const onOpen = useEffectEvent(() => {
    if (opened !== null) focusField(screen.current, opened);
  });
  useEffect(() => onOpen(), []);
  return screen;
}

/** The first Escape leaves the field, the second closes the form. Popovers handle their own. */
function useEscape(close: () => void): void {
  const onEscape = useEffectEvent(close);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isDialogOpen()) return;
      const { activeElement: field } = document;
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.blur();
      else onEscape();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Asks about unfinished transfers, which must not go to the new address. The focus is on the answer that changes nothing. */
function BusyDialog(props: {
  name: string;
  count: number;
  onFinishFirst: () => void;
  onCancelThem: () => void;
}) {
  const { name, count, onFinishFirst, onCancelThem } = props;
  return (
    <AlertDialog
      isOpen
      onClose={onFinishFirst}
      title={texts.busy.title({ count, name })}
      buttons={
        <>
          <Button size="large" {...focusHere} onPress={onFinishFirst}>
            {texts.busy.finishFirst}
          </Button>
          <Button kind="fatal" size="large" onPress={onCancelThem}>
            {texts.busy.cancel({ count })}
          </Button>
        </>
      }
    >
      <p>{texts.busy.text}</p>
    </AlertDialog>
  );
}
