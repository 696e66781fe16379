import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../../src/main/team/schema/migrate.ts';
import { startPostgres } from './postgres.ts';

/* `npm run team-server -- --data DIR`: a team's server to try, on this computer. Never for a team: its OpenSSL is an old one. */

const { data } = parseArgs({ options: { data: { type: 'string' } } }).values;
if (data === undefined) {
  process.stderr.write(
    'Usage: npm run team-server -- --data DIR\n  DIR is made if it is not there. Ctrl+C stops the server.\n',
  );
  process.exit(2);
}
const server = await startPostgres(resolve(data));
const maker = await server.owner();
const { rowCount } = await maker.query("select from pg_database where datname = 'team'");
if (rowCount === 0) await maker.query('create database team');
await maker.end();
const owner = await server.owner('team');
await migrate(owner);

/** A new password at each start: the server keeps none that could be shown again. */
async function member(name: string): Promise<string> {
  const password = randomBytes(12).toString('base64url');
  const { rowCount: found } = await owner.query('select from pg_roles where rolname = $1', [name]);
  const verb = found === 0 ? 'create' : 'alter';
  await owner.query(`${verb} role ${name} login password '${password}'`);
  await owner.query(`grant coffer_member to ${name}`);
  return `  ${name.padEnd(6)} password ${password}`;
}

const people = [await member('anna'), await member('ben')];
const { rows } = await owner.query<{ id: number }>("select id from coffer.list where name = 'Files'");
const list =
  rows[0]?.id ??
  (
    await owner.query<{ id: number }>(
      "select coffer.create_list_1('Files', 'http://127.0.0.1', '/', '@', 'anna', 'Anna') as id",
    )
  ).rows[0]?.id;
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
process.stdout.write(
  [
    `PostgreSQL at 127.0.0.1, port ${String(server.port)}, database team. Anna curates the list "Files", and Ben contributes:`,
    ...people,
    'Ctrl+C stops it; the next start gives new passwords.',
    '',
  ].join('\n'),
);

const stop = () => void server.stop().then(() => process.exit(0));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
