import { memo } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { ObjectQuery } from '../../../shared/domain/object.ts';
import type { Service } from '../../../shared/domain/service.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { focusGrid } from '../../app/grid.ts';
import { placeTitle, setSort, usePlace } from '../../app/place.ts';
import { hasBanner } from '../../app/proxy-password.ts';
import { useLanguage } from '../../app/use-language.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { objectTexts as texts } from '../../i18n/object-texts.ts';
import { IconButton } from '../../ui/Button.tsx';
import type { GridColumns } from './grid/columns.ts';
import { ColumnsMenu } from './grid/ColumnsMenu.tsx';
import { FavouriteButton } from './grid/FavouriteButton.tsx';
import { countsOf } from './grid/folded-count.ts';
import { FolderTrail } from './grid/FolderTrail.tsx';
import { SortMenu } from './grid/SortMenu.tsx';
import { SearchBox } from './search/SearchBox.tsx';
import { RemoveAll } from './selection/RemoveAll.tsx';
import { UploadButton } from './UploadButton.tsx';

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
  const path = place.kind === 'folder' ? place.path : null;
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
