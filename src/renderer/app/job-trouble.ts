import { transferTexts } from '../i18n/transfer-texts.ts';
import type { TabSummary } from '../../shared/domain/transfer-summary.ts';
import type { IconName } from '../ui/icons.tsx';

const texts = transferTexts.trouble;

/** The most urgent problem of the jobs; null: none. */
export function worstOf({ counts, lost, failed }: TabSummary): { icon: IconName; text: string } | null {
  if (counts.closing > 0) return { icon: 'clock', text: texts.closing({ count: counts.closing }) };
  if (lost > 0) return { icon: 'x', text: texts.lost({ count: lost }) };
  return failed === 0 ? null : { icon: 'fail', text: texts.failed({ count: failed }) };
}
