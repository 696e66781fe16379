import { lstatSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AppError } from '../shared/errors.ts';
import { toAppError } from '../shared/app-failure.ts';
import { Usage } from './errors.ts';
import { exitCodeOf, exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { commandTexts as texts } from './texts.ts';

/** Where a command is told to write a file: nothing that exists is replaced unless that is asked for. @throws Usage */
export function checkOutputFile(io: CommandIo, path: string, isForced: boolean): void {
  const full = resolve(io.cwd, path);
  if (path.endsWith('/') || found(statSync, full)?.isDirectory()) {
    checkOutputFolder(io, path);
    throw new Usage(texts.isFolder({ path }));
  }
  checkOutputFolder(io, dirname(full));
  // A link that leads nowhere has the name too.
  if (!isForced && found(lstatSync, full)) throw new Usage(texts.exists({ path }), exitCodes.exists);
}

/** @throws Usage */
export function checkOutputFolder({ cwd }: CommandIo, folder: string): void {
  if (!found(statSync, resolve(cwd, folder))?.isDirectory())
    throw new Usage(texts.noFolder({ folder }), exitCodes.notFound);
}

/** What the window says of its download folder, said of the one that a command was given. */
export function outputFailure(cause: unknown, folder: string): unknown {
  const error = toAppError(cause);
  const words = error && outputProblem(error, folder);
  return words ? new Usage(words, exitCodeOf(error)) : cause;
}

/** null: it is not about the folder. */
export function outputProblem({ code }: AppError, folder: string): string | null {
  if (code === 'folderGone') return texts.noFolder({ folder });
  return code === 'folderReadOnly' ? texts.readOnlyFolder({ folder }) : null;
}

function found(look: (path: string) => Stats, path: string): Stats | null {
  try {
    return look(path);
  } catch {
    // What cannot be looked at is said by the one who writes.
    return null;
  }
}
