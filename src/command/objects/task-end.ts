import type { Task } from '../../shared/domain/task.ts';
import type { Context } from '../context.ts';
import { errorLine } from '../errors/error-line.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { commandTexts as texts } from '../texts.ts';

/** Prints the failures of a task and returns its exit code. */
export function endOf({ output }: Context, task: Task, isMissingBad: boolean): ExitCode {
  const { state, failed, missing, total, error } = task;
  const failures = failuresOf(task);
  for (const { identifier, error: why } of failures)
    output.error(texts.failed({ identifier, text: errorLine(why) }));
  const unnamed = failed - failures.length;
  if (unnamed > 0 && failures.length > 0) output.error(texts.failedMore({ count: unnamed }));
  else if (unnamed > 0 && error) output.error(texts.error({ text: errorLine(error) }));
  if (state === 'cancelled') return exitCodes.interrupted;
  const bad = failed + (isMissingBad ? missing : 0);
  if (bad === 0) return exitCodes.done;
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
