import { useRef, useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { ifExistsSchema, requestSchema, type Service } from '../../../shared/domain/service.ts';
import { settleSeconds, type WatchedFolder } from '../../../shared/domain/watch.ts';
import { fillTemplate, localDate, templateLengthMax } from '../../../shared/domain/template.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import {
  ClassificationPicker,
  type ClassificationPickerHandle,
} from '../../app/classification/ClassificationPicker.tsx';
import { useClient } from '../../app/client.ts';
import { showWatched } from './watch-store.ts';
import { useSettings } from '../../app/stores.ts';
import { TemplateParts } from '../../app/TemplateParts.tsx';
import { useDoneKey } from '../../app/use-done-key.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { watchTexts } from './watch-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, SegmentedField } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NumberField, TextAreaField, TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Select } from '../../ui/Select.tsx';
import { choicesOf, problemsOf, startOf, type WatchForm } from './watch-form.ts';
import { useExistingFiles } from './use-existing-files.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';
import { ServicePlace } from '../../app/ServicePlace.tsx';

const texts = watchTexts.dialog;
const sample = { folder: 'drafts', fileName: 'report.pdf', hash8: '9f86d081' };

type Props = {
  service: Service;
  /** A watched folder to edit. */
  folder?: WatchedFolder;
  /** A new folder to watch. */
  chosen?: { grant: string; label: string };
  onClose: () => void;
};

/** How the files of a folder are uploaded: destination, names, classification, and files to ignore. */
export function WatchDialog({ service, folder, chosen: first, onClose }: Props) {
  const client = useClient();
  const act = useAct();
  const settings = useSettings();
  const [chosen, setChosen] = useState(first);
  const [form, setForm] = useState(() => startOf(service, settings, folder, first?.label));
  const [withExisting, setWithExisting] = useState(false);
  const picker = useRef<ClassificationPickerHandle>(null);
  const template = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const change = (part: Partial<WatchForm>) => setForm((before) => ({ ...before, ...part }));
  const problems = problemsOf(form);
  const { existing, error: refused } = useExistingFiles(service.id, chosen?.grant ?? null, form.ignore);
  const label = folder?.label ?? chosen?.label ?? '';
  const isBad = problems.template !== undefined || problems.ignore !== undefined;
  const isReady = !isBad && refused === null && (folder !== undefined || existing !== null);

  function save() {
    if (!isReady || picker.current?.finish() !== true) return;
    void act.run(async () => {
      const choices = choicesOf(form, service.separator);
      if (folder !== undefined) await client.call('watch.change', { id: folder.id, choices });
      else if (chosen !== undefined) {
        const { grant } = chosen;
        await client.call('watch.add', { serviceId: service.id, grant, choices, withExisting });
        announce(texts.added({ name: existing?.name ?? label }), 'polite', { isOnScreen: true });
        showWatched();
      }
      onClose();
    });
  }

  useDoneKey(() => {
    if (!act.isRunning) save();
  }, button);

  async function choose() {
    const other = await client.call('files.chooseOne', { purpose: 'watchedFolder' });
    if (other === null) return;
    setChosen(other);
    setForm((before) => ({ ...before, into: startOf(service, settings, undefined, other.label).into }));
  }

  function insert(part: string) {
    const field = template.current;
    const at = field?.selectionEnd ?? form.template.length;
    change({ template: form.template.slice(0, at) + part + form.template.slice(at) });
    field?.focus();
  }

  return (
    <Dialog
      isOpen
      size="medium"
      onClose={onClose}
      title={folder === undefined ? texts.add : texts.edit}
      place={<ServicePlace name={service.name} />}
      say={texts.stays}
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            ref={button}
            kind="primary"
            size="large"
            isDisabled={!isReady}
            isPending={act.isRunning}
            onPress={save}
          >
            {folder === undefined ? texts.watch : commonTexts.save}
          </Button>
        </>
      }
    >
      <div className="watch-form__folder">
        <Icon name="folder" />
        <span className="visually-hidden">{fieldTexts.folder}</span>
        <bdi dir="ltr" title={label}>
          {label}
        </bdi>
        {folder === undefined && (
          <Button kind="line" onPress={() => void act.run(choose)}>
            {texts.choose}
          </Button>
        )}
      </div>
      {refused !== null && <ErrorNote {...errorText(refused)} />}
      <TextField
        {...focusHere}
        isCode
        label={fieldTexts.into}
        placeholder={objectTexts.place.files}
        maxLength={4096}
        value={form.into}
        onChange={(into) => change({ into })}
      />
      <div className="watch-form__template">
        <TextField
          isCode
          inputRef={template}
          label={watchTexts.named}
          maxLength={templateLengthMax}
          value={form.template}
          onChange={(next) => change({ template: next })}
          problem={problems.template}
          hint={texts.example({ example: exampleOf(form, service.separator) })}
        />
        <TemplateParts separator={service.separator} onInsert={insert} />
      </div>
      <div className="watch-form__two">
        <div className="watch-form__hinted">
          <ClassificationPicker
            ref={picker}
            serviceId={service.id}
            folder={form.into}
            {...(folder && { start: form.classification })}
            offersDefault={false}
            onChange={(classification) => change({ classification })}
          />
          <p className="watch-form__hint">{texts.classificationHint}</p>
        </div>
        <div className="watch-form__hinted">
          <Select
            label={uploadTexts.ifExists}
            value={form.ifExists}
            options={ifExistsSchema.options.map((value) => ({
              value,
              label: uploadTexts.exists[value],
              text: uploadTexts.exists[`${value}Text`],
            }))}
            onChange={(ifExists) => change({ ifExists })}
          />
          <p className="watch-form__hint">{texts.ifExistsHint}</p>
        </div>
      </div>
      {folder === undefined && refused === null && (
        <Existing existing={existing} isSelected={withExisting} onChange={setWithExisting} />
      )}
      <Disclosure className="watch-form__options" defaultExpanded={false}>
        {({ isExpanded }) => (
          <>
            <Heading level={3}>
              <AriaButton slot="trigger" className="watch__fold">
                <Icon name={isExpanded || problems.ignore !== undefined ? 'down' : 'right'} size={12} />
                {texts.options}
              </AriaButton>
            </Heading>
            <DisclosurePanel>
              <div className="watch-form__more">
                <TextAreaField
                  isCode
                  rows={5}
                  label={fieldTexts.ignore}
                  hint={texts.ignoreHint}
                  problem={problems.ignore}
                  value={form.ignore}
                  onChange={(ignore) => change({ ignore })}
                />
                <SegmentedField
                  label={uploadTexts.request}
                  value={form.request}
                  choices={requestSchema.options.map((value) => ({
                    value,
                    label: uploadTexts.kind[value],
                  }))}
                  onChange={(request) => change({ request })}
                />
                <NumberField
                  label={fieldTexts.settle}
                  hint={texts.settleHint}
                  unit={texts.seconds}
                  value={form.settleSeconds}
                  minValue={settleSeconds.min}
                  maxValue={settleSeconds.max}
                  onChange={(seconds) =>
                    change({ settleSeconds: Number.isNaN(seconds) ? settleSeconds.usual : seconds })
                  }
                />
              </div>
            </DisclosurePanel>
          </>
        )}
      </Disclosure>
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
    </Dialog>
  );
}

function Existing(props: {
  existing: { files: number; isMore: boolean } | null;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}) {
  const { existing, isSelected, onChange } = props;
  if (existing === null) return <p className="watch-form__hint">{texts.counting}</p>;
  const count = existing.files;
  if (count === 0) return <p className="watch-form__hint">{texts.existing({ count })}</p>;
  return (
    <Checkbox isSelected={isSelected} onChange={onChange}>
      {existing.isMore ? texts.existingMore({ count }) : texts.existing({ count })}
    </Checkbox>
  );
}

function exampleOf({ into, template }: WatchForm, separator: string): string {
  const prefix = into === '' ? '' : into + separator;
  return prefix + fillTemplate(template, { ...sample, date: localDate(Date.now()), separator });
}
