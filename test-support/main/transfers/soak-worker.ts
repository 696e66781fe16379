// First: it replaces `open`, which `local-files/fs.ts` binds.
import './open-files.ts';
import './folder-faults.ts';
import { parentPort } from 'node:worker_threads';
import { runWorld } from './random-world.ts';
import { runSharedWorld } from './shared-world/random-shared-world.ts';
import { runUndoWorld } from './undo-world.ts';
import { runVersions } from './version-world.ts';

/** The failure as text; null: passed. */
export type Verdict = string | null;

const runs = {
  worlds: runWorld,
  versions: runVersions,
  undos: runUndoWorld,
  'shared worlds': runSharedWorld,
};
export type WorldKind = keyof typeof runs;

/** Runs the worlds of the seeds it receives, one at a time. */
parentPort?.on('message', ({ kind, seed }: { kind: WorldKind; seed: number }) => {
  const tell = (verdict: Verdict) => parentPort?.postMessage(verdict);
  runs[kind](seed).then(
    () => tell(null),
    (cause: unknown) => tell(textOf(cause)),
  );
});

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
