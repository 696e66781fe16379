import type { Output } from '../../../../shared/contract.ts';
import { objectTexts as texts } from '../../../i18n/object-texts.ts';

/** Objects, of which some may be folded under the rows that stand for them. */
export function countsOf({ total, folded = 0, outOf }: Output<'objects.page'>) {
  return { count: total + folded, outOf, ...(folded > 0 && { note: texts.folded({ count: folded }) }) };
}
