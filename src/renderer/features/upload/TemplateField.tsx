import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { Button } from '../../ui/Button.tsx';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { CommitField } from './CommitField.tsx';

const words = '{path} {name} {stem} {ext} {date} {hash8}';

/** Names every file that was not named by hand. */
export function TemplateField(props: {
  plan: UploadPlan;
  onChange: (template: string, resetEdited: boolean) => void;
}) {
  const { plan, onChange } = props;
  return (
    <div className="template">
      <span aria-hidden="true">Name all as</span>
      <CommitField
        label="Name all as"
        maxLength={500}
        value={plan.template}
        isRequired
        onCommit={(template) => onChange(template, false)}
        hint={<span className="template__words">{words}</span>}
      />
      <WithTooltip text="Takes back every identifier that was edited">
        <Button kind="quiet" icon="undo" onPress={() => onChange(plan.template, true)}>
          Reset all
        </Button>
      </WithTooltip>
    </div>
  );
}
