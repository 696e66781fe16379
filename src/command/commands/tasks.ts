import type { ObjectRow } from '../../shared/contract.ts';
import type { Task } from '../../shared/domain/task.ts';
import { errorLine } from '../error-line.ts';
import { ask } from '../ask.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors.ts';
import { atOnce, findListed, notThereWords } from '../find-objects.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../exit-code.ts';
import { finishTask } from '../finish-task.ts';
import { objectJson } from '../json.ts';
import { commandTexts as texts } from '../texts.ts';

/** Prints the failures of a task and returns its exit code. */
function endOf(
  { output }: Context,
  { state, failed, failures = [], missing, total, error }: Task,
  isMissingBad: boolean,
): ExitCode {
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

function failuresJson({ failures = [] }: Task): object[] {
  return failures.map(({ identifier, error }) => ({ identifier, error: error.code }));
}

/** `coffer check ID…` */
export function check(identifiers: readonly string[]): Run {
  return async (context) => {
    const { coffer, output } = context;
    const service = await context.service();
    const { rows, codes } = await findListed(context, service, identifiers);
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

/** `coffer rm ID… [--yes]`: asks on a terminal; without a terminal, `--yes` is required. */
export function remove(identifiers: readonly string[], { yes }: { yes: boolean }): Run {
  return async (context) => {
    const { io, coffer, output } = context;
    const service = await context.service();
    if (!yes && !io.stdin.isTTY) throw new Usage(texts.rmRefused);
    const { rows, codes } = await findListed(context, service, identifiers);
    if (rows.length === 0) return exitCodeOfAll(codes);
    if (!yes && !(await agrees(context, texts.rmAsk({ count: rows.length, service: service.name })))) {
      output.say(texts.rmNotDeleted);
      return exitCodes.error;
    }
    const selection = { kind: 'ids', ids: rows.map(({ id }) => id) } as const;
    const task = await finishTask(context, await coffer.call('objects.delete', { selection }));
    const { state, total, present, missing, failed } = task;
    // Objects that were already missing count as deleted.
    const count = state === 'cancelled' ? present + missing : total - failed;
    output.result(texts.deleted({ count }), {
      deleted: count,
      failed,
      failures: failuresJson(task),
    });
    const code = endOf(context, task, false);
    return code === exitCodes.done ? exitCodeOfAll([code, ...codes]) : code;
  };
}

async function agrees({ io, interrupted }: Context, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(io, question, interrupted))?.trim() ?? '');
}

/** Reads the rows again. */
async function again({ coffer }: Context, service: { id: string }, before: readonly ObjectRow[]) {
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
    for (const identifier of task.notFound ?? []) output.error(notThere({ identifier, service }));
    return endOf(context, task, true);
  };
}
