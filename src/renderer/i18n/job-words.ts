import { messages } from '../../shared/i18n/messages.ts';
import type { JobState } from '../../shared/domain/job.ts';

export const jobStateWord = messages('jobState', {
  waiting: 'Waiting',
  sending: 'Sending',
  unknown: 'Verifying',
  processing: 'Processing',
  completed: 'Fetching',
  fetching: 'Fetching',
  verifying: 'Verifying',
  done: 'Done',
  lost: 'Result lost',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Record<JobState, string>);
