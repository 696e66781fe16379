import { AppFailure } from '../../shared/app-failure.ts';
import type { TeamWhy } from '../../shared/domain/team-why.ts';
import type { TeamCredentials, TeamPlace } from './place.ts';
import { startTeamThread, valueOf, type TeamThread } from './team-thread.ts';
import { TeamFailure } from './team-problem.ts';
import type { Answer } from './wire/answering.ts';
import type { TeamServer } from './wire/server.ts';

/** Short connections: to look, to join, to invite. */
export interface Visits {
  /**
   * @param candidates credentials to try, best first: the next one only if one is refused
   * @param open by default requires a team in the database
   * @throws AppFailure teamServer; what `work` throws
   */
  visit<T, C extends TeamCredentials>(
    place: TeamPlace,
    candidates: readonly [C, ...C[]],
    work: (server: TeamServer, used: C) => Promise<T>,
    open?: typeof openTeam,
  ): Promise<T>;
  close(): Promise<void>;
}

const openTeam = (
  server: TeamServer,
  place: TeamPlace,
  credentials: TeamCredentials,
): Promise<Answer<unknown>> => server.open(place, credentials, null);
export const openToCreate: typeof openTeam = (server, place, credentials) =>
  server.openToCreate(place, credentials);

export function createVisits(start = startTeamThread): Visits {
  const threads = new Set<TeamThread>();

  /** @returns the accepted candidate */
  async function connect<C extends TeamCredentials>(
    server: TeamServer,
    place: TeamPlace,
    [first, ...others]: readonly [C, ...C[]],
    open: typeof openTeam,
  ): Promise<C> {
    try {
      await valueOf(open(server, place, first));
      return first;
    } catch (cause) {
      const [next, ...rest] = others;
      const isRefused = cause instanceof TeamFailure && cause.problem.why === 'login';
      if (!isRefused || next === undefined) throw cause;
      return connect(server, place, [next, ...rest], open);
    }
  }

  return {
    async visit(place, candidates, work, open = openTeam) {
      const thread = start(() => undefined);
      threads.add(thread);
      try {
        return await work(thread.server, await connect(thread.server, place, candidates, open));
      } catch (cause) {
        throw cause instanceof TeamFailure ? serverFailure(cause.shownWhy, place) : cause;
      } finally {
        // The answer does not wait for the end of its thread.
        void thread.terminate().finally(() => threads.delete(thread));
      }
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

export const serverFailure = (why: TeamWhy, { host }: Pick<TeamPlace, 'host'>) =>
  new AppFailure({ code: 'teamServer', why, host });
