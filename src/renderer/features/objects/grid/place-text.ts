import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Place } from '../../../../shared/domain/object.ts';

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
    case 'recent':
      return objectTexts.empty.recent;
  }
}
