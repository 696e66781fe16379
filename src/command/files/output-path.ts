import { lstatSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodeOf, exitCodes } from '../errors/exit-code.ts';
import type { CommandIo } from '../terminal/io.ts';
import { commandTexts as texts } from '../texts.ts';

/** Checks that a command may write a file there: an existing one is replaced only with `--force`. @throws Usage */
export function checkOutputFile(io: CommandIo, path: string, isForced: boolean): void {
  const full = io.resolve(path);
  if (path.endsWith('/') || found(statSync, full)?.isDirectory()) {
    checkOutputFolder(io, path);
    throw new Usage(texts.isFolder({ path }));
  }
  checkOutputFolder(io, dirname(full));
  // A dangling symbolic link occupies the name too.
  if (!isForced && found(lstatSync, full)) throw new Usage(texts.exists({ path }), exitCodes.exists);
}

/** Whether the path is `-`, or leads to a device, a FIFO or a socket, which is written into and never replaced. */
export function isStream(io: CommandIo, path: string): boolean {
  if (path === '-') return true;
  const stats = found(statSync, io.resolve(path));
  return stats !== null && !stats.isFile() && !stats.isDirectory();
}

/** @throws Usage */
export function checkOutputFolder(io: CommandIo, folder: string): void {
  if (!found(statSync, io.resolve(folder))?.isDirectory())
    throw new Usage(texts.noFolder({ folder }), exitCodes.notFound);
}

/** Ends with the error that a file was made meanwhile, unless the bytes are where they were to go. @throws Usage */
export function checkSavedPath(to: string, wanted: string, saved: string): void {
  if (saved !== wanted)
    throw new Usage(
      texts.savedBeside({ path: to, beside: join(dirname(to), basename(saved)) }),
      exitCodes.exists,
    );
}

/** Rewords a failure about the download folder to name the folder given to the command. */
export function outputFailure(cause: unknown, folder: string): unknown {
  const error = toAppError(cause);
  const words = error && outputProblem(error, folder);
  return words ? new Usage(words, exitCodeOf(error)) : cause;
}

/** null: the error is not about the folder. */
export function outputProblem({ code }: AppError, folder: string): string | null {
  if (code === 'folderGone') return texts.noFolder({ folder });
  return code === 'folderReadOnly' ? texts.readOnlyFolder({ folder }) : null;
}

function found(stat: (path: string) => Stats, path: string): Stats | null {
  try {
    return stat(path);
  } catch {
    // The write reports the error.
    return null;
  }
}
