import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startTeamServer } from '../../../../test-support/main/team/team-database.ts';
import { isPatched, migrate } from './migrate.ts';
import { digestOf, schemaFile, steps } from './steps.ts';

const { createDatabase, createTeam, shareTeam } = startTeamServer();

describe('the steps', () => {
  it('applies them once, and later ones after them', async () => {
    const { owner } = await createTeam();
    const further = [...steps, 'create table coffer.further (id int primary key);'];
    expect(await migrate(owner)).toBe(steps.length);
    expect(await migrate(owner, further)).toBe(further.length);
    expect(await migrate(owner, further)).toBe(further.length);
    // An older Coffer leaves a newer schema unchanged.
    expect(await migrate(owner)).toBe(further.length);
    const { rows } = await owner.query('select number, digest from coffer.step order by number');
    expect(rows).toEqual(further.map((step, at) => ({ number: at + 1, digest: digestOf(step) })));
  });

  it('leave nothing behind when one fails', async () => {
    const { owner } = await createTeam();
    const failing = [...steps, 'create table coffer.half (id int); select 1 / 0;'];
    await expect(migrate(owner, failing)).rejects.toMatchObject({ code: '22012' });
    const { rows } = await owner.query(
      "select to_regclass('coffer.half') as half, max(number) as last from coffer.step",
    );
    expect(rows).toEqual([{ half: null, last: steps.length }]);
  });

  it('report what ended the connection in the middle of one', async () => {
    const { owner } = await createTeam();
    const failing = [...steps, 'select pg_terminate_backend(pg_backend_pid());'];
    await expect(migrate(owner, failing)).rejects.toMatchObject({ code: '57P01' });
  });

  it('refuses those of another program', async () => {
    const { owner } = await createTeam();
    await expect(migrate(owner, [`${steps[0] ?? ''} `])).rejects.toThrow('Step 1 of the schema');
  });

  it('can be applied by an owner who may not make roles if coffer_member exists', async () => {
    await shareTeam();
    const owner = await createDatabase();
    await owner.query(`create role keeper; alter database ${owner.database ?? ''} owner to keeper`);
    await owner.query('set session authorization keeper');
    expect(await migrate(owner)).toBe(steps.length);
    const { rows } = await owner.query(
      "select coffer.create_list_1('Files', 'x', '/', '@', 'anna', 'Anna') as list",
    );
    expect(rows).toEqual([{ list: 1 }]);
  });

  it('need a database that can hold every identifier', async () => {
    const owner = await createDatabase("encoding 'LATIN1' template template0");
    await expect(migrate(owner)).rejects.toMatchObject({ code: '0A000' });
    const { rows } = await owner.query("select to_regnamespace('coffer') as schema");
    expect(rows).toEqual([{ schema: null }]);
  });

  it('equal packaging/team/schema.sql, for psql', () => {
    expect(readFileSync('packaging/team/schema.sql', 'utf8'), 'Run: npm run team-schema').toBe(schemaFile());
  });

  it.each([
    [150_013, false],
    [150_014, true],
    [160_009, false],
    [160_010, true],
    [170_005, false],
    [170_006, true],
    [140_099, false],
    [180_000, true],
    [190_000, true],
  ])('a server of version %d is new enough: %s', (version, is) => {
    expect(isPatched(version)).toBe(is);
  });
});

describe('in the schema', () => {
  it('PUBLIC may not execute, read or connect', async () => {
    const { owner, name } = await shareTeam();
    const { rows: functions } = await owner.query(
      `select p.proname from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
       where p.pronamespace = 'coffer'::regnamespace and a.grantee = 0`,
    );
    expect(functions).toEqual([]);
    const { rows: tables } = await owner.query(
      `select c.relname from pg_class c, aclexplode(c.relacl) a where c.relnamespace = 'coffer'::regnamespace and a.grantee = 0`,
    );
    expect(tables).toEqual([]);
    const { rows: databases } = await owner.query(
      'select a.privilege_type from pg_database d, aclexplode(d.datacl) a where d.datname = $1 and a.grantee = 0',
      [name],
    );
    expect(databases).toEqual([]);
  });

  it('an index sorts texts by their bytes: a new release of the system cannot break it', async () => {
    const { owner } = await shareTeam();
    const { rows } = await owner.query(
      `select i.indexrelid::regclass::text as index
       from pg_index i cross join unnest(i.indcollation::oid[]) as k (sorting) join pg_class c on c.oid = i.indrelid
       where c.relnamespace = 'coffer'::regnamespace and k.sorting not in (0, '"C"'::regcollation)`,
    );
    expect(rows).toEqual([]);
  });

  it('every table with rows of lists or people has row-level security, and no policy opens it', async () => {
    const { owner } = await shareTeam();
    const { rows } = await owner.query<{ relname: string; is_closed: boolean }>(
      `select relname from pg_class where relnamespace = 'coffer'::regnamespace and relrowsecurity order by 1`,
    );
    expect(rows.map(({ relname }) => relname)).toEqual(['history', 'list', 'moved', 'object', 'person']);
    expect((await owner.query("select from pg_policies where schemaname = 'coffer'")).rowCount).toBe(0);
  });

  it('nobody but the owner makes tables, also in a database that comes from an older PostgreSQL', async () => {
    const owner = await createDatabase();
    await owner.query('grant create on schema public to public');
    await migrate(owner);
    const { rows } = await owner.query(
      "select has_schema_privilege('coffer_member', 'public', 'create') as may",
    );
    expect(rows).toEqual([{ may: false }]);
  });

  it('functions that run as their owner look for names in one place, and others only for the owner', async () => {
    const { owner } = await shareTeam();
    const { rows } = await owner.query<{ proname: string; is_definer: boolean; proconfig: string[] | null }>(
      `select proname, prosecdef as is_definer, proconfig from pg_proc where pronamespace = 'coffer'::regnamespace order by proname`,
    );
    for (const { proconfig } of rows) expect(proconfig).toEqual(['search_path=pg_catalog, pg_temp']);
    expect(rows.filter(({ is_definer: isDefiner }) => !isDefiner).map(({ proname }) => proname)).toEqual([
      'create_list_1',
      'name_curator_1',
    ]);
  });
});
