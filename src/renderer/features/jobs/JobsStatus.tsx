import { useEffect } from 'react';
import type { JobSummary } from '../../../shared/domain/job.ts';
import { useClient } from '../../app/client.ts';
import { showDock } from '../../app/dock.ts';
import { useJobSummary } from '../../app/stores.ts';
import { formatCounted } from '../../i18n/format.ts';
import type { IconName } from '../../ui/icons.tsx';
import { State } from '../../ui/State.tsx';
import { tellJobNews } from './news.ts';

/** The jobs' part of the line at the bottom. Stands once, and says what finishes and what is about to be lost. */
export function JobsStatus() {
  const client = useClient();
  const summary = useJobSummary();
  useEffect(() => tellJobNews(client), [client]);
  if (summary === null) return null;
  const worst = worstOf(summary);
  const jobs = summary.active === 0 ? null : formatCounted(summary.active, 'job', 'jobs');
  const name = [worst?.text, jobs].filter((part) => part != null).join(', ');
  if (name === '') return null;
  return (
    <button type="button" className="status__jobs" aria-label={name} onClick={() => showDock('jobs')}>
      {worst !== null && (
        <State icon={worst.icon} tone="bad">
          {worst.text}
        </State>
      )}
      {jobs}
    </button>
  );
}

/** The line has room for one trouble: the one that cannot wait. */
function worstOf({ counts, lost, failed }: JobSummary): { icon: IconName; text: string } | null {
  if (counts.closing > 0)
    return { icon: 'clock', text: `${formatCounted(counts.closing, 'window', 'windows')} closing` };
  if (lost > 0) return { icon: 'x', text: `${formatCounted(lost, 'result', 'results')} lost` };
  return failed === 0 ? null : { icon: 'fail', text: `${formatCounted(failed, 'job', 'jobs')} failed` };
}
