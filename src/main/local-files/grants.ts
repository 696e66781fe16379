import { randomUUID } from 'node:crypto';
import { AppFailure } from '../../shared/app-failure.ts';

/**
 * Grants that the page holds in place of paths. They live as long as the app runs, at most `maxGrants` of them: the
 * oldest are dropped when more are made.
 */
export interface Grants {
  /** One opaque grant for each absolute path, in the same order. All grants of one call are valid, however many. */
  grant(paths: readonly string[]): string[];
  /** @throws AppFailure notFound (grant) */
  resolve(grant: string): string;
  /** Drops used grants. */
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
