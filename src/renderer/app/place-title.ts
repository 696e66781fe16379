import { folderAbove, nameWithin } from '../../shared/domain/folder.ts';
import type { Place } from '../../shared/domain/object.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { objectTexts } from '../i18n/object-texts.ts';

/** A folder by its last segment: the folders above are shown before it. */
export function placeTitle(place: Place, separator: string): string {
  switch (place.kind) {
    case 'all':
      return objectTexts.place.all;
    case 'unfiled':
      return objectTexts.place.unfiled;
    case 'folder':
      return nameWithin(place.path, folderAbove(place.path, separator), separator);
    case 'classification':
      return place.value ?? commonTexts.serviceDefault;
    case 'gone':
      return objectTexts.place.gone;
    case 'attention':
      return objectTexts.place.attention;
    case 'recent':
      return objectTexts.place.recent;
  }
}
