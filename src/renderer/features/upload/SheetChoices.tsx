import type { Ref } from 'react';
import {
  ifExistsSchema,
  requestSchema,
  type IfExists,
  type RequestKind,
} from '../../../shared/domain/service.ts';
import type { PlanChoices, UploadPlan } from '../../../shared/domain/upload-plan.ts';
import {
  ClassificationPicker,
  type ClassificationPickerHandle,
} from '../../app/classification/ClassificationPicker.tsx';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { Segmented } from '../../ui/Choice.tsx';
import { Select } from '../../ui/Select.tsx';

type SheetChoicesProps = {
  plan: UploadPlan;
  request: RequestKind;
  ifExists: IfExists;
  isClassChosen: boolean;
  isInert: boolean;
  /** Called for choices by the person, which are saved with the sheet. */
  onChoose: (choices: PlanChoices) => void;
  /** Called first with the default, which the person did not choose. */
  onClassification: (value: string | null) => void;
  picker: Ref<ClassificationPickerHandle>;
};

/** Options that apply to all files of a sheet. */
export function SheetChoices(props: SheetChoicesProps) {
  const { plan, request, ifExists, isClassChosen, isInert, onChoose, onClassification, picker } = props;
  const requestTexts = { direct: texts.kind.directText, deferred: texts.kind.deferredText };
  const ifExistsTexts = {
    ask: texts.exists.askText,
    skip: texts.exists.skipText,
    keepBoth: texts.exists.keepBothText,
    newVersion: texts.exists.newVersionText,
    replace: texts.exists.replaceText,
  };
  return (
    <aside className="sheet__choices" inert={isInert}>
      <div className="field field--above">
        <h3 className="field__label">{texts.request}</h3>
        <Segmented
          label={texts.request}
          value={request}
          choices={requestSchema.options.map((value) => ({ value, label: texts.kind[value] }))}
          onChange={(value) => onChoose({ request: value })}
        />
        <p className="sheet__hint">{requestTexts[request]}</p>
      </div>
      <div>
        <Select
          label={texts.ifExists}
          value={ifExists}
          options={ifExistsSchema.options.map((value) => ({
            value,
            label: texts.exists[value],
            text: ifExistsTexts[value],
          }))}
          onChange={(value) => onChoose({ ifExists: value })}
        />
        <p className="sheet__hint">
          {ifExists === 'ask' && request === 'deferred' ? texts.ifExistsDeferredAsk : ifExistsTexts[ifExists]}
        </p>
      </div>
      <div>
        <ClassificationPicker
          ref={picker}
          serviceId={plan.serviceId}
          folder={plan.intoFolder}
          {...('classification' in plan.choices ? { start: plan.choices.classification } : {})}
          onChange={(value, by) => {
            onClassification(value);
            if (by === 'person') onChoose({ classification: value });
          }}
        />
        {ifExists !== 'skip' && ifExists !== 'keepBoth' && (
          <p className="sheet__hint">{isClassChosen ? texts.classForAll : texts.classKept}</p>
        )}
      </div>
    </aside>
  );
}
