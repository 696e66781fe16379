import type { Place } from '../../../shared/domain/object.ts';

export function placeTitle(place: Place): string {
  switch (place.kind) {
    case 'all':
      return 'All objects';
    case 'unfiled':
      return 'Unfiled';
    case 'folder':
      return place.path;
    case 'classification':
      return place.value ?? 'Service default';
    case 'gone':
      return 'Gone';
  }
}

/** Why there is nothing in it. */
export function emptyPlaceText(place: Place): string {
  switch (place.kind) {
    case 'all':
    case 'unfiled':
      return 'Every object here has a folder in its identifier.';
    case 'folder':
      return 'Objects whose identifier begins with this folder stand here.';
    case 'classification':
      return 'No object has this classification.';
    case 'gone':
      return 'Objects that you delete stand here until you remove them from the list.';
  }
}
