import type { Task } from '../../../shared/domain/task.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatCount, formatCounted, formatDuration } from '../../i18n/format.ts';

const runningVerbs: Record<Task['kind'], string> = {
  check: 'Checking',
  addKnown: 'Adding',
  delete: 'Deleting',
};

/** `Checking 120 of 1,204`, with the wait when the service asked for one. */
export function taskProgressText({ kind, done, total, retryAtMs }: Task, nowMs: number): string {
  const progress = `${runningVerbs[kind]} ${formatCount(done)} of ${formatCount(total)}`;
  return retryAtMs === null || retryAtMs <= nowMs
    ? progress
    : `${progress}, waiting ${formatDuration(retryAtMs - nowMs)}`;
}

/** What came of it: `Checked 12 objects: 11 present, 1 missing`. */
export function taskResultText(task: Task): string {
  const { kind, total, done, present, missing, failed } = task;
  const objects =
    kind === 'addKnown'
      ? formatCounted(total, 'identifier', 'identifiers')
      : formatCounted(total, 'object', 'objects');
  const counts: string[] = [];
  const count = (number: number, word: string) => number > 0 && counts.push(`${formatCount(number)} ${word}`);
  switch (kind) {
    case 'check':
      count(present, 'present');
      count(missing, 'missing');
      break;
    case 'addKnown':
      count(present, 'added');
      count(missing, 'not at the service');
      break;
    case 'delete':
      // That all are gone needs no words.
      if (missing < total) count(missing, 'gone');
      count(present, 'still there');
      break;
  }
  count(failed, 'failed');
  if (task.error !== null && failed > 0) counts.push(errorText(task.error).title.toLowerCase());
  // The service is not asked for secrets: they are added as they are.
  const addVerb = counts.length === 0 ? 'Added' : 'Looked for';
  const verb = { check: 'Checked', addKnown: addVerb, delete: 'Deleted' }[kind];
  const head =
    task.state === 'cancelled'
      ? `${runningVerbs[kind]} stopped after ${formatCount(done)} of ${objects}`
      : `${verb} ${objects}`;
  return counts.length === 0 ? head : `${head}: ${counts.join(', ')}`;
}

/** Nothing failed, nothing was missing, nothing that should be gone is still there. */
export function isAsHoped({ kind, state, present, missing, failed }: Task): boolean {
  if (state === 'failed' || failed > 0) return false;
  return kind === 'check' ? missing === 0 : kind !== 'delete' || present === 0;
}
