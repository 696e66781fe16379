import { createInterface } from 'node:readline/promises';
import type { Task } from '../../shared/domain/task.ts';
import { findListed, Usage, type Run } from '../context.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.ts';
import { finishTask } from '../finish-task.ts';
import { commandTexts as texts } from '../texts.ts';

function codeOf({ state, failed, missing, total, error }: Task, isMissingBad: boolean): ExitCode {
  if (state === 'cancelled') return exitCodes.interrupted;
  const bad = failed + (isMissingBad ? missing : 0);
  if (bad === 0) return exitCodes.done;
  if (bad < total) return exitCodes.someFailed;
  if (failed > 0) return error ? exitCodeOf(error) : exitCodes.error;
  return exitCodes.notFound;
}

/** `coffer check ID…` */
export function check(identifiers: readonly string[]): Run {
  return async (context) => {
    const { coffer, output } = context;
    const service = await context.service();
    const rows = await findListed(context, service, identifiers);
    if (rows.length === 0) return exitCodes.notFound;
    const selection = { kind: 'ids', ids: rows.map(({ id }) => id) } as const;
    const task = await finishTask(context, await coffer.call('objects.check', { selection }));
    const { present, missing, failed } = task;
    output.result(texts.checked({ present, missing, failed }), { present, missing, failed });
    const code = codeOf(task, true);
    return code === exitCodes.done && rows.length < identifiers.length ? exitCodes.someFailed : code;
  };
}

/** `coffer rm ID… [--yes]`: asks on a terminal; without one and without `--yes` it refuses. */
export function remove(identifiers: readonly string[], { yes }: { yes: boolean }): Run {
  return async (context) => {
    const { coffer, output } = context;
    const service = await context.service();
    if (!yes && !process.stdin.isTTY) throw new Usage(texts.rmRefused);
    const rows = await findListed(context, service, identifiers);
    if (rows.length === 0) return exitCodes.notFound;
    if (!yes && !(await agrees(texts.rmAsk({ count: rows.length, service: service.name })))) {
      output.say(texts.rmNotDeleted);
      return exitCodes.error;
    }
    const selection = { kind: 'ids', ids: rows.map(({ id }) => id) } as const;
    const task = await finishTask(context, await coffer.call('objects.delete', { selection }));
    const count = task.total - task.failed;
    output.result(texts.deleted({ count }), { deleted: count, failed: task.failed });
    const code = codeOf(task, false);
    return code === exitCodes.done && rows.length < identifiers.length ? exitCodes.someFailed : code;
  };
}

/** The prompt goes to standard error: standard output is for results. */
async function agrees(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question.replaceAll(/[\u2068\u2069]/g, ''))).trim());
  } finally {
    lines.close();
  }
}

/** `coffer known ID…` */
export function known(identifiers: readonly string[]): Run {
  return async (context) => {
    const { coffer, output } = context;
    const { id: profileId } = await context.service();
    const begun = await coffer.call('objects.addKnown', {
      profileId,
      kind: 'data',
      identifiers: [...identifiers],
    });
    const task = await finishTask(context, begun);
    const listed = task.listed ?? 0;
    const added = task.present - listed;
    const { missing, failed } = task;
    output.result(texts.known_({ added, listed, missing }), { added, listed, missing, failed });
    for (const identifier of task.notFound ?? []) output.say(identifier);
    return codeOf(task, true);
  };
}
