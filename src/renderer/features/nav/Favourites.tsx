import { keyOfFavourite } from '../../../shared/domain/shown-list.ts';
import { isPressed, listKeys } from '../../../shared/keys.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { useFavourites, useOpenFavourite } from '../../app/favourites.ts';
import { placeTitle, setSearch, showPlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { NavItem } from './NavItem.tsx';

const texts = appTexts.nav;

/** Favourite places and searches; the Delete key removes one. Renders nothing if there are none. */
export function Favourites({ service, isMarkOnly }: { service: Service; isMarkOnly: boolean }) {
  const favourites = useFavourites(service.id);
  const open = useOpenFavourite();
  const client = useClient();
  if (favourites.length === 0) return null;
  return (
    <>
      {!isMarkOnly && <h2 className="side__head">{texts.favourites}</h2>}
      {favourites.map((favourite) => {
        const title = placeTitle(favourite.place, service.separator);
        return (
          <NavItem
            key={keyOfFavourite(favourite)}
            itemKey={`favourite ${keyOfFavourite(favourite)}`}
            label={favourite.search === '' ? title : favourite.search}
            mark={<Icon name={favourite.search === '' ? 'star' : 'search'} />}
            isCurrent={favourite === open}
            isMarkOnly={isMarkOnly}
            onOpen={() => {
              showPlace(favourite.place, favourite.kind);
              setSearch(favourite.search);
            }}
            onKeyDown={(event) => {
              if (!isPressed(listKeys.delete, event)) return;
              const change = { id: service.id, favourite, isKept: false };
              sayFailure(client.call('services.keepFavourite', change));
            }}
          />
        );
      })}
    </>
  );
}
