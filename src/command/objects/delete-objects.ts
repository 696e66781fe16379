import type { Task } from '../../shared/domain/task.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { Context } from '../context.ts';
import { exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import type { Chosen } from './choose-objects.ts';
import { notThereWords, rowsOf } from './find-objects.ts';
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
  const selection = { kind: 'ids', ids: objects.map(({ id }) => id) } as const;
  const task = await finishTask(context, await context.coffer.call('objects.delete', { selection }));
  const { present: requested, missing: deleted } = task;
  if (onEnd) onEnd({ deleted, requested });
  else sayDeleted(context, task);
  return endOf(context, task, false);
}

/**
 * As `deleteObjects`, for objects that nobody has looked for: names those that the service does not have.
 * @param codes exit codes of what was not found before
 */
export async function deleteUnseen(
  context: Context,
  service: Service,
  objects: readonly Chosen[],
  codes: readonly ExitCode[],
): Promise<ExitCode> {
  const { coffer, output } = context;
  const selection = { kind: 'ids', ids: objects.map(({ id }) => id) } as const;
  const ended = await finishTask(context, await coffer.call('objects.delete', { selection, unseen: true }));
  const identifiers = objects.map(({ identifier }) => identifier);
  const absent = (await rowsOf(context, service, 'data', identifiers)).filter(
    (row) => row?.state === 'missing',
  );
  const notThere = await notThereWords(context);
  for (const row of absent)
    output.error(notThere({ identifier: row?.identifier ?? '', service: service.name }));
  const all = [...codes, ...absent.map(() => exitCodes.notFound)];
  if (absent.length === objects.length) return exitCodeOfAll(all);
  const task = { ...ended, total: ended.total - absent.length };
  sayDeleted(context, task);
  const code = endOf(context, task, false);
  return code === exitCodes.done ? exitCodeOfAll([code, ...all]) : code;
}

function sayDeleted({ output }: Context, task: Task): void {
  const { present: requested, missing: deleted, failed } = task;
  const leftOut = leftOutCount(task);
  const failures = failuresJson(task);
  output.result(endText(task), { deleted, requested, leftOut, failed, failures });
}

function endText(task: Task): string {
  const { present: requested, missing } = task;
  const leftOut = leftOutCount(task);
  const deleted = texts.deleted({ count: missing });
  const text = requested === 0 ? deleted : texts.deletedRequested({ deleted, count: requested });
  return leftOut === 0 ? text : texts.deletedLeftOut({ deleted: text, count: leftOut });
}
