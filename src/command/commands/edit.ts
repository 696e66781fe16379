import { needsAnswer, type Edit } from '../../shared/domain/edit.ts';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import { errorLine } from '../errors/error-line.ts';
import { ask } from '../terminal/ask.ts';
import type { Context, Run } from '../context.ts';
import { HeldUp, Usage } from '../errors/errors.ts';
import { keepEdited } from '../files/kept-copies.ts';
import { findMeant } from '../objects/find-objects.ts';
import { unlessHeldUp } from '../objects/task-end.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { runEditor } from '../process/run-editor.ts';
import { commandTexts as texts } from '../texts.ts';

/** How often to look whether a save moves on, and how long it may stand still whatever `--wait` says, in ms. */
const [checkMs, leastMs] = [500, 5000];

/**
 * `coffer edit ID`. With the app, the edit continues after the command has ended. Without it, the copy opens in $VISUAL or $EDITOR, and
 * what it contains is stored once the editor has ended with 0; without an editor, in the system's program, and each save is stored
 * until the person ends it.
 */
export function edit(identifier: string, { exact = false }: { exact?: boolean } = {}): Run {
  return async (context) => {
    const { io, coffer, output, doneBy } = context;
    const isApp = doneBy === 'app';
    // The editor would open on the other command's terminal.
    if (doneBy === 'otherCommand') throw new Usage(texts.editOtherCommand, exitCodes.tryLater);
    if (!isApp && !io.stdin.isTTY) throw new Usage(texts.editNeedsTerminal);
    const service = await context.service();
    const { named, codes } = await findMeant(context, service, [identifier], exact);
    const row = named.get(identifier);
    if (!row) return exitCodeOfAll(codes);
    if (isApp) {
      await coffer.call('edits.begin', { objectId: row.id });
      output.say(texts.editing({ identifier: row.identifier }));
      return exitCodes.done;
    }
    const editor = io.env['VISUAL'] || io.env['EDITOR'] || null;
    const { id } = await coffer.call('edits.begin', {
      objectId: row.id,
      ...(editor !== null && { isHeld: true as const }),
    });
    return editHere(context, { id, identifier: row.identifier, serviceId: service.id }, editor);
  };
}

type Work = Pick<Edit, 'id' | 'identifier' | 'serviceId'>;

async function editHere(context: Context, work: Work, editor: string | null): Promise<number> {
  const { coffer, output, io, interrupted } = context;
  const { id, identifier } = work;
  const changes = await followEdit(context, id);
  try {
    const fetched = await unlessHeldUp(
      context,
      work.serviceId,
      changes.until(({ state }) => state !== 'opening'),
    ).catch(async (cause: unknown) => {
      const now = await findEdit(context, id);
      // Otherwise the copy would open when the download ends.
      if (now?.state === 'opening' && now.transferId !== null) await coffer.call('edits.leave', { id });
      throw cause;
    });
    if (!fetched) throw new AppFailure({ code: 'notFound', what: 'edit' });
    if (fetched.state === 'failed' && fetched.mine === null && fetched.error) {
      await coffer.call('edits.leave', { id });
      throw new AppFailure(fetched.error);
    }
    if (!needsAnswer(fetched)) {
      if (editor !== null) {
        const { path } = await coffer.call('edits.copyOf', { id });
        const failure = await runEditor(context, editor, path);
        if (failure !== null) {
          await leave(context, work, failure.why, texts.editorKept);
          return failure.code;
        }
      } else if (fetched.error?.code === 'fileNotOpened') {
        await leave(context, work, errorLine(fetched.error), texts.editorKept);
        return exitCodeOf(fetched.error);
      } else await ask(io, texts.editUntilEnter({ identifier }), interrupted);
      await coffer.call('edits.finish', { id });
    }
    const isOver = (edit: Edit) => needsAnswer(edit) || edit.error?.code === 'editNotFinished';
    const left = await unlessStill(context, work, changes.until(isOver));
    if (left) return await notStored(context, work, left);
    output.say(texts.editOver({ identifier }));
    return exitCodes.done;
  } catch (cause) {
    const isSaid = await keepUnfinished(context, work, cause);
    if (isSaid && cause instanceof HeldUp) return cause.exitCode;
    throw cause;
  }
}

/** A save that was refused, meets another change, or cannot be finished: with a list, the app asks what to do. */
async function notStored(context: Context, work: Work, { state, error }: Edit): Promise<ExitCode> {
  const { identifier } = work;
  const why = error ? errorLine(error) : state === 'deleted' ? texts.editDeleted : texts.editConflict;
  const isWaiting = context.hasList && error?.code !== 'editNotFinished';
  if (isWaiting) context.output.error(texts.editLeft({ identifier, why }));
  else if (context.hasList) context.output.error(why);
  else await leave(context, work, why, texts.editKept);
  return error ? exitCodeOf(error) : exitCodes.exists;
}

/** With a list the edit continues with the next command; without one nothing would have the save when this command has ended. */
async function keepUnfinished(context: Context, work: Work, cause: unknown): Promise<boolean> {
  const { output, hasList, interrupted, doneBy } = context;
  if (!(await findEdit(context, work.id))) return false;
  const error = toAppError(cause);
  const why = interrupted.aborted
    ? texts.interrupted
    : cause instanceof HeldUp
      ? cause.message
      : error
        ? errorLine(error)
        : '';
  if (!hasList) await leave(context, work, why, texts.editKept);
  else output.error(texts.left({ identifier: work.identifier, why, goesOn: texts.goesOn[doneBy] }));
  return true;
}

/** Ends the edit, and says where the changed copy is. */
async function leave(
  { coffer, io, output, hasList }: Context,
  { id, identifier }: Work,
  why: string,
  words: typeof texts.editKept,
): Promise<void> {
  const left = await coffer.call('edits.leave', { id });
  if (left.folder === null) output.error(texts.editUnchanged({ identifier, why }));
  else output.error(words({ identifier, why, path: await keepEdited(io, hasList, left.folder, left) }));
}

async function findEdit({ coffer }: Pick<Context, 'coffer'>, id: string): Promise<Edit | undefined> {
  const { edits } = await coffer.call('edits.list', undefined);
  return edits.find((edit) => edit.id === id);
}

async function followEdit({ coffer, interrupted }: Context, id: string) {
  let next = Promise.withResolvers<void>();
  await coffer.follow('edits.changed', () => next.resolve());
  interrupted.addEventListener('abort', () => next.resolve());
  return {
    /** Resolves when it is so; null: the edit is over. */
    async until(isSo: (edit: Edit) => boolean): Promise<Edit | null> {
      for (;;) {
        const found = await findEdit({ coffer }, id);
        if (!found || isSo(found)) return found ?? null;
        interrupted.throwIfAborted();
        await Promise.race([next.promise, coffer.gone]);
        next = Promise.withResolvers();
      }
    },
  };
}

/** As `unlessHeldUp`, and ends if the save stands still for `waitMs` although the service answers. @throws HeldUp */
async function unlessStill<T>(context: Context, work: Work, finished: Promise<T>): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([
      unlessHeldUp(context, work.serviceId, finished),
      still(context, work, over.signal),
    ]);
  } finally {
    over.abort();
  }
}

async function still({ coffer, io, waitMs }: Context, { id }: Work, signal: AbortSignal): Promise<never> {
  const longestMs = Math.max(waitMs, leastMs);
  let [movedMs, mostBytes] = [io.clock.monotonicMs(), -1];
  for (;;) {
    await io.clock.delay(checkMs, signal);
    const now = await findEdit({ coffer }, id);
    const ids = now?.transferId == null ? [] : [now.transferId];
    const { transfers } =
      ids.length === 0 ? { transfers: [] } : await coffer.call('command.transfers', { ids });
    const bytes = transfers[0]?.doneBytes ?? -1;
    // Until it has become a save, this computer alone is at work.
    if (bytes > mostBytes || now?.state === 'editing') movedMs = io.clock.monotonicMs();
    mostBytes = Math.max(bytes, mostBytes);
    if (io.clock.monotonicMs() - movedMs <= longestMs) continue;
    const seconds = Math.round(longestMs / 1000);
    throw new HeldUp(texts.editStill({ seconds }), exitCodes.tryLater);
  }
}
