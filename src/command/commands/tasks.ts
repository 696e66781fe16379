import type { ObjectRow } from '../../shared/contract.ts';
import { isClaimed } from '../../shared/domain/claims.ts';
import type { Task } from '../../shared/domain/task.ts';
import { errorLine } from '../error-line.ts';
import { ask } from '../ask.ts';
import { chooseObjects, type ChoiceOptions, type Chosen } from '../choose-objects.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors.ts';
import { atOnce, notThereWords } from '../find-objects.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../exit-code.ts';
import { finishTask } from '../finish-task.ts';
import { objectJson } from '../json.ts';
import { readNames, type NamesFrom } from '../read-names.ts';
import { selectionTexts } from '../selection-texts.ts';
import { commandTexts as texts } from '../texts.ts';

/** Prints the failures of a task and returns its exit code. */
function endOf({ output }: Context, task: Task, isMissingBad: boolean): ExitCode {
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

function failuresJson(task: Task): object[] {
  return failuresOf(task).map(({ identifier, error }) => ({ identifier, error: error.code }));
}

export interface TaskOptions extends Omit<ChoiceOptions, 'looksFurther'>, NamesFrom {}

/** `coffer check ID|FOLDER/|PATTERN…` */
export function check(words: readonly string[], options: TaskOptions): Run {
  return async (context) => {
    const { coffer, output } = context;
    const names = await readNames(context, words, options);
    if (names === null) return exitCodes.done;
    const service = await context.service();
    const { chosen: rows, codes } = await chooseObjects(context, service, names, options);
    if (rows.length === 0) return exitCodeOfAll(codes);
    const selection = { kind: 'ids', ids: rows.map(({ id }) => id) } as const;
    const task = await finishTask(context, await coffer.call('objects.check', { selection }));
    const { present, missing, failed } = task;
    // With a list, an identifier that is not in it was not checked; without one, the service does not have it.
    const [unlisted, absent] = context.hasList ? [codes.length, 0] : [0, codes.length];
    for (const row of await again(context, service, rows))
      output.result(
        texts.stateOf({ state: texts.state[row.state], identifier: row.identifier }),
        objectJson(row),
      );
    const checked = texts.checked({ present, missing: missing + absent, failed });
    output.say(unlisted === 0 ? checked : texts.checkedUnlisted({ checked, count: unlisted }));
    const code = endOf(context, task, true);
    return code === exitCodes.done ? exitCodeOfAll([code, ...codes]) : code;
  };
}

/** `coffer rm ID|FOLDER/|PATTERN… [--yes] [--dry-run]`: asks on a terminal; without a terminal, `--yes` is required. */
export function remove(
  words: readonly string[],
  { yes = false, dryRun = false, ...options }: TaskOptions & { yes?: boolean; dryRun?: boolean },
): Run {
  return async (context) => {
    const { io, output } = context;
    if (!yes && !dryRun && !io.stdin.isTTY) throw new Usage(texts.rmRefused);
    const names = await readNames(context, words, options);
    if (names === null) return exitCodes.done;
    const service = await context.service();
    const { chosen, codes } = await chooseObjects(context, service, names, options);
    if (chosen.length === 0) return exitCodeOfAll(codes);
    if (dryRun) {
      for (const { identifier } of chosen)
        output.result(selectionTexts.wouldRemove({ identifier }), { action: 'rm', identifier });
      return exitCodeOfAll([exitCodes.done, ...codes]);
    }
    const unseen = chosen.filter((row) => isClaimed(row, 'presence')).length;
    if (!yes && !(await agreesToDelete(context, chosen.length, service, unseen))) return exitCodes.error;
    const code = await deleteObjects(context, chosen);
    return code === exitCodes.done ? exitCodeOfAll([code, ...codes]) : code;
  };
}

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

/** Reads the rows again. */
async function again({ coffer }: Context, service: { id: string }, before: readonly Chosen[]) {
  const found: ObjectRow[] = [];
  for (let from = 0; from < before.length; from += atOnce) {
    const identifiers = before.slice(from, from + atOnce).map(({ identifier }) => identifier);
    const { objects } = await coffer.call('command.find', {
      serviceId: service.id,
      kind: 'data',
      identifiers,
    });
    found.push(...objects.filter((row) => row !== null));
  }
  return found;
}

/** `coffer known ID…` */
export function known(identifiers: readonly string[]): Run {
  return async (context) => {
    const { coffer, output } = context;
    const { id: serviceId, name: service } = await context.service();
    const begun = await coffer.call('objects.addKnown', {
      serviceId,
      kind: 'data',
      identifiers: [...identifiers],
    });
    const task = await finishTask(context, begun);
    const listed = task.listed ?? 0;
    const added = task.present - listed;
    const { missing, failed } = task;
    output.result(texts.known_({ added, listed, missing }), {
      added,
      listed,
      missing,
      failed,
      failures: failuresJson(task),
    });
    const notThere = await notThereWords(context);
    for (const identifier of (task.notFound ?? []).toSorted())
      output.error(notThere({ identifier, service }));
    return endOf(context, task, true);
  };
}
