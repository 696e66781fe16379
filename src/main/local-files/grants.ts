import { randomUUID } from 'node:crypto';
import { AppFailure } from '../../shared/app-failure.ts';

/**
 * What the page holds in place of a path. Grants live as long as the app runs, at most `mostGrants` of them: the oldest go
 * when more are given.
 */
export interface Grants {
  /** One opaque grant for each absolute path, in the same order. However many they are, all of them are good. */
  grant(paths: readonly string[]): string[];
  /** @throws AppFailure notFound (grant) */
  resolve(grant: string): string;
  /** Used up. */
  forget(grants: readonly string[]): void;
}

export function createGrants(maxGrants = 200_000): Grants {
  const paths = new Map<string, string>();
  return {
    grant(granted) {
      for (const oldest of paths.keys()) {
        if (paths.size + granted.length <= maxGrants) break;
        paths.delete(oldest);
      }
      return granted.map((path) => {
        const id = randomUUID();
        paths.set(id, path);
        return id;
      });
    },
    resolve(grant) {
      const path = paths.get(grant);
      if (path === undefined) throw new AppFailure({ code: 'notFound', what: 'grant' });
      return path;
    },
    forget(grants) {
      for (const grant of grants) paths.delete(grant);
    },
  };
}
