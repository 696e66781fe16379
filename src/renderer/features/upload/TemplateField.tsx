import { connectExamples } from '../../i18n/connect-texts.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import type { Draft } from '../../../shared/domain/upload-draft.ts';
import { Button } from '../../ui/Button.tsx';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { CommitField } from './CommitField.tsx';

const texts = uploadTexts.template;

/** Names every file that was not named by hand. */
export function TemplateField(props: {
  draft: Draft;
  onChange: (template: string, resetEdited: boolean) => void;
}) {
  const { draft, onChange } = props;
  return (
    <div className="template">
      <span aria-hidden="true">{texts.label}</span>
      <CommitField
        label={texts.label}
        maxLength={500}
        value={draft.template}
        isRequired
        onCommit={(template) => onChange(template, false)}
        hint={
          <bdi dir="ltr" className="template__words">
            {connectExamples.template}
          </bdi>
        }
      />
      <WithTooltip text={texts.resetHint}>
        <Button kind="quiet" icon="undo" onPress={() => onChange(draft.template, true)}>
          {texts.reset}
        </Button>
      </WithTooltip>
    </div>
  );
}
