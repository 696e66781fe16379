import { parentPort } from 'node:worker_threads';
import { runWorld } from './random-world.ts';

/** What went wrong, as text; null: nothing. */
export type Verdict = string | null;

/** Runs the worlds whose seeds it is told, one after the other. */
parentPort?.on('message', (seed: number) => {
  const tell = (verdict: Verdict) => parentPort?.postMessage(verdict);
  runWorld(seed).then(
    () => tell(null),
    (cause: unknown) => tell(textOf(cause)),
  );
});

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
