import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeInvitation } from '../../../src/main/team/invitation.ts';
import { migrate } from '../../../src/main/team/schema/migrate.ts';
import { drawPassword } from '../../../src/main/team/passwords.ts';
import { rolesReachOf } from '../../../src/main/team/wire/roles.ts';
import { startPostgres } from './postgres.ts';

/* `npm run team-server -- --data DIR`: a team's server on this computer, for trying out. Never for a real team: its OpenSSL is outdated. */

const usage = `Usage: npm run team-server -- --data DIR [--service ADDRESS] [--port N] [--invite]
  --data DIR         is made if it is not there
  --service ADDRESS  of the service that the list is about; by default as before, or http://127.0.0.1:8080
  --port N           by default 54320: who has joined comes back to the same one
  --invite           invites both anew: whoever has joined has to sign in again
Ctrl+C stops it.
`;
const options = {
  data: { type: 'string' },
  service: { type: 'string' },
  port: { type: 'string', default: '54320' },
  invite: { type: 'boolean', default: false },
} as const;
const { data, service, port, invite } = parseArgs({ options }).values;
if (data === undefined || !/^\d{1,5}$/.test(port)) {
  process.stderr.write(usage);
  process.exit(2);
}
const server = await startPostgres(resolve(data), [], Number(port));
const maker = await server.owner();
const { rowCount } = await maker.query("select from pg_database where datname = 'team'");
if (rowCount === 0) await maker.query('create database team');
await maker.end();
const owner = await server.owner('team');
await migrate(owner);

/** @returns a password for joining once; null: the person may have joined, and has their own */
async function makeMember(name: string): Promise<string | null> {
  const { rowCount: found } = await owner.query('select from pg_roles where rolname = $1', [name]);
  if (found !== 0 && !invite) return null;
  const password = drawPassword();
  await owner.query(`${found === 0 ? 'create' : 'alter'} role ${name} login password '${password}'`);
  await owner.query(`grant coffer_member to ${name}`);
  return password;
}

const passwords = { Anna: await makeMember('anna'), Ben: await makeMember('ben') };
// Lets her invite others.
const { rows: versions } = await owner.query<{ version: number }>(
  "select current_setting('server_version_num')::int as version",
);
if (rolesReachOf(versions[0]?.version ?? 0) === 'own') {
  await owner.query('alter role anna createrole');
  await owner.query('grant coffer_member to anna with admin option');
}
const { rows } = await owner.query<{ id: number }>("select id from coffer.list where name = 'Files'");
const list =
  rows[0]?.id ??
  (
    await owner.query<{ id: number }>(
      "select coffer.create_list_1('Files', 'http://127.0.0.1:8080', '/', '@', 'anna', 'Anna') as id",
    )
  ).rows[0]?.id ??
  0;
if (service !== undefined)
  await owner.query('update coffer.list set origin = $1 where id = $2', [service, list]);
await owner.query(
  `with person as (
     insert into coffer.person (role_name, shown) values ('ben', 'Ben') on conflict (role_name) do update set shown = 'Ben' returning id
   )
   insert into coffer.access (area, person, may)
   select area.id, person.id, 2 from coffer.area, person where area.list = $1 and area.prefix = '' and area.classification is null
   on conflict do nothing`,
  [list],
);
await owner.end();
const stop = () => void server.stop().then(() => process.exit(0));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

const invitations = Object.entries(passwords).map(([name, password]) => {
  if (password === null) return `${name} was invited at an earlier start; --invite does so again.`;
  const place = { host: '127.0.0.1', port: server.port, database: 'team', role: name.toLowerCase() };
  return `${name}: ${writeInvitation({ ...place, authority: null, list, password, from: null })}`;
});
process.stdout.write(
  [
    `PostgreSQL at 127.0.0.1, port ${String(server.port)}, database team. Anna curates the list "Files", and Ben contributes.`,
    ...invitations,
    'Ctrl+C stops it.',
    '',
  ].join('\n\n'),
);
