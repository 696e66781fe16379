import { jobTexts } from '../../i18n/job-texts.ts';
import type { JobSummary } from '../../../shared/domain/job.ts';
import type { IconName } from '../../ui/icons.tsx';

const texts = jobTexts.trouble;

/** The one trouble that cannot wait; null: there is none. */
export function worstOf({ counts, lost, failed }: JobSummary): { icon: IconName; text: string } | null {
  if (counts.closing > 0) return { icon: 'clock', text: texts.closing({ count: counts.closing }) };
  if (lost > 0) return { icon: 'x', text: texts.lost({ count: lost }) };
  return failed === 0 ? null : { icon: 'fail', text: texts.failed({ count: failed }) };
}
