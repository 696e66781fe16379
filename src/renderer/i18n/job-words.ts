import type { JobState } from '../../shared/domain/job.ts';

export const jobStateWord: Readonly<Record<JobState, string>> = {
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
};
