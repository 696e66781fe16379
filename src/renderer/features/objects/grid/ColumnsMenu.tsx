import { objectTexts } from '../../../i18n/object-texts.ts';
import { columnSchema, type Column, type Settings } from '../../../../shared/domain/settings.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { MenuButton } from '../../../ui/Menu.tsx';
import { shownRowsEntries, type ShownRows } from './shown-rows-entries.ts';

const texts = objectTexts.columns;

const ofTeam: Column = 'storedBy';

/** Hides the columns that only make sense in a team. */
export function withoutTeam<S extends Pick<Settings, 'hiddenColumns'>>(settings: S): S {
  return { ...settings, hiddenColumns: [...settings.hiddenColumns, ofTeam] };
}

type Props = {
  /** Whether colleagues can have stored objects. */
  hasTeam: boolean;
  settings: Settings;
  onChange: (change: Partial<Pick<Settings, 'hiddenColumns' | 'columnWidths'> & ShownRows>) => void;
};

export function ColumnsMenu({ hasTeam, settings, onChange }: Props) {
  const { hiddenColumns } = settings;
  const offered = columnSchema.options.filter((column) => hasTeam || column !== ofTeam);
  const entries = offered.map((column) => {
    const isHidden = hiddenColumns.includes(column);
    return {
      id: column,
      label: objectTexts.column[column],
      text: isHidden ? texts.hidden : texts.shown,
      ...(isHidden ? {} : { icon: 'check' as const }),
      onAction: () =>
        onChange({
          hiddenColumns: isHidden
            ? hiddenColumns.filter((other) => other !== column)
            : [...hiddenColumns, column],
        }),
    };
  });
  return (
    <MenuButton
      label={texts.label}
      placement="bottom end"
      trigger={<IconButton icon="columns" label={texts.label} />}
      entries={[
        ...entries,
        'line',
        ...shownRowsEntries(settings, onChange),
        'line',
        { id: 'widths', label: texts.reset, onAction: () => onChange({ columnWidths: {} }) },
      ]}
    />
  );
}
