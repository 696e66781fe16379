import { isUnverified } from '../../shared/domain/unverified.ts';
import type { Service } from '../../shared/domain/service.ts';
import { chooseObjects, type ChoiceOptions, type Chosen } from '../objects/choose-objects.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { notThereWords, rowsOf } from '../objects/find-objects.ts';
import { exitCodeOfAll, exitCodes } from '../errors/exit-code.ts';
import { agreesToDelete, deleteObjects, deleteUnseen } from '../objects/delete-objects.ts';
import { finishTask } from '../objects/finish-task.ts';
import { endOf, failuresJson } from '../objects/task-end.ts';
import { objectJson } from '../terminal/json.ts';
import { readNames, type NamesFrom } from '../files/read-names.ts';
import { selectionTexts } from '../files/selection-texts.ts';
import { commandTexts as texts } from '../texts.ts';

export interface TaskOptions extends Omit<ChoiceOptions, 'checksFurther'>, NamesFrom {}

/** `coffer check ID|FOLDER/|PATTERN…` */
export function check(words: readonly string[], options: TaskOptions): Run {
  return async (context) => {
    const { coffer, output } = context;
    const names = await readNames(context, words, options);
    if (names === null) return exitCodes.done;
    const service = await context.service();
    const { chosen: rows, codes } = await chooseObjects(context, service, names, options);
    if (rows.length === 0) return exitCodeOfAll(codes);
    if (!context.hasList) {
      // They are in the temporary list because the service has just said that it has them.
      await sayStates(context, service, rows);
      const missing = codes.filter((code) => code === exitCodes.notFound).length;
      output.say(texts.checked({ present: rows.length, missing, failed: codes.length - missing }));
      return exitCodeOfAll([exitCodes.done, ...codes]);
    }
    const selection = { kind: 'ids', ids: rows.map(({ id }) => id) } as const;
    const task = await finishTask(context, await coffer.call('objects.check', { selection }));
    const { present, missing, failed } = task;
    await sayStates(context, service, rows);
    const checked = texts.checked({ present, missing, failed });
    // An identifier that is not in the list was not checked.
    output.say(codes.length === 0 ? checked : texts.checkedUnlisted({ checked, count: codes.length }));
    const code = endOf(context, task, true);
    return code === exitCodes.done ? exitCodeOfAll([code, ...codes]) : code;
  };
}

/** Prints the states of objects as they are now. */
async function sayStates(context: Context, service: Service, chosen: readonly Chosen[]): Promise<void> {
  const identifiers = chosen.map(({ identifier }) => identifier);
  for (const row of await rowsOf(context, service, 'data', identifiers))
    if (row)
      context.output.result(
        texts.stateOf({ state: texts.state[row.state], identifier: row.identifier }),
        objectJson(row),
      );
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
    // Who is asked is told only of what is there.
    const unseen = yes && !dryRun && !context.hasList;
    const { chosen, codes } = await chooseObjects(context, service, names, {
      ...options,
      sparesMade: true,
      unseen,
    });
    if (chosen.length === 0) return exitCodeOfAll(codes);
    if (dryRun) {
      for (const { identifier } of chosen)
        output.result(selectionTexts.wouldRemove({ identifier }), { action: 'rm', identifier });
      return exitCodeOfAll([exitCodes.done, ...codes]);
    }
    const unchecked = chosen.filter((row) => isUnverified(row, 'presence')).length;
    if (!yes && !(await agreesToDelete(context, chosen.length, service, unchecked))) return exitCodes.error;
    if (unseen) return deleteUnseen(context, service, chosen, codes);
    const code = await deleteObjects(context, chosen);
    return code === exitCodes.done ? exitCodeOfAll([code, ...codes]) : code;
  };
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
