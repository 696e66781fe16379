import { expect, onTestFinished } from 'vitest';
import type { Handlers } from '../../../src/shared/contract.ts';
import type { TeamAccessInput } from '../../../src/shared/contract/team.ts';
import type { TeamSyncState } from '../../../src/shared/domain/team.ts';
import { createCredentialStore } from '../../../src/main/connections/credential-store.ts';
import { makeLocalService } from '../../../src/main/connections/local-service.ts';
import { openServiceRepository } from '../../../src/main/connections/service-repository.ts';
import { KeyedMutex } from '../../../src/main/lib/async.ts';
import { createGrants } from '../../../src/main/local-files/grants.ts';
import { createTeams, type Teams } from '../../../src/main/team/teams.ts';
import { systemClock } from '../../../src/main/clock.ts';
import { openStores } from '../transfers/store/stores.ts';
import { createTestLog, createTestPublisher, createTestSecrets } from '../test-ports.ts';
import { eventually } from '../../eventually.ts';
import { startHere } from './start-here.ts';

/** One computer with one service, at the address that the lists of tests are about. */
export const serviceId = 'files';

type TeamHandlers = Teams['handlers'];
/** The handlers as a caller sees them. */
type Calls = {
  [N in keyof TeamHandlers]: (input: Parameters<Handlers[N]>[0]) => Promise<Awaited<ReturnType<Handlers[N]>>>;
};

/** @param startThread for the connections; by default they run on the test's thread */
export async function openTeamBench(startThread = startHere) {
  const held = await openStores([serviceId], Date.now);
  const secrets = createTestSecrets();
  const log = createTestLog();
  const publisher = createTestPublisher();
  const grants = createGrants();
  const repository = await openServiceRepository(held.stores.documents, log);
  const local = makeLocalService('http://127.0.0.1:1', []);
  await repository.add({
    ...local,
    id: serviceId,
    isLocal: false,
    baseAddress: 'https://files.example',
    name: 'Files',
  });
  await repository.add(local);
  let teams: Teams | undefined;
  const calls = {} as Calls;

  /** Like a start of the app: what was in memory is gone. */
  async function start(follows = true): Promise<void> {
    await teams?.close();
    const credentials = await createCredentialStore({
      secrets,
      clock: systemClock,
      log,
      onStored: () => undefined,
    });
    teams = createTeams({
      copy: held.stores.team,
      repository,
      credentials,
      grants,
      clock: systemClock,
      log,
      publisher,
      serviceLock: new KeyedMutex<string>(),
      setNote: (id, note) => held.stores.catalogue.update([{ id, patch: { note } }]),
      follows,
      startThread,
    });
    for (const [name, handler] of Object.entries(teams.handlers))
      Object.assign(calls, { [name]: async (input: never) => handler(input) });
  }
  const status = async () => (await calls['team.status']({ serviceId })).team;
  await start();
  onTestFinished(async () => {
    await teams?.close();
    held[Symbol.dispose]();
  });
  return {
    calls,
    secrets,
    log,
    publisher,
    stores: held.stores,
    repository,
    localId: local.id,
    start,
    get teams(): Teams {
      if (teams === undefined) throw new Error('not started');
      return teams;
    },
    status,
    until: (kind: TeamSyncState['kind']) =>
      eventually(async () => expect((await status())?.syncState).toMatchObject({ kind })),
    join: (access: TeamAccessInput, list: number, more: { anyAddress?: boolean } = {}) =>
      calls['team.join']({ serviceId, access, list, sharesEarlier: false, anyAddress: false, ...more }),
  };
}

export const byInvitation = (invitation: string, teamPassword: string | null = null): TeamAccessInput => ({
  server: { kind: 'invitation', invitation },
  teamPassword,
  clientCertificate: null,
});
