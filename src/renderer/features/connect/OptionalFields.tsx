import { useState } from 'react';
import { templateLengthMax } from '../../../shared/domain/template.ts';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { connectExamples } from '../../../shared/i18n/connect-examples.ts';
import { connectTexts as texts } from '../../i18n/connect-texts.ts';
import { formatSizeToEdit, readSize } from '../../../shared/i18n/format.ts';
import { separatorProblem } from '../../../shared/i18n/input-text.ts';
import { templateProblem } from '../../../shared/i18n/template-text.ts';
import { versionMarkHint, versionMarkProblem } from '../../../shared/i18n/version-mark-text.ts';
import { SegmentedField, Switch } from '../../ui/Choice.tsx';
import { TextAreaField, TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { ServiceField } from '../../app/service-field.ts';
import { ChosenFile } from './ChosenFile.tsx';
import type { ConnectForm } from './draft.ts';
import { WayFields } from './WayFields.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

type Props = {
  form: ConnectForm;
  change: (part: Partial<ConnectForm>) => void;
  choose: (purpose: 'authority' | 'clientCertificate' | 'downloadFolder') => void;
  /** null: the service is on this computer, so there is no proxy or certificate. */
  way: { problemOf: (field: ServiceField) => string | undefined } | null;
  isShown: boolean;
  onShow: (isShown: boolean) => void;
};

/** Fields that most services do not need. Rendered only while expanded, to keep typing in other fields fast. */
export function OptionalFields({ form, change, choose, way, isShown, onShow }: Props) {
  return (
    <Disclosure className="optional" isExpanded={isShown} onExpandedChange={onShow}>
      {({ isExpanded }) => (
        <>
          <Heading level={2}>
            <AriaButton slot="trigger" className="form__head">
              <Icon name={isExpanded ? 'down' : 'right'} size={12} />
              {texts.optional}
            </AriaButton>
          </Heading>
          <DisclosurePanel>
            {isExpanded && (
              <div className="form">
                {way !== null && (
                  <WayFields
                    form={form}
                    change={change}
                    chooseCertificate={() => choose('clientCertificate')}
                    problemOf={way.problemOf}
                  />
                )}
                <ChosenFile
                  field="authority"
                  label={texts.authority}
                  chosen={form.authority}
                  none={texts.noAuthority}
                  onChoose={() => choose('authority')}
                  onClear={() => change({ authority: { kind: 'none' } })}
                />
                <ClassificationFields form={form} change={change} />
                <ChosenFile
                  field="downloadFolder"
                  label={texts.downloadFolder}
                  chosen={form.downloadFolder}
                  none={texts.downloadFolderDefault}
                  onChoose={() => choose('downloadFolder')}
                />
                <LimitFields form={form} change={change} />
                <TextField
                  label={fieldTexts.identifierTemplate}
                  isCode
                  labelPlace="beside"
                  hint={<bdi dir="ltr">{connectExamples.template}</bdi>}
                  problem={templateProblem(form.identifierTemplate)}
                  value={form.identifierTemplate}
                  onChange={(identifierTemplate) => change({ identifierTemplate })}
                  spellCheck="false"
                  maxLength={templateLengthMax}
                />
                <TextField
                  label={fieldTexts.separator}
                  isCode
                  labelPlace="beside"
                  value={form.separator}
                  onChange={(separator) => change({ separator })}
                  problem={separatorProblem(form.separator)}
                />
                <TextField
                  label={fieldTexts.versionMark}
                  isCode
                  labelPlace="beside"
                  hint={versionMarkHint(form.versionMark, form.separator)}
                  problem={versionMarkProblem(form.versionMark, form.separator)}
                  value={form.versionMark}
                  onChange={(versionMark) => change({ versionMark })}
                  spellCheck="false"
                  maxLength={40}
                />
                <div className="form__row form__row--switch">
                  <div>
                    <p className="form__label">{texts.insecure}</p>
                    <p className="form__hint">{texts.insecureHint}</p>
                  </div>
                  <Switch
                    label={texts.insecure}
                    isSelected={form.insecureAllowed}
                    onChange={(insecureAllowed) => change({ insecureAllowed })}
                  />
                </div>
              </div>
            )}
          </DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}

function ClassificationFields({ form, change }: Pick<Props, 'form' | 'change'>) {
  return (
    <>
      <SegmentedField
        labelPlace="beside"
        label={commonTexts.classifications}
        value={form.classificationFrom}
        choices={[
          { value: 'none', label: texts.classificationFrom.none },
          { value: 'address', label: texts.classificationFrom.address },
          { value: 'list', label: texts.classificationFrom.list },
        ]}
        onChange={(classificationFrom) => change({ classificationFrom })}
      />
      {form.classificationFrom === 'address' && (
        <TextField
          label={fieldTexts.classificationAddress}
          isCode
          labelPlace="beside"
          placeholder={texts.classificationAddressHint}
          value={form.classificationAddress}
          onChange={(classificationAddress) => change({ classificationAddress })}
          spellCheck="false"
        />
      )}
      {form.classificationFrom === 'list' && (
        <TextAreaField
          label={fieldTexts.classificationList}
          labelPlace="beside"
          placeholder={texts.classificationListHint}
          value={form.classificationList}
          onChange={(classificationList) => change({ classificationList })}
        />
      )}
    </>
  );
}

function LimitFields({ form, change }: Pick<Props, 'form' | 'change'>) {
  return (
    <>
      <SizeField
        label={fieldTexts.maxObject}
        placeholder={texts.maxObjectPlaceholder}
        value={form.maxObjectBytes}
        onChange={(maxObjectBytes) => change({ maxObjectBytes })}
      />
      <SizeField
        label={fieldTexts.maxSecret}
        placeholder={texts.maxSecretPlaceholder}
        hint={texts.maxHint}
        value={form.maxSecretBytes}
        onChange={(maxSecretBytes) => change({ maxSecretBytes })}
      />
      <div className="form__row form__row--switch">
        <div>
          <p className="form__label">{texts.parts}</p>
          <p className="form__hint">{texts.partsHint}</p>
        </div>
        <Switch
          label={texts.parts}
          isSelected={form.allowsParts}
          onChange={(allowsParts) => change({ allowsParts })}
        />
      </div>
    </>
  );
}

/**
 * A size as people write it: `50 MB`; a number alone is bytes. What is no size is taken back when the field is left, and an empty field has
 * none.
 */
function SizeField(props: {
  label: string;
  placeholder: string;
  hint?: string;
  /** In bytes; null: none. */
  value: number | null;
  onChange: (bytes: number | null) => void;
}) {
  const { value, onChange, ...field } = props;
  /** While it is typed; null: shown as the value is. */
  const [typed, setTyped] = useState<string | null>(null);

  function type(text: string): void {
    setTyped(text);
    const bytes = readSize(text);
    if (bytes !== null || text.trim() === '') onChange(bytes);
  }
  return (
    <TextField
      {...field}
      labelPlace="beside"
      autoComplete="off"
      spellCheck="false"
      value={typed ?? (value === null ? '' : formatSizeToEdit(value))}
      onChange={type}
      onBlur={() => setTyped(null)}
    />
  );
}
