import type { JobSummary } from '../../../shared/domain/job.ts';
import { formatCounted } from '../../i18n/format.ts';
import type { IconName } from '../../ui/icons.tsx';

/** The one trouble that cannot wait; null: there is none. */
export function worstOf({ counts, lost, failed }: JobSummary): { icon: IconName; text: string } | null {
  if (counts.closing > 0)
    return { icon: 'clock', text: `${formatCounted(counts.closing, 'window', 'windows')} closing` };
  if (lost > 0) return { icon: 'x', text: `${formatCounted(lost, 'result', 'results')} lost` };
  return failed === 0 ? null : { icon: 'fail', text: `${formatCounted(failed, 'job', 'jobs')} failed` };
}
