import { columnSchema, type Settings } from '../../../shared/domain/settings.ts';
import { IconButton } from '../../ui/Button.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { columnNames } from './columns.ts';

type Props = {
  settings: Settings;
  onChange: (change: Pick<Partial<Settings>, 'hiddenColumns' | 'columnWidths'>) => void;
};

export function ColumnsMenu({ settings: { hiddenColumns }, onChange }: Props) {
  const entries = columnSchema.options.map((column) => {
    const isHidden = hiddenColumns.includes(column);
    return {
      id: column,
      label: columnNames[column],
      text: isHidden ? 'Hidden' : 'Shown',
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
      label="Columns"
      placement="bottom end"
      trigger={<IconButton icon="columns" label="Columns" />}
      entries={[
        ...entries,
        'line',
        { id: 'widths', label: 'Reset widths', onAction: () => onChange({ columnWidths: {} }) },
      ]}
    />
  );
}
