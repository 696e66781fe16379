import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { folderAbove, nameWithin } from '../../../../shared/domain/folder.ts';
import type { Place } from '../../../../shared/domain/object.ts';

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
  }
}

/** Why the place is empty. */
export function emptyPlaceText(place: Place): string {
  switch (place.kind) {
    case 'all':
    case 'unfiled':
      return objectTexts.empty.unfiled;
    case 'folder':
      return objectTexts.empty.folder;
    case 'classification':
      return objectTexts.empty.classification;
    case 'gone':
      return objectTexts.empty.gone;
    case 'attention':
      return objectTexts.empty.attention;
  }
}
