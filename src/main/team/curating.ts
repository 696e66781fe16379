import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { areaPrefixMaxBytes } from '../../shared/domain/team.ts';
import type { JoinedPlace } from './joining.ts';
import type { StoredPassword } from './passwords.ts';
import { valueOf } from './team-thread.ts';
import type { Visits } from './visits.ts';
import type { Curated } from './wire/curator-server.ts';
import { mayNumbers } from './wire/may.ts';
import type { Answer } from './wire/answering.ts';
import type { TeamServer } from './wire/server.ts';

type Name = 'curation' | 'makeArea' | 'removeArea' | 'setAccess' | 'setPerson' | 'setList' | 'compare';

/**
 * Actions of curators. Each has its own connection, and is done or not done when it is answered; objects are moved to
 * changed areas by the Coffer of any curator that follows the list (`tend_1`).
 */
export function createCurating(deps: {
  visits: Visits;
  /** @throws AppFailure notFound (team), teamPasswordMissing */
  accessOf: (
    serviceId: string,
  ) => Promise<{ place: JoinedPlace; list: number; storedPassword: StoredPassword }>;
}): Pick<Handlers, `team.${Name}`> {
  async function ask<T>(
    serviceId: string,
    work: (server: TeamServer, list: number) => Promise<Answer<Curated<T>>>,
  ): Promise<T> {
    const { place, list, storedPassword } = await deps.accessOf(serviceId);
    return deps.visits.visit(place, [storedPassword], async (server) => {
      const found = await valueOf(work(server, list));
      if ('done' in found) return found.done;
      const { problem } = found;
      if (problem === 'noArea') throw new AppFailure({ code: 'notFound', what: 'teamArea' });
      if (problem === 'noPerson') throw new AppFailure({ code: 'notFound', what: 'teamPerson' });
      throw new AppFailure({ code: 'teamCurate', problem });
    });
  }

  return {
    async 'team.curation'({ serviceId }) {
      const found = await ask(serviceId, (server, list) => server.curation(list));
      const { id, me, name, origin, shares, holds, unsettled, areas, people } = found;
      return { me, list: { id, name, address: origin, shares, holds }, unsettled, areas, people };
    },
    async 'team.makeArea'({ serviceId, prefix, classification, access }) {
      const limit = areaPrefixMaxBytes;
      if (Buffer.byteLength(prefix) > limit)
        throw new AppFailure({ code: 'invalidInput', field: 'prefix', problem: 'tooManyBytes', limit });
      const pairs = access.map(({ personId, may }) => [personId, mayNumbers[may]] as const);
      const areaId = await ask(serviceId, (server, list) =>
        server.makeArea(list, { prefix, classification, access: pairs }),
      );
      return { areaId };
    },
    async 'team.removeArea'({ serviceId, areaId }) {
      await ask(serviceId, (server) => server.removeArea(areaId));
      return undefined;
    },
    async 'team.setAccess'({ serviceId, areaId, personId, may }) {
      await ask(serviceId, (server) =>
        server.setAccess(areaId, personId, may === 'none' ? 0 : mayNumbers[may]),
      );
      return undefined;
    },
    async 'team.setPerson'({ serviceId, personId, shown = null, isEnded = null }) {
      const left = await ask(serviceId, (server, list) =>
        server.setPerson(list, personId, { shown, isEnded }),
      );
      return { left: [...left] };
    },
    async 'team.compare'({ serviceId }) {
      await ask(serviceId, (server, list) => server.compare(list));
      return undefined;
    },
    async 'team.setList'({ serviceId, shares }) {
      await ask(serviceId, (server, list) => server.setShares(list, shares));
      return undefined;
    },
  };
}
