import type { Output } from '../../../../shared/contract.ts';
import { objectTexts as texts } from '../../../i18n/object-texts.ts';

/** The number of objects, including older versions hidden behind rows. */
export function countsOf({ total, folded = 0, outOf }: Output<'objects.page'>) {
  return { count: total + folded, outOf, ...(folded > 0 && { note: texts.folded({ count: folded }) }) };
}
