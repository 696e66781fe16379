import type { WatchedFolder } from '../../shared/domain/watch.ts';
import type { Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { toIso } from '../terminal/json.ts';
import { rowOf } from '../terminal/layout.ts';
import { syncTexts as texts } from '../sync/texts.ts';

/** `coffer watch --list`: the watched folders of the window, and what each is doing. */
export function watchList(directory: string | undefined): Run {
  return async (context) => {
    if (directory !== undefined) throw new Usage(texts.listsAll);
    if (!context.hasList) throw new Usage(texts.noWindow);
    const { id: serviceId } = await context.service();
    const { folders } = await context.coffer.call('watch.list', { serviceId });
    const { output } = context;
    for (const folder of folders) {
      const { label, choices, state } = folder;
      const into = texts.watchedInto({ folder: choices.into === '' ? '/' : choices.into });
      output.result(rowOf(output, [texts.watchState[state].padEnd(13)], label, [into]), watchedJson(folder));
    }
    if (folders.length === 0) output.say(texts.noneWatched);
    else if (context.doneBy !== 'app') output.say(texts.onlyInApp);
    return exitCodes.done;
  };
}

function watchedJson({
  name,
  label,
  choices,
  state,
  lastUploadAtMs,
  error,
  ...counts
}: WatchedFolder): object {
  const { settleSeconds, ...chosen } = choices;
  const { uploads, settling, skippedCount } = counts;
  return {
    name,
    folder: label,
    ...chosen,
    settle: settleSeconds,
    state,
    uploads,
    lastUpload: toIso(lastUploadAtMs),
    settling,
    skipped: skippedCount,
    error: error?.code ?? null,
  };
}
