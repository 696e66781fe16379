import { createRandom } from '../../../random.ts';

/** Random draws from one seed. */
export interface Luck {
  readonly next: () => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** An integer from 0 up to but not including `most`. */
  readonly upTo: (most: number) => number;
  readonly some: <T>(items: readonly T[]) => T[];
  /** Draws a name by weight. */
  readonly weighed: <N extends string>(weights: Readonly<Record<N, number>>) => N;
}

export function createLuck(seed: number): Luck {
  const next = createRandom(seed);
  return {
    next,
    pick: <T>(items: readonly T[]) => items[Math.floor(next() * items.length)] as T,
    upTo: (most) => Math.floor(next() * most),
    some: (items) => items.filter(() => next() < 0.3),
    weighed: <N extends string>(weights: Readonly<Record<N, number>>) => {
      const all = Object.entries<number>(weights) as [N, number][];
      let left = next() * all.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of all) if ((left -= weight) < 0) return name;
      throw new Error('there is none');
    },
  };
}
