import { useState, type ReactNode } from 'react';
import {
  identifierTemplateDefault,
  ifExistsSchema,
  requestSchema,
  type IfExists,
  type RequestKind,
} from '../../../shared/domain/service.ts';
import type { PlanChoices, UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useSettings } from '../../app/stores.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { Segmented } from '../../ui/Choice.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Select } from '../../ui/Select.tsx';

type SheetOptionsProps = {
  plan: UploadPlan;
  request: RequestKind;
  ifExists: IfExists;
  /** Called with the person's choices, which are saved with the sheet. */
  onChoose: (choices: PlanChoices) => void;
  /** Called when the options are collapsed, which discards an invalid template. */
  onFold: () => void;
  template: ReactNode;
};

/** Names, request and conflict choice, collapsed to a line that summarises them. */
export function SheetOptions({ plan, request, ifExists, onChoose, onFold, template }: SheetOptionsProps) {
  const client = useClient();
  const { uploadOptionsOpen } = useSettings();
  /** null: as stored in the settings. */
  const [turned, setTurned] = useState<boolean | null>(null);
  const isOpen = turned ?? uploadOptionsOpen;
  const ifExistsTexts = {
    ask: texts.exists.askText,
    skip: texts.exists.skipText,
    keepBoth: texts.exists.keepBothText,
    newVersion: texts.exists.newVersionText,
    replace: texts.exists.replaceText,
  };
  const names =
    plan.template === identifierTemplateDefault
      ? texts.options.asFiles
      : texts.options.named({ template: plan.template });

  function turn() {
    if (isOpen) onFold();
    setTurned(!isOpen);
    sayFailure(client.call('settings.update', { uploadOptionsOpen: !isOpen }));
  }

  return (
    <section className="options-fold">
      <button type="button" className="options-fold__turn" aria-expanded={isOpen} onClick={turn}>
        <Icon name={isOpen ? 'down' : 'right'} size={12} />
        <b>{texts.options.label}</b>
        <span className="options-fold__now">
          {formatList([texts.kind[request], names, texts.options[ifExists]])}
        </span>
      </button>
      {isOpen && (
        <div className="options-fold__all">
          {template}
          <div className="option-row">
            <span aria-hidden="true">{texts.request}</span>
            <Segmented
              label={texts.request}
              value={request}
              choices={requestSchema.options.map((value) => ({ value, label: texts.kind[value] }))}
              onChange={(value) => onChoose({ request: value })}
            />
            <p className="sheet__hint">
              {request === 'direct' ? texts.kind.directText : texts.kind.deferredText}
            </p>
          </div>
          <div className="option-row">
            <span aria-hidden="true">{texts.ifExists}</span>
            <Select
              label={texts.ifExists}
              labelPlace="hidden"
              size="regular"
              value={ifExists}
              options={ifExistsSchema.options.map((value) => ({
                value,
                label: texts.exists[value],
                text: ifExistsTexts[value],
              }))}
              onChange={(value) => onChoose({ ifExists: value })}
            />
            <p className="sheet__hint">
              {ifExists === 'ask' && request === 'deferred'
                ? texts.ifExistsDeferredAsk
                : ifExistsTexts[ifExists]}
            </p>
          </div>
        </div>
      )}
    </section>
  );
}
