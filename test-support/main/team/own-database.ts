import { onTestFinished } from 'vitest';
import type pg from 'pg';
import type { TeamAccessInput } from '../../../src/shared/contract/team.ts';
import { serviceId } from './team-bench.ts';
import { dropSchema } from './create-team.ts';

export type OwnDatabase = {
  readonly admin: pg.Client;
  readonly database: string;
  readonly role: string;
  readonly access: TeamAccessInput;
};

/** Makes a role that owns an empty database, as for `coffer team create`. @param rights of the role */
export async function ownDatabase(admin: pg.Client, port: number, rights: string): Promise<OwnDatabase> {
  const database = admin.database ?? '';
  const role = `owner_${database}`;
  await admin.query(`create role ${role} login password 'secret' ${rights}`);
  await admin.query(`alter database ${database} owner to ${role}`);
  onTestFinished(async () => {
    await dropSchema(admin);
    await admin.query(`alter database ${database} owner to postgres`);
  });
  const access: TeamAccessInput = {
    server: { kind: 'typed', host: '127.0.0.1', port, database, role, authority: null },
    teamPassword: 'secret',
    clientCertificate: null,
  };
  return { admin, database, role, access };
}

/** Makes coffer_member exist, as another team would, and lets the role add members. */
export const mayAddMembers = async ({ admin, role }: OwnDatabase) => {
  await admin.query(
    `do $$ begin if to_regrole('coffer_member') is null then create role coffer_member nologin; end if; end $$`,
  );
  await admin.query(`grant coffer_member to ${role} with admin option`);
};

export const curatorOf = (role: string, makesRoles: 'no' | 'own' | 'all' = 'own') => ({
  role,
  shown: 'Anna Berg',
  makesRoles,
});

export const newList = (name: string) => ({ kind: 'new', name, serviceId }) as const;
