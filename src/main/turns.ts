/** Runs work after everything of the same key that was asked for before it. A failure is its own caller's alone. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** For read, await, write: what one of them has read stays true until it has written. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).then(() => work());
    const over = run.catch(() => undefined);
    last.set(key, over);
    void over.then(() => {
      if (last.get(key) === over) last.delete(key);
    });
    return run;
  };
}
