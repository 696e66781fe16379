import type { Handlers } from '../../shared/contract.ts';
import type { TeamStatus } from '../../shared/domain/team.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { CredentialStore } from '../connections/credential-store.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';
import type { Host } from '../host.ts';
import type { KeyedMutex } from '../lib/async.ts';
import { throttle } from '../lib/timers.ts';
import type { Grants } from '../local-files/grants.ts';
import type { TeamCopy, TeamState } from '../objects/team/team-copy.ts';
import type { Clock, Log, Publisher } from '../ports.ts';
import { requireRole } from './access.ts';
import { createCreating } from './creating.ts';
import { createCurating, membershipOf } from './curating.ts';
import { createFollowing } from './following.ts';
import { createJoining, placeOf, type JoinedPlace } from './joining.ts';
import { createTeamPasswords, type StoredPassword } from './passwords.ts';
import { valueOf, type startTeamThread } from './team-thread.ts';
import { createVisits, serverFailure } from './visits.ts';
import { mayNumbers } from './wire/may.ts';
import type { TeamServer } from './wire/server.ts';

/** Delay until the window hears of a change, and minimum interval between two such events. */
const changedMs = [100, 250] as const;

export interface Teams {
  readonly handlers: Pick<Handlers, Extract<keyof Handlers, `team.${string}`>>;
  /** Call when rows of a service may have changed: some may be due. */
  objectsChanged(serviceId: string): void;
  /** Call when the computer wakes up or the network is back. */
  wake(): void;
  /** Call under the service's lock. @throws AppFailure serviceInTeam: pending changes are about the service at its current address */
  requireMovable(serviceId: string): Promise<void>;
  /** Call under the service's lock. @throws AppFailure teamUnshared: the team does not have all of this computer's changes */
  requireShared(serviceId: string): Promise<void>;
  /** Call under the service's lock when the service is removed. If its list stays, it stays as a private one. */
  removeService(serviceId: string): Promise<void>;
  close(): Promise<void>;
}

/** The team's list of each service that has one. Continues those of the last run. */
export function createTeams(deps: {
  copy: TeamCopy;
  repository: Pick<ServiceRepository, 'get' | 'list' | 'find'>;
  credentials: CredentialStore;
  grants: Grants;
  clock: Clock;
  log: Log;
  publisher: Publisher;
  /** Serialises changes to a service, including its address and its removal. */
  serviceLock: KeyedMutex<string>;
  setNote: (objectId: number, note: string) => Promise<unknown>;
  /** false: a command, which has the list open only briefly, follows no team. */
  follows: boolean;
  startThread?: typeof startTeamThread;
}): Teams {
  const { copy, repository, log, publisher, serviceLock, follows, startThread } = deps;
  const passwords = createTeamPasswords(deps.credentials, log);
  const visits = createVisits(startThread);
  const joining = createJoining({ ...deps, passwords, visits });
  const touched = new Set<string>();
  let revision = 0;
  let isClosing = false;

  const tell = throttle(
    () => {
      revision += 1;
      for (const serviceId of touched) publisher.publish('team.changed', { serviceId, revision });
      touched.clear();
    },
    ...changedMs,
  );
  function changed(serviceId: string): void {
    if (isClosing) return;
    touched.add(serviceId);
    tell();
  }

  const following = createFollowing({
    ...deps,
    passwords,
    placeNow: async (serviceId) => {
      const state = repository.find(serviceId) && (await copy.stateOf(serviceId));
      return state ? placeOf(state) : null;
    },
    onChanged: changed,
  });

  async function require(serviceId: string): Promise<{ state: TeamState; place: JoinedPlace }> {
    repository.get(serviceId);
    const state = await copy.stateOf(serviceId);
    if (state === null) throw new AppFailure({ code: 'notFound', what: 'team' });
    return { state, place: placeOf(state) };
  }

  /** The team's place and list, with the password stored on this computer. */
  async function accessOf(
    serviceId: string,
  ): Promise<{ place: JoinedPlace; list: number; storedPassword: StoredPassword }> {
    const { state, place } = await require(serviceId);
    const storedPassword = await passwords.find(serviceId, place);
    if (storedPassword === null)
      throw new AppFailure({ code: 'teamPasswordMissing', role: place.role, host: place.host });
    return { place, list: state.list, storedPassword };
  }

  /** For views: does not try where the server refuses the person, as each try may bring the account nearer to being locked. */
  async function asking<T>(
    serviceId: string,
    ask: (server: TeamServer, list: number) => Promise<T>,
  ): Promise<T> {
    const { place, list, storedPassword } = await accessOf(serviceId);
    const syncState = following.syncStateOf(serviceId);
    if (syncState.kind === 'refused' && syncState.why !== 'noPassword')
      throw serverFailure(syncState.why, place);
    return visits.visit(place, [storedPassword], (server) => ask(server, list));
  }

  async function statusOf(serviceId: string): Promise<TeamStatus | null> {
    const state = await copy.stateOf(serviceId);
    if (state === null) return null;
    const place = placeOf(state);
    const { host, port, database, role, listName } = place;
    return {
      server: { host, port, database, role },
      list: { id: state.list, name: listName },
      me: state.me,
      syncState: following.syncStateOf(serviceId),
      mayContribute: state.accessRev === null || state.access.some(({ may }) => may > mayNumbers.read),
      due: state.due,
      setAside: state.refused,
      noteConflicts: state.noteConflicts,
      passwordStoredIn: passwords.storedIn(serviceId, place),
    };
  }

  /** A command shows what is left, and ends. The team has been left: what cannot go now (disk full) goes with the next run. */
  async function clearNow(serviceId: string): Promise<void> {
    try {
      while (await copy.clear(serviceId));
    } catch (cause) {
      log.warn('a list that was left is not cleared yet', { serviceId, cause });
    }
  }

  if (follows) for (const { id } of repository.list()) following.startLater(id);

  return {
    handlers: {
      async 'team.status'({ serviceId }) {
        repository.get(serviceId);
        const team = await statusOf(serviceId);
        return { revision, team };
      },
      'team.readInvitation': ({ invitation }) => joining.readInvitation(invitation),
      'team.inspect': ({ access }) => joining.inspect(access),
      async 'team.earlier'({ serviceId, withSecrets }) {
        repository.get(serviceId);
        const { count, first } = await copy.earlier(serviceId, withSecrets);
        return { count, first: [...first] };
      },
      'team.join': (input) =>
        serviceLock.runExclusive(input.serviceId, async () => {
          await joining.join(input);
          await following.start(input.serviceId);
          changed(input.serviceId);
          return undefined;
        }),
      'team.signIn': (input) =>
        serviceLock.runExclusive(input.serviceId, async () => {
          const { serviceId } = input;
          const { place } = await require(serviceId);
          await joining.signIn(serviceId, place, input);
          await following.start(serviceId);
          return undefined;
        }),
      'team.retry': ({ serviceId }) =>
        serviceLock.runExclusive(serviceId, async () => {
          await require(serviceId);
          await following.start(serviceId);
          return undefined;
        }),
      async 'team.sync'({ serviceId }) {
        repository.get(serviceId);
        await following.syncOnce(serviceId);
        const { state } = await require(serviceId);
        return { due: state.due, setAside: state.refused };
      },
      'team.leave': ({ serviceId, keep, unshared }) =>
        serviceLock.runExclusive(serviceId, async () => {
          await require(serviceId);
          await following.stop(serviceId);
          try {
            const { state } = await require(serviceId);
            if (unshared === 'ask') refuseUnshared(state);
            // First, because only this can fail, and then nothing is lost.
            await passwords.remove(serviceId);
            await copy.leave(serviceId, keep);
            if (!follows) await clearNow(serviceId);
          } finally {
            await following.start(serviceId);
          }
          changed(serviceId);
          return undefined;
        }),
      async 'team.people'({ serviceId }) {
        repository.get(serviceId);
        const state = await copy.stateOf(serviceId);
        return { me: state?.me ?? null, people: [...(await copy.people(serviceId))] };
      },
      'team.membership': ({ serviceId }) => asking(serviceId, membershipOf),
      'team.history': ({ serviceId, kind, identifier }) =>
        asking(serviceId, async (server, list) => ({
          entries: [...(await valueOf(server.history(list, kind, identifier)))],
        })),
      async 'team.invite'(input) {
        requireRole(input.role, 'role');
        const { place, list, storedPassword } = await accessOf(input.serviceId);
        return joining.invite(place, list, storedPassword, input);
      },
      async 'team.inviteComputer'({ serviceId }) {
        const { place, list, storedPassword } = await accessOf(serviceId);
        return joining.inviteComputer(place, list, storedPassword);
      },
      ...createCurating({ visits, accessOf }),
      ...createCreating({ ...deps, visits }),
      async 'team.noteConflicts'({ serviceId }) {
        repository.get(serviceId);
        return { entries: [...(await copy.noteConflicts(serviceId))] };
      },
      async 'team.resolve'({ serviceId, noteConflictId, use }) {
        repository.get(serviceId);
        const found = (await copy.noteConflicts(serviceId)).find(({ id }) => id === noteConflictId);
        if (!found) throw new AppFailure({ code: 'notFound', what: 'keptApart' });
        if (use === 'mine') await deps.setNote(found.objectId, found.mine);
        await copy.forgetNoteConflict(serviceId, noteConflictId);
        changed(serviceId);
        return undefined;
      },
    },
    objectsChanged: (serviceId) => following.objectsChanged(serviceId),
    wake: () => following.wake(),
    async requireMovable(serviceId) {
      const state = await copy.stateOf(serviceId);
      if (state === null) return;
      throw new AppFailure({ code: 'serviceInTeam', list: placeOf(state).listName, problem: 'address' });
    },
    async requireShared(serviceId) {
      const state = await copy.stateOf(serviceId);
      if (state !== null) refuseUnshared(state);
    },
    async removeService(serviceId) {
      // First, because only this can fail, and then nothing is lost.
      await passwords.remove(serviceId);
      await following.stop(serviceId);
      await copy.leave(serviceId, 'all');
    },
    async close() {
      isClosing = true;
      tell.cancel();
      await Promise.all([visits.close(), following.close()]);
    },
  };
}

function refuseUnshared({ due, refused }: Pick<TeamState, 'due' | 'refused'>): void {
  const count = due + refused;
  if (count > 0) throw new AppFailure({ code: 'teamUnshared', count });
}

export function team(host: Host): Teams['handlers'] {
  const { catalogue, database, isApp } = host;
  const own = createTeams({
    ...host,
    copy: database.team,
    setNote: (id, note) => catalogue.update([{ id, patch: { note }, history: { action: 'noteChanged' } }]),
    follows: isApp,
  });
  host.onClose(() => own.close());
  host.onServiceRemoved((serviceId) => own.removeService(serviceId));
  host.beforeServiceChange((serviceId, what) =>
    what === 'move' ? own.requireMovable(serviceId) : own.requireShared(serviceId),
  );
  if (isApp) host.onObjectsChanged((serviceId) => own.objectsChanged(serviceId));
  host.onWake(() => own.wake());
  return own.handlers;
}
