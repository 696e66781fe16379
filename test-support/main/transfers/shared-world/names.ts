import type { SimulatedService } from '../simulated-service.ts';
import type { Luck } from './luck.ts';

const hex = '0123456789abcdef';
/** Endings of the names that Coffer makes, and similar ones. */
const endings = [
  `~p-${hex}${hex}`,
  `~p-${hex}${hex}-00001`,
  `~p-${hex}${hex}-01234567`,
  `~o-${hex}`,
  `~r-${hex}`,
  '@2',
  '@3',
  '@2.txt',
  '-2',
  ' (2)',
  '.txt',
];

/** Draws names from few bases, so that they collide, including names like those that Coffer makes. @param ownBases of this world */
export function createNames({ pick, next }: Luck, ownBases?: readonly string[]) {
  const drawn = pick([
    ['a/x', 'a/y.txt'],
    ['a/x.txt', 'x'],
    ['a/x', 'a/x.txt', 'b/x'],
  ]);
  const bases = ownBases ?? drawn;
  const ending = () => pick(endings);
  return {
    bases,
    any(): string {
      const base = pick(bases);
      const luck = next();
      if (luck < 0.75) return base;
      if (luck < 0.91) return base + ending();
      if (luck < 0.96) return base + ending() + ending();
      return `${base}${ending()}/${pick(bases)}`;
    },
    /** A name to store under. Never that of a part (128 random bits) or of a copy beside an object (64), which cannot be guessed. */
    toStore(service: SimulatedService): string {
      const name = this.ofService(service);
      const isLive = /~[por]-(?!0123456789abcdef)[0-9a-f]{16}/.test(name);
      return isLive ? this.any() : name;
    },
    /** A name that the service has or had, including those that Coffer made. */
    ofService(service: SimulatedService): string {
      const all = [...service.versions.keys()];
      return all.length === 0 || next() < 0.3 ? this.any() : pick(all);
    },
  };
}

export type Names = ReturnType<typeof createNames>;

/** Removes the random parts of names, so that a replay logs the same lines. */
export function withoutChance(text: string): string {
  return text.replaceAll(/[0-9a-f]{8,}/g, '#');
}
