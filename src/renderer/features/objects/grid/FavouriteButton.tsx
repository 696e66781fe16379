import { useFavourite } from '../../../app/favourites.ts';
import { usePlace } from '../../../app/place.ts';
import { IconButton } from '../../../ui/Button.tsx';

/** Makes the place and search a favourite. Not shown for places that the sidebar always has. */
export function FavouriteButton({ serviceId }: { serviceId: string }) {
  const { kind, place, search: typed } = usePlace();
  const search = typed.trim();
  const { isKept, label, toggle } = useFavourite(serviceId, { kind, place, search });
  if (search === '' && place.kind !== 'folder' && !isKept) return null;
  return (
    <IconButton icon={isKept ? 'starred' : 'star'} label={label} aria-pressed={isKept} onPress={toggle} />
  );
}
