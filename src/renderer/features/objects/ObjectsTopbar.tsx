import { objectTexts, objectTexts as texts } from '../../i18n/object-texts.ts';
import { type ObjectQuery, sortColumnSchema } from '../../../shared/domain/object.ts';
import { IconButton } from '../../ui/Button.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { type GridColumns, nextSort } from './grid/columns.ts';
import { type ShownRows, shownRowsEntries } from './grid/shown-rows-entries.ts';
import { canBeFavourite, useFavourite } from '../../app/favourites.ts';
import { placeTitle, setSort, usePlace } from '../../app/place.ts';
import { memo } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { focusGrid } from '../../app/grid.ts';
import { hasBanner } from '../../app/proxy-password.ts';
import { useLanguage } from '../../app/use-language.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { ColumnsMenu } from './grid/ColumnsMenu.tsx';
import { countsOf } from './grid/folded-count.ts';
import { FolderTrail } from './grid/FolderTrail.tsx';
import { SearchBox } from './search/SearchBox.tsx';
import { RemoveAll } from './selection/RemoveAll.tsx';
import { UploadButton } from './UploadButton.tsx';

const sortTexts = objectTexts.sort;

type Props = {
  sort: ObjectQuery['sort'];
  names: GridColumns['names'];
  onSort: (sort: ObjectQuery['sort']) => void;
  shownRows: ShownRows;
  onChange: (change: Partial<ShownRows>) => void;
};

/** Replaces the column headings and the columns menu in the tile view. */
function SortMenu({ sort, names, onSort, shownRows, onChange }: Props) {
  return (
    <MenuButton
      label={sortTexts.label}
      placement="bottom end"
      trigger={<IconButton icon="sort" label={sortTexts.label} />}
      entries={[
        {
          kind: 'set',
          id: 'column',
          label: sortTexts.by,
          value: sort.column,
          choices: sortColumnSchema.options.map((value) => ({ value, label: names[value] })),
          chosenText: sortTexts.chosen,
          onChoose: (value) => onSort(nextSort(sort, sortColumnSchema.parse(value))),
        },
        {
          kind: 'set',
          id: 'direction',
          label: sortTexts.order,
          value: sort.direction,
          choices: [
            { value: 'ascending', label: sortTexts.ascending },
            { value: 'descending', label: sortTexts.descending },
          ],
          chosenText: sortTexts.chosen,
          onChoose: (value) =>
            onSort({ ...sort, direction: value === 'ascending' ? 'ascending' : 'descending' }),
        },
        'line',
        ...shownRowsEntries(shownRows, onChange),
      ]}
    />
  );
}

/** Makes the place and search a favourite. Not shown for places that the sidebar always has. */
function FavouriteButton({ serviceId }: { serviceId: string }) {
  const { kind, place, search: typed } = usePlace();
  const search = typed.trim();
  const shown = { kind, place, search };
  const { isKept, label, toggle } = useFavourite(serviceId, shown);
  if (!canBeFavourite(shown) && !isKept) return null;
  return (
    <IconButton icon={isKept ? 'starred' : 'star'} label={label} aria-pressed={isKept} onPress={toggle} />
  );
}

/** Place, view, search and Upload. Memoized, so that moving through the list does not re-render it. */
export const ObjectsTopbar = memo(function ObjectsTopbar(props: {
  service: Service;
  query: ObjectQuery;
  page: Output<'objects.page'> | null;
  names: GridColumns['names'];
  isTiled: boolean;
  hasTeam: boolean;
  settings: Settings;
  onSettings: (change: Partial<Settings>) => void;
  widthPx: number;
  /** Deleted objects have all been removed from the list. */
  onEmptied: () => void;
}) {
  const { service, query, page, isTiled, settings, onSettings, widthPx } = props;
  useLanguage();
  const place = usePlace((state) => state.place);
  const isGone = place.kind === 'gone';
  const path = place.kind === 'folder' && place.path !== '' ? place.path : null;
  return (
    <Topbar
      trail={path !== null && <FolderTrail path={path} separator={service.separator} widthPx={widthPx} />}
      title={<bdi title={path ?? undefined}>{placeTitle(place, service.separator)}</bdi>}
      {...(page && countsOf(page))}
      {...(isGone && { note: texts.goneNote })}
    >
      <FavouriteButton serviceId={service.id} />
      {!isGone && (
        <IconButton
          icon={isTiled ? 'list' : 'tiles'}
          label={isTiled ? texts.view.list : texts.view.grid}
          onPress={() => onSettings({ objectView: isTiled ? 'list' : 'grid' })}
        />
      )}
      {isTiled ? (
        <SortMenu
          sort={query.sort}
          names={props.names}
          onSort={setSort}
          shownRows={settings}
          onChange={onSettings}
        />
      ) : (
        <ColumnsMenu hasTeam={props.hasTeam} settings={settings} onChange={onSettings} />
      )}
      <SearchBox onLeave={focusGrid} />
      {isGone ? (
        page?.total !== 0 && (
          <RemoveAll query={query} serviceName={service.name} onEmptied={props.onEmptied} />
        )
      ) : (
        <UploadButton isQuiet={hasBanner(service)} />
      )}
    </Topbar>
  );
});
