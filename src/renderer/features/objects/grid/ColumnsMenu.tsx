import { objectTexts } from '../../../i18n/object-texts.ts';
import { columnSchema, type Settings } from '../../../../shared/domain/settings.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { MenuButton } from '../../../ui/Menu.tsx';
import { shownRowsEntries, type ShownRows } from './shown-rows-entries.ts';

const texts = objectTexts.columns;

type Props = {
  settings: Settings;
  onChange: (change: Partial<Pick<Settings, 'hiddenColumns' | 'columnWidths'> & ShownRows>) => void;
};

export function ColumnsMenu({ settings, onChange }: Props) {
  const { hiddenColumns } = settings;
  const entries = columnSchema.options.map((column) => {
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
