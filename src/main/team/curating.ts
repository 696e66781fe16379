import type { Handlers, Output } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { areaPrefixMaxBytes, isWholeList } from '../../shared/domain/team.ts';
import { describeArea, type JoinedPlace } from './joining.ts';
import type { StoredPassword } from './passwords.ts';
import { valueOf } from './team-thread.ts';
import type { Visits } from './visits.ts';
import type { Curation } from './wire/answers.ts';
import type { Curated } from './wire/curator-server.ts';
import { mayNumbers } from './wire/may.ts';
import type { Answer } from './wire/answering.ts';
import type { TeamServer } from './wire/server.ts';

type Name = 'curation' | 'makeArea' | 'removeArea' | 'setAccess' | 'setPerson' | 'setList' | 'compare';

const describeCuration = ({ id, name, origin, shares, holds, ...found }: Curation) => ({
  me: found.me,
  list: { id, name, address: origin, shares, holds },
  unsettled: found.unsettled,
  areas: found.areas,
  people: found.people,
});

/** What a person may, and the team if they curate the whole list, over one connection. */
export async function membershipOf(server: TeamServer, list: number): Promise<Output<'team.membership'>> {
  const mine = (await valueOf(server.areas(list))).map(describeArea);
  if (!mine.some((area) => isWholeList(area) && area.may === 'curate')) return { mine, curation: null };
  const found = await valueOf(server.curation(list));
  return { mine, curation: 'done' in found ? describeCuration(found.done) : null };
}

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
      return describeCuration(await ask(serviceId, (server, list) => server.curation(list)));
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
