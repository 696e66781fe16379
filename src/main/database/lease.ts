import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppFailure } from '../../shared/app-failure.ts';

/** SQLITE_BUSY. */
const busy = 5;

/**
 * Takes the exclusive right to run the engine over a data folder, for as long as this thread lives. Locks a file beside the database; the
 * system releases it when the process ends for any reason.
 * @throws AppFailure dataFolderInUse when another process holds it
 */
export function takeLease(folder: string) {
  const lock = new DatabaseSync(join(folder, 'engine.lock'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const isHeld = cause instanceof Error && 'errcode' in cause && Number(cause.errcode) % 256 === busy;
    throw isHeld ? new AppFailure({ code: 'dataFolderInUse' }, { cause }) : cause;
  }
  return {
    release() {
      lock.close();
    },
  };
}
