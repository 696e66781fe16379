import { z } from 'zod';
import type { Input, Output } from '../../shared/contract.ts';
import type { TeamAccessInput } from '../../shared/contract/team.ts';
import type { TeamArea } from '../../shared/domain/team.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { isSameOrigin, originOf } from '../connections/origins.ts';
import type { ServiceRepository, StoredService } from '../connections/service-repository.ts';
import type { Grants } from '../local-files/grants.ts';
import type { TeamCopy, TeamState } from '../objects/team/team-copy.ts';
import { forgetFiles, nameOfAuthority, passwordKindOf, readAccess, type TeamAccess } from './access.ts';
import { readInvitation, writeFittingInvitation } from './invitation.ts';
import { drawPassword, scramVerifier, type StoredPassword, type TeamPasswords } from './passwords.ts';
import { isEncrypted, teamPlaceSchema, type TeamPlace } from './place.ts';
import { valueOf } from './team-thread.ts';
import type { VisibleArea } from './wire/joining.ts';
import { mayNumbers, mayWords } from './wire/may.ts';
import type { TeamServer } from './wire/server.ts';
import type { Visits } from './visits.ts';

/** A service's team as it is stored: its place, and the name of its list at joining. */
const joinedPlaceSchema = teamPlaceSchema.extend({ listName: z.string() });
export type JoinedPlace = z.infer<typeof joinedPlaceSchema>;

export const placeOf = ({ place }: Pick<TeamState, 'place'>): JoinedPlace =>
  joinedPlaceSchema.parse(JSON.parse(place));

/** How a service gets a team, and a person a password. Callers must do one of these at a time for a service. */
export interface Joining {
  readInvitation(invitation: string): Output<'team.readInvitation'>;
  inspect(input: TeamAccessInput): Promise<Output<'team.inspect'>>;
  join(input: Input<'team.join'>): Promise<void>;
  /** @param place of the service's team */
  signIn(serviceId: string, place: JoinedPlace, input: Input<'team.signIn'>): Promise<void>;
  invite(
    place: JoinedPlace,
    list: number,
    storedPassword: StoredPassword,
    input: Input<'team.invite'>,
  ): Promise<Output<'team.invite'>>;
  /** For another computer of this person. */
  inviteComputer(
    place: JoinedPlace,
    list: number,
    storedPassword: StoredPassword,
  ): Promise<Output<'team.inviteComputer'>>;
}

export function createJoining(deps: {
  copy: Pick<TeamCopy, 'stateOf' | 'join'>;
  repository: Pick<ServiceRepository, 'get' | 'list'>;
  passwords: TeamPasswords;
  grants: Grants;
  visits: Visits;
}): Joining {
  const { copy, repository, passwords, grants, visits } = deps;

  /** Passwords stored here for the place: an interrupted joining may already have replaced the invitation's. */
  async function heldFor(place: TeamPlace): Promise<StoredPassword[]> {
    const held = await Promise.all(repository.list().map(({ id }) => passwords.find(id, place)));
    return held.filter((each) => each !== null);
  }

  async function visit<T>(
    { place, given, password }: TeamAccess,
    held: readonly StoredPassword[],
    work: (server: TeamServer, used: StoredPassword) => Promise<T>,
  ): Promise<T> {
    const own = given === null ? [] : [{ ...given, isDrawn: password === 'drawn' }];
    // A password that the person typed is to be checked: a stored one that works would make a wrong one look right.
    const isTyped = password === 'known' && given !== null && given.password !== null;
    const [first, ...others] = isTyped ? own : [...own, ...held];
    if (first === undefined)
      throw new AppFailure({ code: 'teamPasswordMissing', role: place.role, host: place.host });
    return visits.visit(place, [first, ...others], work);
  }

  /**
   * Only Coffer knows the new password, so it is in the keychain before the server has it: after an interruption in
   * between, the invitation still works; later, the stored password does. Without a keychain it would be lost when Coffer
   * quits, so the person keeps the invitation.
   */
  async function keepPassword(
    serviceId: string,
    { place, password }: TeamAccess,
    held: readonly StoredPassword[],
    used: StoredPassword,
    server: TeamServer,
  ): Promise<void> {
    if (password === 'oneTime' && !held.includes(used)) {
      // The same one again: the last attempt may still reach the server.
      const before = held.find(({ isDrawn }) => isDrawn);
      const drawn = { ...used, password: before?.password ?? drawPassword(), isDrawn: true };
      if ((await passwords.keep(serviceId, place, drawn)) === 'keychain') {
        await valueOf(server.setVerifier(await scramVerifier(drawn.password)));
        return;
      }
    }
    if (password === 'known') await valueOf(server.keepOwnPassword());
    await passwords.keep(serviceId, place, used);
  }

  return {
    readInvitation(text) {
      const { host, port, database, role, authority, from, password } = readInvitation(text);
      const server = { host, port, database, role };
      return { server, from, authority: nameOfAuthority(authority), hasPassword: password !== null };
    },

    async inspect(input) {
      const access = await readAccess(input, grants);
      const { place } = access;
      return visit(access, await heldFor(place), async (server) => {
        const { me, lists } = await valueOf(server.lists());
        if (me === null) throw new AppFailure({ code: 'teamServer', why: 'ended', host: place.host });
        const people = await valueOf(server.people());
        const free: StoredService[] = [];
        for (const service of repository.list())
          if (!service.isLocal && (await copy.stateOf(service.id)) === null) free.push(service);
        const found: Output<'team.inspect'>['lists'] = [];
        for (const { id, name, origin, sharesSecrets, sharesNotes, sharesNames } of lists) {
          const areas = await valueOf(server.areas(id));
          found.push({
            id,
            name,
            address: origin,
            serviceIds: free.filter((service) => isAt(service, origin)).map((service) => service.id),
            areas: areas.map(describeArea),
            sharesSecrets,
            sharesNotes,
            sharesNames,
          });
        }
        const { host, port, database, role } = place;
        return {
          server: { host, port, database, role },
          isEncrypted: isEncrypted(place),
          shown: people.find(({ id }) => id === me)?.shown ?? role,
          lists: found,
        };
      });
    },

    async join({ serviceId, access: input, list, sharesEarlier, anyAddress }) {
      const service = repository.get(serviceId);
      if (service.isLocal)
        throw new AppFailure({ code: 'invalidInput', field: 'serviceId', problem: 'local' });
      const before = await copy.stateOf(serviceId);
      if (before !== null) {
        const { listName } = placeOf(before);
        throw new AppFailure({ code: 'serviceInTeam', list: listName, problem: 'join' });
      }
      const access = await readAccess(input, grants);
      const { place } = access;
      const held = await heldFor(place);
      await visit(access, held, async (server, used) => {
        const { me, lists } = await valueOf(server.lists());
        if (me === null) throw new AppFailure({ code: 'teamServer', why: 'ended', host: place.host });
        const found = lists.find(({ id }) => id === list);
        if (!found) throw new AppFailure({ code: 'notFound', what: 'teamList' });
        const { name, origin } = found;
        if (!anyAddress && !isAt(service, origin))
          throw new AppFailure({
            code: 'teamAddressDiffers',
            list: name,
            listAddress: origin,
            serviceAddress: service.baseAddress,
          });
        await keepPassword(serviceId, access, held, used, server);
        const joined: JoinedPlace = { ...place, listName: name };
        await copy.join(serviceId, { place: JSON.stringify(joined), list, me, sharesEarlier });
      });
      forgetFiles(input, grants);
    },

    async signIn(serviceId, place, { proof, passphrase }) {
      const invitation = proof.kind === 'invitation' ? readInvitation(proof.invitation) : null;
      if (invitation !== null && !isSamePlace(invitation, place))
        throw new AppFailure({ code: 'teamDiffers', host: place.host, role: place.role });
      const before = await passwords.find(serviceId, place);
      const password = proof.kind === 'password' ? proof.teamPassword : (invitation?.password ?? null);
      const given = { password, passphrase: passphrase ?? before?.passphrase ?? null };
      const access: TeamAccess = {
        place,
        given: password === null ? null : given,
        password: invitation === null ? 'known' : passwordKindOf(invitation),
      };
      const held = await heldFor(place);
      await visit(access, held, (server, used) => keepPassword(serviceId, access, held, used, server));
    },

    async invite(place, list, storedPassword, { role, shown, may }) {
      // It would reduce this person's own access to that of the invitation.
      if (role === place.role) throw new AppFailure({ code: 'teamInvite', problem: 'yourself', role });
      const password = drawPassword();
      const verifier = await scramVerifier(password);
      return visits.visit(place, [storedPassword], async (server) => {
        const from = await nameOf(server);
        // Before the role is made: nobody would have its password if the invitation did not fit.
        const write = await writeFittingInvitation(server, { ...place, role, list, from });
        const outcome = await valueOf(server.invite(list, { role, shown, may: mayNumbers[may], verifier }));
        if (outcome !== 'made' && outcome !== 'renewed' && outcome !== 'found')
          throw new AppFailure({ code: 'teamInvite', problem: outcome, role });
        const hasPassword = outcome !== 'found';
        return {
          invitation: write({ password: hasPassword ? password : null }),
          hasPassword,
          isRenewed: outcome === 'renewed',
        };
      });
    },

    inviteComputer(place, list, storedPassword) {
      return visits.visit(place, [storedPassword], async (server) => {
        const write = await writeFittingInvitation(server, { ...place, list, from: await nameOf(server) });
        const password = storedPassword.isDrawn ? storedPassword.password : null;
        return {
          invitation: write({ password, isOneTime: false }),
          hasPassword: password !== null,
        };
      });
    },
  };
}

/** The team's name for this person. */
async function nameOf(server: TeamServer): Promise<string | null> {
  const { me } = await valueOf(server.lists());
  const people = await valueOf(server.people());
  return people.find(({ id }) => id === me)?.shown ?? null;
}

export const describeArea = ({ prefix, classification, may }: VisibleArea): TeamArea => ({
  prefix,
  classification,
  may: mayWords[may],
});

/** Whether a service here has the list's address. */
function isAt(service: StoredService, address: string): boolean {
  try {
    return isSameOrigin(originOf({ isLocal: false, baseAddress: address }), originOf(service));
  } catch {
    return false;
  }
}

const isSamePlace = (one: Omit<TeamPlace, 'clientCertificate'>, other: TeamPlace) =>
  one.host === other.host &&
  one.port === other.port &&
  one.database === other.database &&
  one.role === other.role;
