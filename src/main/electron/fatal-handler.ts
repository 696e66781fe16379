import { app, dialog } from 'electron';
import { mainTexts } from '../texts.ts';
import type { Log } from '../ports.ts';
import type { StartProblem } from './lifecycle.ts';
import type { CrashNotes } from '../crashes/crash-notes.ts';

let log: Log | null = null;
let crashes: Pick<CrashNotes, 'note' | 'end'> | null = null;
let isEnding = false;

/** From now on, writes failures to this log and leaves a note for the next start. */
export function reportTo(newLog: Log, newCrashes: Pick<CrashNotes, 'note' | 'end'>): void {
  log = newLog;
  crashes = newCrashes;
}

/**
 * Call first. An uncaught error ends the program, with one box and exit code 1: a main process that continued might
 * have no window, yet hold the lock. Electron's own listener shows a box and continues, and does "nothing if the user
 * has a custom uncaught exception handler" (lib/browser/init.ts); errors of the entry module arrive here too.
 */
export function endOnFailure(): void {
  process.on('uncaughtException', (cause) => {
    if (isLostOutput(cause)) log?.warn('nobody reads the output any more', { cause });
    else giveUp(cause);
  });
  process.on('unhandledRejection', (cause) => log?.error('unhandled rejection', { cause }));
}

/**
 * Reports the error once and exits. `dialog.showErrorBox` "can be called safely before the `ready` event", then on
 * stderr on Linux, and waits for the person; `app.exit` closes everything "immediately without asking the user"
 * (electron.d.ts).
 */
export function giveUp(cause: unknown): void {
  if (isEnding) return;
  isEnding = true;
  const problem = cause instanceof Error ? cause.message : String(cause);
  log?.error('Coffer ended because of this', { cause });
  crashes?.note('app', cause);
  // Otherwise the next start would replace the note with one that says only that this run was killed.
  crashes?.end();
  if (app.isReady()) {
    dialog.showErrorBox(mainTexts.end.stopped, `${mainTexts.end.stoppedText}\n\n${problem}`);
  } else dialog.showErrorBox(mainTexts.end.cannotStart, problem);
  app.exit(1);
}

/**
 * Says on stderr and in a box why Coffer cannot start, and exits with 1. The box needs `ready` on Linux.
 * @param speak sets the language, which Electron knows after `ready`
 */
export async function refuseStart(problem: StartProblem, speak: () => Promise<unknown>): Promise<void> {
  const { end } = mainTexts;
  const why = () => (problem.kind === 'elsewhere' ? end.elsewhere(problem) : end.unwritable(problem));
  process.stderr.write(`${end.cannotStart}. ${why()}\n`);
  await app.whenReady();
  await speak();
  dialog.showErrorBox(end.cannotStart, why());
  app.exit(1);
}

/** Whether the terminal that started Coffer was closed. */
function isLostOutput(cause: unknown): boolean {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  return syscall === 'write' && (code === 'EPIPE' || code === 'EIO');
}
