import { connectExamples } from '../../i18n/connect-texts.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { Button } from '../../ui/Button.tsx';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { CommitField } from './CommitField.tsx';

const texts = uploadTexts.template;

/** Names every file that was not named by hand. */
export function TemplateField(props: {
  plan: UploadPlan;
  onChange: (template: string, resetEdited: boolean) => void;
}) {
  const { plan, onChange } = props;
  return (
    <div className="template">
      <span aria-hidden="true">{texts.label}</span>
      <CommitField
        label={texts.label}
        maxLength={500}
        value={plan.template}
        isRequired
        onCommit={(template) => onChange(template, false)}
        hint={
          <bdi dir="ltr" className="template__words">
            {connectExamples.template}
          </bdi>
        }
      />
      <WithTooltip text={texts.resetHint}>
        <Button kind="quiet" icon="undo" onPress={() => onChange(plan.template, true)}>
          {texts.reset}
        </Button>
      </WithTooltip>
    </div>
  );
}
