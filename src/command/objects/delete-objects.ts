import type { Context } from '../context.ts';
import type { ExitCode } from '../errors/exit-code.ts';
import { ask } from '../terminal/ask.ts';
import { commandTexts as texts } from '../texts.ts';
import { finishTask } from './finish-task.ts';
import { endOf, failuresJson } from './task-end.ts';

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

/** Deletes objects and prints their number. @param onEnd gets the number instead */
export async function deleteObjects(
  context: Context,
  objects: readonly { readonly id: number }[],
  onEnd?: (deleted: number) => void,
): Promise<ExitCode> {
  const { coffer, output } = context;
  const selection = { kind: 'ids', ids: objects.map(({ id }) => id) } as const;
  const task = await finishTask(context, await coffer.call('objects.delete', { selection }));
  const { state, total, present, missing, failed } = task;
  // Objects that were already missing count as deleted.
  const count = state === 'cancelled' ? present + missing : total - failed;
  if (onEnd) onEnd(count);
  else output.result(texts.deleted({ count }), { deleted: count, failed, failures: failuresJson(task) });
  return endOf(context, task, false);
}
