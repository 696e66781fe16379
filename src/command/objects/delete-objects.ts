import type { Task } from '../../shared/domain/task.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../errors/exit-code.ts';
import { ask } from '../terminal/ask.ts';
import { commandTexts as texts } from '../texts.ts';
import { finishTask } from './finish-task.ts';
import { endOf, failuresJson, leftOutCount } from './task-end.ts';

/**
 * Asks on the terminal, and confirms a refusal.
 * @param unseen number of objects whose existence only an imported list or the team claims
 */
export async function agreesToDelete(
  { io, output, interrupted }: Context,
  count: number,
  { name: service }: { name: string },
  unseen = 0,
): Promise<boolean> {
  const doubt =
    unseen === 0 ? '' : `${count === 1 ? texts.rmUnseenOne : texts.rmUnseen({ count: unseen })}\n`;
  const answer = await ask(io, doubt + texts.rmAsk({ count, service }), interrupted);
  if (/^y(es)?$/i.test(answer?.trim() ?? '')) return true;
  output.say(texts.rmNotDeleted);
  return false;
}

export interface Deletions {
  /** HEAD says that they are gone. */
  readonly deleted: number;
  /** The service has accepted their deletion, and still has them. */
  readonly requested: number;
}

/** Deletes objects and prints their number. @param onEnd gets the numbers instead */
export async function deleteObjects(
  context: Context,
  objects: readonly { readonly id: number }[],
  onEnd?: (deletions: Deletions) => void,
): Promise<ExitCode> {
  const { coffer, output } = context;
  const selection = { kind: 'ids', ids: objects.map(({ id }) => id) } as const;
  const task = await finishTask(context, await coffer.call('objects.delete', { selection }));
  const { present: requested, missing: deleted, failed } = task;
  if (onEnd) onEnd({ deleted, requested });
  else
    output.result(endText(task), {
      deleted,
      requested,
      leftOut: leftOutCount(task),
      failed,
      failures: failuresJson(task),
    });
  return endOf(context, task, false);
}

function endText(task: Task): string {
  const { present: requested, missing } = task;
  const leftOut = leftOutCount(task);
  const deleted = texts.deleted({ count: missing });
  const text = requested === 0 ? deleted : texts.deletedRequested({ deleted, count: requested });
  return leftOut === 0 ? text : texts.deletedLeftOut({ deleted: text, count: leftOut });
}
