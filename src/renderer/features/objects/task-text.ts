import { midSentence } from '../../i18n/mid-sentence.ts';
import { objectChangeTexts } from '../../i18n/object-change-texts.ts';
import type { Task } from '../../../shared/domain/task.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatDuration, formatList } from '../../../shared/i18n/format.ts';

const texts = objectChangeTexts.task;

/** `Checking 120 of 1,204`, with the waiting time if the service asked for one. */
export function taskProgressText({ kind, done, total, retryAtMs }: Task, nowMs: number): string {
  const running = { check: texts.checking, addKnown: texts.adding, delete: texts.deleting };
  const progress = running[kind]({ done, total });
  return retryAtMs === null || retryAtMs <= nowMs
    ? progress
    : texts.waiting({ progress, duration: formatDuration(retryAtMs - nowMs) });
}

/** The result: `Checked 12 objects: 11 present, 1 missing`. */
export function taskResultText(task: Task): string {
  const counts = countsText(task);
  const head = headText(task);
  return counts === '' ? head : texts.result({ task: head, counts });
}

/** For *Add known*: what was added to the list. */
export function addedCount({ done, listed = 0, missing, failed }: Task): number {
  return done - listed - missing - failed;
}

function headText(task: Task): string {
  const { kind, state, done, total, missing, isHeld } = task;
  if (state === 'cancelled' && isHeld) return texts.undone({ count: total });
  if (state === 'cancelled') {
    const stopped = {
      check: texts.stoppedChecking,
      addKnown: texts.stoppedAdding,
      delete: texts.stoppedDeleting,
    };
    return stopped[kind]({ done, total });
  }
  if (kind === 'addKnown')
    return isLookedFor(task) ? texts.lookedFor({ count: total }) : texts.added({ count: addedCount(task) });
  return kind === 'check' ? texts.checked({ count: total }) : texts.deleted({ count: missing });
}

/** Objects that a complete deletion left out, because they were already being stored or deleted. */
function leftOutCount({ kind, state, total, present, missing, failed }: Task): number {
  return kind === 'delete' && state === 'done' ? total - present - missing - failed : 0;
}

/** Whether the identifiers were checked at the service. Secrets cannot be, and are added unchecked. */
function isLookedFor({ present, missing, failed }: Task): boolean {
  return present + missing + failed > 0;
}

function countsText(task: Task): string {
  const { kind, state, present, missing, failed, error, listed = 0 } = task;
  const say = (count: number, text: (values: { count: number }) => string) => count > 0 && text({ count });
  const counted = {
    check: [say(present, texts.countPresent), say(missing, texts.countMissing)],
    addKnown: [
      isLookedFor(task) && say(addedCount(task), texts.countAdded),
      say(listed, texts.countListed),
      say(missing, texts.countAbsent),
    ],
    delete: [
      state === 'cancelled' && say(missing, texts.countGone),
      say(leftOutCount(task), texts.countLeftOut),
      say(present, texts.countThere),
    ],
  };
  return formatList([
    ...counted[kind],
    say(failed, texts.countFailed),
    failed > 0 && error !== null && midSentence(errorText(error).title),
  ]);
}

/** Whether nothing failed or was missing, and nothing remains that should be deleted. */
export function isAsHoped(task: Task): boolean {
  const { kind, state, present, missing, failed } = task;
  if (state === 'failed' || failed > 0 || leftOutCount(task) > 0) return false;
  return kind === 'delete' ? present === 0 : missing === 0;
}
