import { join } from 'node:path';
import { z } from 'zod';
import { atMs } from '../../shared/contract/parts.ts';
import { readFileSync, renameSync, rmSync, writeFileSync } from '../local-files/fs.ts';
import { errorFacts, errorFactsSchema } from './error-facts.ts';

const version = z.string().regex(/^[\w.+-]{1,40}$/);
const crashSchema = z.object({
  atMs,
  version,
  /** app: an uncaught error; thread: one in a worker thread; killed: the process ended without a chance to write down why. */
  what: z.enum(['app', 'thread', 'killed']),
  /** The file name of the thread's entry. */
  thread: z
    .string()
    .regex(/^[\w.-]{1,60}$/)
    .exactOptional(),
  error: errorFactsSchema.nullable(),
});
export type Crash = z.infer<typeof crashSchema>;

const runSchema = z.object({ startedAtMs: atMs, bootedAtMs: atMs, version });
type Run = z.infer<typeof runSchema>;

const crashName = 'crash.json';
const runName = 'running.json';
/** Tolerance: the boot time is computed from two clocks. */
const sameBootMs = 60_000;

export interface CrashNotes {
  /** The last crash of an earlier run; null: none, or it was dismissed. */
  earlier(): Crash | null;
  dismiss(): void;
  /** Writes down a crash of this run. Never throws. */
  note(what: 'app' | 'thread', cause: unknown, thread?: string): void;
  /** Call when Coffer ends in order, or its session does. */
  end(): void;
}

/**
 * Notes of crashes, as small JSON files in the folder of the log; nothing is sent. A native crash leaves no time to write, so
 * `running.json` exists while Coffer runs: a start that finds it reports that the last run was killed, unless the computer was restarted
 * since.
 * @param uptimeMs how long the computer has been running
 */
export function openCrashNotes(
  folder: string,
  { version: own, nowMs, uptimeMs }: { version: string; nowMs: () => number; uptimeMs: () => number },
): CrashNotes {
  const run: Run = { startedAtMs: nowMs(), bootedAtMs: Math.round(nowMs() - uptimeMs()), version: own };
  const before = read(folder, runName, runSchema);
  const isSameBoot = before !== null && Math.abs(before.bootedAtMs - run.bootedAtMs) < sameBootMs;
  if (before && isSameBoot)
    write(folder, crashName, { atMs: nowMs(), version: before.version, what: 'killed', error: null });
  write(folder, runName, run);
  let found = readCrash(folder);
  let isOwn = false;
  return {
    earlier: () => found,
    dismiss() {
      found = null;
      if (!isOwn) remove(folder, crashName);
    },
    note(what, cause, thread) {
      isOwn = true;
      noteCrash(
        folder,
        { atMs: nowMs(), version: own, what, ...(thread !== undefined && { thread }) },
        cause,
      );
    },
    end: () => remove(folder, runName),
  };
}

/** The last crash that was not dismissed; null: none. @param folder of the log */
export function readCrash(folder: string): Crash | null {
  return read(folder, crashName, crashSchema);
}

/** Writes down a crash for the next start of the app. Never throws. */
export function noteCrash(folder: string, about: Omit<Crash, 'error'>, cause: unknown): void {
  write(folder, crashName, { ...about, error: errorFacts(cause) });
}

function read<T>(folder: string, name: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch {
    return null;
  }
}

/** Indented, for people to read. */
function write(folder: string, name: string, value: Crash | Run): void {
  try {
    const path = join(folder, name);
    writeFileSync(`${path}.part`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  } catch {
    // The log says why Coffer ended; a full disk must not hide it.
  }
}

function remove(folder: string, name: string): void {
  try {
    rmSync(join(folder, name), { force: true });
  } catch {
    // The note is found, and offered, once more.
  }
}
