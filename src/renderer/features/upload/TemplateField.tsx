import { templateLengthMax } from '../../../shared/domain/template.ts';
import { useRef } from 'react';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { templateProblem } from '../../../shared/i18n/template-text.ts';
import { TemplateParts } from '../../app/TemplateParts.tsx';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { CommitField, type CommitFieldHandle } from './CommitField.tsx';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const texts = uploadTexts.template;

/** The template for all files that were not renamed by hand. */
export function TemplateField(props: {
  plan: UploadPlan;
  separator: string;
  /** The service's template. */
  start: string;
  onChange: (template: string, resetEdited: boolean) => void;
  onProblem: (isBad: boolean) => void;
}) {
  const { plan, separator, start, onChange, onProblem } = props;
  const field = useRef<CommitFieldHandle>(null);
  return (
    <div className="template">
      <span aria-hidden="true">{fieldTexts.template}</span>
      <CommitField
        ref={field}
        label={fieldTexts.template}
        maxLength={templateLengthMax}
        value={plan.template}
        isRequired
        check={templateProblem}
        onProblem={onProblem}
        onCommit={(template) => onChange(template, false)}
      />
      <WithTooltip text={texts.resetHint}>
        <Button
          kind="quiet"
          icon="undo"
          onPress={() => {
            field.current?.restore();
            onChange(start, true);
          }}
        >
          {texts.reset}
        </Button>
      </WithTooltip>
      <TemplateParts separator={separator} onInsert={(part) => field.current?.insert(part)} />
    </div>
  );
}
