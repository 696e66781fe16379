import type { ServiceField } from '../../app/service-field.ts';
import { connectTexts as texts } from '../../i18n/connect-texts.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import type { Chosen } from './draft.ts';
import { fieldMark } from './focus-field.ts';

/** A chosen file or folder, with a button to choose another one. */
export function ChosenFile(props: {
  field: ServiceField;
  label: string;
  chosen: Chosen;
  none: string;
  icon?: IconName;
  onChoose: () => void;
  onClear?: () => void;
}) {
  const { field, label, chosen, none, icon, onChoose, onClear } = props;
  return (
    <div className="form__row" {...fieldMark(field)}>
      <span className="form__label">{label}</span>
      <div className="form__field">
        <span className="input input--line input--shown">
          {chosen.kind !== 'none' && icon !== undefined && <Icon name={icon} />}
          {chosen.kind === 'none' ? (
            <span className="dim">{none}</span>
          ) : (
            <span title={chosen.label}>{chosen.label}</span>
          )}
        </span>
        {onClear !== undefined && chosen.kind !== 'none' && (
          <IconButton label={`${texts.clear} ${label}`} icon="x" className="form__clear" onPress={onClear} />
        )}
        <Button kind="line" size="large" onPress={onChoose} aria-label={`${texts.choose} ${label}`}>
          {texts.choose}
        </Button>
      </div>
    </div>
  );
}
