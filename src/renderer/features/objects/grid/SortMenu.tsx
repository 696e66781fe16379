import { objectTexts } from '../../../i18n/object-texts.ts';
import { sortColumnSchema, type ObjectQuery } from '../../../../shared/domain/object.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { MenuButton } from '../../../ui/Menu.tsx';
import { nextSort, type GridColumns } from './columns.ts';
import { shownRowsEntries, type ShownRows } from './shown-rows-entries.ts';

const texts = objectTexts.sort;

type Props = {
  sort: ObjectQuery['sort'];
  names: GridColumns['names'];
  onSort: (sort: ObjectQuery['sort']) => void;
  shownRows: ShownRows;
  onChange: (change: Partial<ShownRows>) => void;
};

/** Replaces the column headings and the columns menu in the tile view. */
export function SortMenu({ sort, names, onSort, shownRows, onChange }: Props) {
  return (
    <MenuButton
      label={texts.label}
      placement="bottom end"
      trigger={<IconButton icon="sort" label={texts.label} />}
      entries={[
        {
          kind: 'set',
          id: 'column',
          label: texts.by,
          value: sort.column,
          choices: sortColumnSchema.options.map((value) => ({ value, label: names[value] })),
          chosenText: texts.chosen,
          onChoose: (value) => onSort(nextSort(sort, sortColumnSchema.parse(value))),
        },
        {
          kind: 'set',
          id: 'direction',
          label: texts.order,
          value: sort.direction,
          choices: [
            { value: 'ascending', label: texts.ascending },
            { value: 'descending', label: texts.descending },
          ],
          chosenText: texts.chosen,
          onChoose: (value) =>
            onSort({ ...sort, direction: value === 'ascending' ? 'ascending' : 'descending' }),
        },
        'line',
        ...shownRowsEntries(shownRows, onChange),
      ]}
    />
  );
}
