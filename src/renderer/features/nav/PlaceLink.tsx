import type { KeyboardEvent, ReactNode } from 'react';
import type { ObjectKind, Place } from '../../../shared/domain/object.ts';
import { useOpenFavourite } from '../../app/favourites.ts';
import { showPlace, usePlace } from '../../app/place.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { NavItem } from './NavItem.tsx';

type PlaceLinkProps = {
  place: Place;
  kind?: ObjectKind;
  label: string;
  count?: number;
  icon?: IconName;
  mark?: ReactNode;
  level?: number;
  isExpanded?: boolean | undefined;
  isMarkOnly?: boolean;
  dropFolder?: string;
  onMenu?: (at: { x: number; y: number }, from: HTMLElement) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
};

export function PlaceLink({ place, kind = 'data', icon, mark, ...item }: PlaceLinkProps) {
  const itemKey = keyOf(place, kind);
  const isHere = usePlace((shown) => shown.view === 'objects' && keyOf(shown.place, shown.kind) === itemKey);
  const isFavourite = useOpenFavourite() !== undefined;
  return (
    <NavItem
      {...item}
      itemKey={itemKey}
      isCurrent={isHere && !isFavourite}
      mark={icon === undefined ? mark : <Icon name={icon} />}
      onOpen={() => showPlace(place, kind)}
    />
  );
}

export function keyOf(place: Place, kind: ObjectKind): string {
  switch (place.kind) {
    case 'all':
    case 'unfiled':
    case 'gone':
    case 'attention':
    case 'recent':
      return `${kind} ${place.kind}`;
    case 'folder':
      return `${kind} folder ${place.path}`;
    case 'classification':
      return place.value === null ? `${kind} default` : `${kind} classification ${place.value}`;
  }
}
