import type { Job, JobState } from '../../shared/domain/job.ts';
import { messages } from '../../shared/i18n/messages.ts';
import { transferTexts } from './transfer-texts.ts';

/** Of a secret, which is one small value. */
const secretWord = messages('jobState', {
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

/** What a deferred request is doing, in the word that its row of the list has for it. */
export function jobStateWord({ kind, state, direction }: Pick<Job, 'kind' | 'state' | 'direction'>): string {
  if (kind === 'secret') return secretWord[state];
  const words = transferTexts.state;
  switch (state) {
    case 'sending':
      return direction === 'upload' ? words.uploading : words.downloading;
    case 'completed':
    case 'fetching':
      return words.downloading;
    case 'unknown':
      return words.verifying;
    case 'lost':
      return secretWord.lost;
    case 'waiting':
    case 'processing':
    case 'verifying':
    case 'done':
    case 'failed':
    case 'cancelled':
      return words[state];
  }
}
