import type { Draft } from '../../../shared/domain/upload-draft.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { useTyped } from './use-typed.ts';

const words = '{path} {name} {stem} {ext} {date} {hash8}';

/** Names every file that was not named by hand. */
export function TemplateField(props: {
  draft: Draft;
  onChange: (template: string, resetEdited: boolean) => void;
}) {
  const { draft, onChange } = props;
  const [typed, setTyped] = useTyped(draft.template);
  const commit = () => {
    if (typed === '') setTyped(draft.template);
    else if (typed !== draft.template) onChange(typed, false);
  };
  return (
    <div className="template">
      <span aria-hidden="true">Name all as</span>
      <TextField
        label="Name all as"
        labelPlace="hidden"
        look="quiet"
        size="regular"
        maxLength={500}
        spellCheck="false"
        value={typed}
        onChange={setTyped}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          // Escape is for the sheet.
          else event.continuePropagation();
        }}
        hint={<span className="template__words">{words}</span>}
      />
      <WithTooltip text="Takes back every identifier that was edited">
        <Button kind="quiet" icon="undo" onPress={() => onChange(draft.template, true)}>
          Reset all
        </Button>
      </WithTooltip>
    </div>
  );
}
