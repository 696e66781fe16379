import { needsAnswer, type Edit } from '../../shared/domain/edit.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { errorLine } from '../errors/error-line.ts';
import { ask } from '../terminal/ask.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { findStored } from '../objects/find-objects.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { commandTexts as texts } from '../texts.ts';

/** `coffer open ID` */
export function open(identifier: string): Run {
  return async (context) => {
    const service = await context.service();
    const { rows, codes } = await findStored(context, service, [identifier]);
    const [row] = rows;
    if (!row) return exitCodeOfAll(codes);
    await context.coffer.call('edits.open', { objectId: row.id });
    context.output.say(texts.opened({ identifier }));
    return exitCodes.done;
  };
}

/**
 * `coffer edit ID`. With the app, the edit continues after the command has ended. Without it, the command runs and uploads each save
 * until the editor is closed or the person ends it.
 */
export function edit(identifier: string): Run {
  return async (context) => {
    const { io, coffer, output, doneBy } = context;
    const isApp = doneBy === 'app';
    // The editor would open on the other command's terminal.
    if (doneBy === 'otherCommand') throw new Usage(texts.editOtherCommand, exitCodes.tryLater);
    if (!isApp && !io.stdin.isTTY) throw new Usage(texts.editNeedsTerminal);
    const service = await context.service();
    const { rows, codes } = await findStored(context, service, [identifier]);
    const [row] = rows;
    if (!row) return exitCodeOfAll(codes);
    const { id } = await coffer.call('edits.begin', { objectId: row.id });
    if (isApp) {
      output.say(texts.editing({ identifier }));
      return exitCodes.done;
    }
    return finish(context, id);
  };
}

async function finish(context: Context, id: string): Promise<ExitCode> {
  const { io, coffer, output, interrupted } = context;
  let next = Promise.withResolvers<void>();
  await coffer.follow('edits.changed', () => next.resolve());
  const stop = () => next.resolve();
  interrupted.addEventListener('abort', stop);
  const until = async (isSo: (edit: Edit) => boolean): Promise<Edit | null> => {
    for (;;) {
      const { edits } = await coffer.call('edits.list', undefined);
      const found = edits.find((edit) => edit.id === id);
      if (!found || isSo(found)) return found ?? null;
      interrupted.throwIfAborted();
      await Promise.race([next.promise, coffer.gone]);
      next = Promise.withResolvers();
    }
  };
  const opened = await until(({ state }) => state !== 'opening');
  if (!opened) throw new AppFailure({ code: 'notFound', what: 'edit' });
  if (!needsAnswer(opened)) {
    const { VISUAL, EDITOR } = io.env;
    if (!VISUAL && !EDITOR)
      await ask(io, texts.editUntilEnter({ identifier: opened.identifier }), interrupted);
    await coffer.call('edits.finish', { id });
  }
  const left = await until((edit) => needsAnswer(edit) || edit.error?.code === 'editNotFinished');
  const { identifier } = opened;
  if (left?.error?.code === 'editNotFinished') {
    output.error(errorLine(left.error));
    return exitCodeOf(left.error);
  }
  if (!left) {
    output.say(texts.editOver({ identifier }));
    return exitCodes.done;
  }
  output.error(texts.editLeft({ identifier, why: left.error ? errorLine(left.error) : texts.editConflict }));
  return left.error ? exitCodeOf(left.error) : exitCodes.exists;
}
