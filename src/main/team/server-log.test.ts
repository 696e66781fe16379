import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { byInvitation, openTeamBench, serviceId } from '../../../test-support/main/team/team-bench.ts';
import { startTeamServer, type TeamDatabase } from '../../../test-support/main/team/team-database.ts';
import { readInvitation } from './invitation.ts';

const { createTeam, invitationOf, log, port } = startTeamServer();

/**
 * The server's log from now on, of new connections to the team's database.
 * @returns what was written until now
 */
async function logAll({ name, owner }: TeamDatabase): Promise<() => Promise<string>> {
  let text = '';
  const listen = (data: Buffer) => void (text += data.toString());
  log()?.on('data', listen);
  const settings = ['log_statement', 'log_min_messages', 'log_min_duration_statement'];
  onTestFinished(async () => {
    log()?.off('data', listen);
    for (const setting of settings) await owner.query(`alter database ${name} reset ${setting}`);
  });
  for (const [at, value] of ['all', 'debug2', '0'].entries())
    await owner.query(`alter database ${name} set ${settings[at] ?? ''} = '${value}'`);
  return async () => {
    const mark = randomBytes(8).toString('hex');
    await owner.query(`set log_statement = 'all'`);
    await owner.query(`select '${mark}'`);
    await eventually(() => expect(text).toContain(mark));
    return text;
  };
}

const drawnBy = ({ secrets }: Awaited<ReturnType<typeof openTeamBench>>) =>
  (JSON.parse(secrets.entries.get(`team:${serviceId}`) ?? '{}') as { password?: string }).password ?? '';
const passwordIn = (invitation: string) => readInvitation(invitation).password ?? '';

it.skipIf(process.platform === 'win32')(
  'a server that logs all statements and their parameters logs no password of a person',
  async () => {
    const team = await createTeam();
    const { owner, curator, list, name } = team;
    const ben = await team.join('ben', 2);
    await owner.query(`alter role ${curator.role.name} createrole`);
    await owner.query(`grant coffer_member to ${curator.role.name} with admin option`);
    const ownPassword = randomBytes(12).toString('hex');
    await owner.query(`create role owner_${name} login superuser password '${ownPassword}'`);
    const roles = [`owner_${name}`, `log_mia_${name}`, `log_eva_${name}`];
    onTestFinished(async () => {
      for (const role of roles) await owner.query(`drop role if exists ${role}`);
    });
    const read = await logAll(team);
    const passwords = [curator.role.password, ben.role.password, ownPassword];

    const anna = await openTeamBench();
    await anna.join(byInvitation(invitationOf(team, curator)), list);
    passwords.push(drawnBy(anna));

    // A role that Coffer makes, the same again, then joining with the last invitation, and a second computer.
    const asked = { serviceId, role: `log_mia_${name}`, shown: 'Mia', may: 'contribute' } as const;
    const made = await anna.calls['team.invite'](asked);
    const renewed = await anna.calls['team.invite'](asked);
    expect(renewed).toMatchObject({ hasPassword: true, isRenewed: true });
    const mia = await openTeamBench();
    await mia.join(byInvitation(renewed.invitation), list);
    passwords.push(passwordIn(made.invitation), passwordIn(renewed.invitation), drawnBy(mia));
    const { invitation } = await mia.calls['team.inviteComputer']({ serviceId });
    const atHome = await openTeamBench();
    await atHome.join(byInvitation(invitation), list);

    // A password that the person knows, and a wrong one.
    const known = await openTeamBench();
    const withoutPassword = invitationOf(team, { role: { ...ben.role, password: null } });
    await known.join(byInvitation(withoutPassword, ben.role.password), list);
    const wrong = randomBytes(12).toString('hex');
    const proof = { kind: 'password', teamPassword: wrong } as const;
    await expect(known.calls['team.signIn']({ serviceId, proof })).rejects.toThrow('teamServer');
    passwords.push(wrong);

    // The owner of the database gives the list another curator.
    const first = await known.calls['team.create']({
      access: {
        server: {
          kind: 'typed',
          host: '127.0.0.1',
          port: port(),
          database: name,
          role: `owner_${name}`,
          authority: null,
        },
        teamPassword: ownPassword,
        clientCertificate: null,
      },
      curator: { role: `log_eva_${name}`, shown: 'Eva', makesRoles: 'own' },
      list: { kind: 'there', listId: list },
    });
    passwords.push(passwordIn(first.invitation));

    const written = await read();
    expect(new Set(passwords).size).toBe(9);
    for (const password of passwords) {
      expect(password.length).toBeGreaterThan(20);
      expect(written.includes(password)).toBe(false);
    }
    // Else nothing was logged: an own password, a role made, its password renewed, an own password again.
    const statements = written.match(/(?:create|alter) role .*password 'SCRAM-SHA-256/gi) ?? [];
    expect(statements.length).toBeGreaterThanOrEqual(5);
  },
);
