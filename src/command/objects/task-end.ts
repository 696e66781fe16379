import type { Task } from '../../shared/domain/task.ts';
import type { Context } from '../context.ts';
import { errorLine } from '../errors/error-line.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { commandTexts as texts } from '../texts.ts';

/** Objects of a deletion that ended which were being stored or deleted already: nothing was done for them. */
export function leftOutCount({ kind, state, total, present, missing, failed }: Task): number {
  return kind === 'delete' && state === 'done' ? total - present - missing - failed : 0;
}

/** Prints the failures of a task and returns its exit code. */
export function endOf({ output }: Context, task: Task, isMissingBad: boolean): ExitCode {
  const { kind, state, present, missing, total, error } = task;
  const failures = failuresOf(task);
  const requested = kind === 'delete' ? present : 0;
  // A deletion that was cancelled names none of those that are still there.
  const failed = task.failed + (state === 'cancelled' ? 0 : requested);
  for (const { identifier, error: why } of failures)
    output.error(texts.failed({ identifier, text: errorLine(why) }));
  const unnamed = failed - failures.length;
  if (unnamed > 0 && failures.length > 0) output.error(texts.failedMore({ count: unnamed }));
  else if (unnamed > 0 && error) output.error(texts.error({ text: errorLine(error) }));
  if (state === 'cancelled') return exitCodes.interrupted;
  const leftOut = leftOutCount(task);
  const bad = failed + leftOut + (isMissingBad ? missing : 0);
  if (bad === 0) return exitCodes.done;
  // The service or Coffer is still at it.
  if (bad === requested + leftOut) return exitCodes.tryLater;
  if (bad < total) return exitCodes.someFailed;
  if (failed > 0) return error ? exitCodeOf(error) : exitCodes.error;
  return exitCodes.notFound;
}

/** Sorted by identifier, since the service answers in any order. */
function failuresOf({ failures = [] }: Task): NonNullable<Task['failures']> {
  return failures.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1));
}

export function failuresJson(task: Task): object[] {
  return failuresOf(task).map(({ identifier, error }) => ({ identifier, error: error.code }));
}
