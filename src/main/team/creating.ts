import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { TeamAccessInput } from '../../shared/contract/team.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';
import type { Grants } from '../local-files/grants.ts';
import { forgetFiles, readAccess, requireRole } from './access.ts';
import { writeFittingInvitation } from './invitation.ts';
import { isEncrypted, type TeamPlace } from './place.ts';
import { drawPassword, scramVerifier } from './passwords.ts';
import { valueOf } from './team-thread.ts';
import { openToCreate, type Visits } from './visits.ts';
import type { Wanted } from './wire/creating.ts';
import type { TeamServer } from './wire/server.ts';

/** *Create a team*, as the role that owns the database. Its password is not stored. */
export function createCreating(deps: {
  visits: Visits;
  grants: Grants;
  repository: Pick<ServiceRepository, 'get'>;
}): Pick<Handlers, 'team.inspectToCreate' | 'team.create'> {
  const { visits, grants, repository } = deps;

  async function visit<T>(
    input: TeamAccessInput,
    work: (server: TeamServer, place: TeamPlace) => Promise<T>,
  ): Promise<T> {
    const { place, given } = await readAccess(input, grants);
    if (given === null)
      throw new AppFailure({ code: 'teamPasswordMissing', role: place.role, host: place.host });
    return visits.visit(place, [given], (server) => work(server, place), openToCreate);
  }

  return {
    'team.inspectToCreate': ({ access }) =>
      visit(access, async (server, place) => {
        const { version, problem, mayMakeRoles, rolesReach, lists } = await valueOf(server.inspectToCreate());
        const { host, port, database, role } = place;
        return {
          server: { host, port, database, role },
          isEncrypted: isEncrypted(place),
          version,
          problem,
          mayMakeRoles,
          rolesReach,
          lists: lists.map(({ id, name, origin }) => ({ id, name, address: origin })),
        };
      }),

    async 'team.create'({ access, list, curator: { role, shown, makesRoles } }) {
      requireRole(role, 'curator.role');
      const wanted = list.kind === 'there' ? list.listId : newList(list.name, list.serviceId);
      const made = await visit(access, async (server, place) => {
        const password = drawPassword();
        const verifier = await scramVerifier(password);
        // Before the role is made, with the longest number: nobody would have its password if the invitation did not fit.
        await writeFittingInvitation(server, { ...place, role, list: longestNumber, from: null });
        const created = await valueOf(server.create({ list: wanted, role, shown, verifier, makesRoles }));
        if ('problem' in created) {
          const { problem } = created;
          if (problem === 'noList') throw new AppFailure({ code: 'notFound', what: 'teamList' });
          const isCurators = problem === 'noRole' || problem === 'superuser' || problem === 'closed';
          const asked = isCurators ? role : place.role;
          throw new AppFailure({ code: 'teamCreate', problem, role: asked, database: place.database });
        }
        const told = { ...place, role, list: created.list, from: null };
        const write = await writeFittingInvitation(server, told);
        const hasPassword = created.role !== 'found';
        return {
          invitation: write({ password: hasPassword ? password : null }),
          hasPassword,
          isRenewed: created.role === 'renewed',
          listId: created.list,
        };
      });
      forgetFiles(access, grants);
      return made;
    },
  };

  function newList(name: string, serviceId: string): Wanted['list'] {
    const { isLocal, baseAddress, separator, versionMark } = repository.get(serviceId);
    if (isLocal) throw new AppFailure({ code: 'invalidInput', field: 'serviceId', problem: 'local' });
    return { name, origin: baseAddress, separator, versionMark };
  }
}

/** The largest of PostgreSQL's int. */
const longestNumber = 2_147_483_647;
