import { isSameFavourite } from '../../../../shared/domain/shown-list.ts';
import { useClient } from '../../../app/client.ts';
import { useFavourites } from '../../../app/favourites.ts';
import { usePlace } from '../../../app/place.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { IconButton } from '../../../ui/Button.tsx';

const texts = objectTexts.favourite;

/** Keeps the place and the search in the sidebar. Not for what the sidebar has anyway. */
export function FavouriteButton({ serviceId }: { serviceId: string }) {
  const client = useClient();
  const { kind, place, search: typed } = usePlace();
  const search = typed.trim();
  const favourite = { kind, place, search };
  const isKept = useFavourites(serviceId).some((other) => isSameFavourite(other, favourite));
  if (search === '' && place.kind !== 'folder' && !isKept) return null;
  return (
    <IconButton
      icon={isKept ? 'starred' : 'star'}
      label={isKept ? texts.remove : texts.add}
      aria-pressed={isKept}
      onPress={() =>
        sayFailure(client.call('services.keepFavourite', { id: serviceId, favourite, isKept: !isKept }))
      }
    />
  );
}
