import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../test-support/command/command-world.ts';
import { runLine, type LineOptions } from '../../test-support/command/run-line.ts';
import { eventually } from '../../test-support/eventually.ts';
import { startTcpProxy } from '../../test-support/main/team/tcp-proxy.ts';
import { startTeamServer } from '../../test-support/main/team/team-database.ts';
import { readInvitation } from '../main/team/invitation.ts';
import { checkLines } from '../../test-support/command/json-schemas.ts';

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

/** The files below a folder that contain a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

describe.skipIf(!hasKeychain)('coffer team', () => {
  const { createTeam, port, invitationOf } = startTeamServer();

  /** A computer without the app, with the service of the list. `on`: runs a line there or on another computer. */
  async function openTeam() {
    const team = await createTeam();
    const a = await openWorld({ with: 'none' });
    const address = a.env['ADDRESS'] ?? '';
    await team.owner.query('update coffer.list set origin = $1', [address]);
    const on =
      (world: World) =>
      async (line: string, env: NodeJS.ProcessEnv = {}, types: LineOptions['types'] = null) => {
        const ran = await runLine(line, {
          cwd: world.files,
          env: { ...world.env, SHARED: address, ...env },
          signal: AbortSignal.timeout(180_000),
          interruptWhen: undefined,
          types,
          keychain: world.keychain,
        });
        if (line.includes('--json')) checkLines(ran.stdout);
        return ran;
      };
    return { team, a, on };
  }

  /** The stored record of the only team. */
  async function keptOn(world: World) {
    const database = new DatabaseSync(join(world.dataFolder, 'coffer.db'), { readOnly: true });
    const ids = database.prepare('SELECT service_id AS id FROM service').all();
    database.close();
    const entries = await Promise.all(ids.map(({ id }) => world.keychain.get(`team:${String(id)}`)));
    return JSON.parse(entries.find((entry) => entry !== null) ?? 'null') as Record<string, string>;
  }

  test('one computer lists what the other stored, with the name of the person', async () => {
    const { team, a, on } = await openTeam();
    const b = await openWorld({ with: 'app' });
    const [onA, onB] = [on(a), on(b)];
    const anna = await team.join('anna', 2);
    const ben = await team.join('ben', 2);
    expect(await onA('coffer service add Shared "$SHARED" < token.txt')).toMatchObject({ code: 0 });
    expect(await onB('coffer service add Shared "$SHARED" < token.txt')).toMatchObject({ code: 0 });
    expect(await onA('coffer put a.txt --to t')).toMatchObject({ code: 0 });

    const invited = await onA('printf %s "$INVITATION" | coffer team join', {
      INVITATION: invitationOf(team, anna),
    });
    expect(invited).toMatchObject({ code: 0, stdout: 'Shared: joined the list Files as anna\n' });
    expect(invited.stderr).toContain('“coffer team sync” does so once');
    expect(await onA('coffer team status')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Shared: Followed while Coffer is open') as string,
    });
    const joined = await onB('printf %s "$INVITATION" | coffer -s Shared team join --json', {
      INVITATION: invitationOf(team, ben),
    });
    expect(joined).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Whoever runs') as string,
      stdout: '{"service":"Shared","list":"Files","as":"ben"}\n',
    });

    expect(await onA('coffer team sync --json')).toMatchObject({
      code: 0,
      stdout: '{"service":"Shared","due":0,"setAside":0}\n',
    });
    await eventually(async () =>
      expect((await onB('coffer -s Shared ls --json')).stdout).toContain('"identifier":"t/a.txt"'),
    );
    expect((await onB('coffer -s Shared team people')).stdout).toMatch(/\d+ {2}anna\n\d+ {2}ben\n/);
    // Rows are listed before the first sync has finished.
    await eventually(async () =>
      expect(await onB('coffer -s Shared team status --json')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('"state":"live"') as string,
      }),
    );
    expect((await onB('coffer -s Shared ls --json')).stdout).toContain('"storedBy":"anna"');
    expect((await onB('coffer -s Shared ls')).stdout).toMatch(/ t\/a\.txt {2}\(stored by anna\)$/m);
    expect((await onB('coffer -s Shared info t/a.txt')).stdout).toContain('\nstoredBy: anna\n');
    expect(
      await onB('coffer service set Shared --address http://127.0.0.1:1 --no-check < token.txt'),
    ).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Leave the team first with “coffer team leave”.') as string,
    });
    // The password is only in the keychain, and in no file of either computer.
    const { host, database, role, password = '' } = await keptOn(a);
    expect({ host, database, role }).toEqual({
      host: '127.0.0.1',
      database: team.name,
      role: anna.role.name,
    });
    expect(password).not.toBe('');
    for (const secret of [password, anna.role.password, ben.role.password])
      expect([...filesWith(a.dataFolder, secret), ...filesWith(b.dataFolder, secret)]).toEqual([]);
    expect(await onA('coffer team leave --keep all')).toMatchObject({
      code: 0,
      stdout: 'Shared: left the list Files\n',
    });
    expect((await onA('coffer ls --json')).stdout).toContain('"identifier":"t/a.txt"');

    expect(await onB('coffer -s Shared export list.csv')).toMatchObject({ code: 0 });
    expect(readFileSync(join(b.files, 'list.csv'), 'utf8')).toContain('"anna"');
    expect((await onB('coffer -s Shared export - --format jsonl')).stdout).toContain('"storedBy":"anna"');
    expect(await onB('coffer -s Shared team leave --keep none')).toMatchObject({ code: 0 });
    await eventually(async () => expect((await onB('coffer -s Shared ls --json')).stdout).toBe(''));
    // A name in an imported file proves nothing.
    expect(await onB('coffer -s Shared import list.csv')).toMatchObject({ code: 0 });
    expect((await onB('coffer -s Shared ls --json')).stdout).toMatch(
      /"identifier":"t\/a\.txt".*"storedBy":null/,
    );
  });

  test('a curator makes areas, gives access, ends and invites', async () => {
    const { team, a, on } = await openTeam();
    const onA = on(a);
    const anna = await team.join('anna', 1);
    await onA('coffer service add Shared "$SHARED" < token.txt');
    await onA('coffer put a.txt --to reports');
    const saying = (text: string) => expect.stringContaining(text) as string;
    expect(await onA('coffer team areas')).toMatchObject({
      code: 3,
      stderr: 'Error: This service has no team. Join the team’s list first.\n',
    });
    const INVITATION = invitationOf(team, team.curator);
    expect(await onA('printf %s "$INVITATION" | coffer team join', { INVITATION })).toMatchObject({
      code: 0,
    });
    expect(await onA('coffer team add-area reports/ --json')).toMatchObject({
      code: 0,
      stdout: '{"area":2,"change":"made"}\n',
    });
    expect(await onA('coffer team grant anna read --area 2')).toMatchObject({
      code: 0,
      stdout: 'anna: read, in area 2\n',
    });
    expect(await onA('coffer team areas')).toMatchObject({
      code: 0,
      stdout:
        '1  the whole list: 0 objects\n   Curator: curate\n   anna: read\n' +
        '2  reports/: 1 object\n   Curator: curate\n   anna: read\n',
    });
    expect(await onA('coffer team areas --json')).toMatchObject({ code: 0 });
    expect(await onA('coffer team grant anna none --area 9')).toMatchObject({
      code: 3,
      stderr: 'Error: There is no area 9. “coffer team areas” lists them.\n',
    });
    expect(await onA('coffer team grant nobody read')).toMatchObject({
      code: 3,
      stderr: saying('Nobody in the team has the number, role or name nobody.'),
    });
    expect(await onA('coffer team add-area')).toMatchObject({
      code: 2,
      stderr: saying('Give a folder, --classification, or both.'),
    });
    expect(await onA('coffer team add-area drafts --classification secret --keep-access')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Made area \d+\n$/) as string,
    });
    expect((await onA('coffer team areas')).stdout).toMatch(
      /^\d+ {2}drafts\/, secret: 0 objects\n {3}Curator: curate\n {3}anna: read$/m,
    );
    expect(await onA('coffer team remove-area 1')).toMatchObject({
      code: 7,
      stderr: saying('The area of the whole list holds what is in no other one.'),
    });
    expect(await onA('coffer team remove-area 2')).toMatchObject({ code: 0, stdout: 'Removed area 2\n' });
    expect((await onA('coffer team areas')).stdout).toContain('1  the whole list: 1 object\n');
    expect(await onA('coffer team share secrets --json')).toMatchObject({
      code: 0,
      stdout: '{"secrets":true,"notes":true,"fileNames":true}\n',
    });
    expect(await onA('coffer team compare --json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"change":"compared"') as string,
    });
    expect(await onA('coffer team share file-names --stop')).toMatchObject({
      code: 0,
      stdout: 'Shared: identifiers of secrets, notes\n',
    });
    expect(await onA('coffer team share notes --stop')).toMatchObject({
      code: 0,
      stderr: 'Deleted 0 notes on the server\n',
    });
    expect(await onA(`coffer team end ${anna.role.name}`)).toMatchObject({
      code: 0,
      stdout: 'Ended anna\n',
      stderr: expect.stringContaining(`alter role "${anna.role.name}" nologin`) as string,
    });
    expect(await onA('coffer team end anna --undo --json')).toMatchObject({
      code: 0,
      stdout: `{"number":${String(anna.id)},"name":"anna","isEnded":false,"left":[]}\n`,
    });

    const { name: curator } = team.curator.role;
    await team.owner.query(`alter role ${curator} createrole`);
    await team.owner.query(`grant coffer_member to ${curator} with admin option`);
    const cara = `cara_${team.name}`;
    const { code, stdout, stderr } = await onA(`coffer team invite ${cara} --name "Cara Lind" --may read`);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: saying('whoever has it first can join as Cara Lind'),
    });
    expect(readInvitation(stdout.trim())).toMatchObject({ role: cara, from: 'Curator' });
    expect((await onA('coffer team areas')).stdout).toContain('   Cara Lind: read\n');
    expect(await onA(`coffer team invite ${cara} --json`)).toMatchObject({
      code: 0,
      stdout: saying('"hasPassword":true,"isRenewed":true'),
    });

    const b = await openWorld({ with: 'none' });
    const onB = on(b);
    await onB('coffer service add Shared "$SHARED" < token.txt');
    const { stdout: line, stderr: advice } = await onA('coffer team invite-computer');
    expect(advice).toContain('Paste it into Coffer there, and keep it nowhere');
    expect(
      await onB('printf %s "$INVITATION" | coffer team join', { INVITATION: line.trim() }),
    ).toMatchObject({ code: 0, stdout: 'Shared: joined the list Files as Curator\n' });
    expect(await onA('coffer team sync')).toMatchObject({ code: 0 });
  });

  test('the owner of a database creates a list, and joins it with the invitation', async () => {
    const { team, a, on } = await openTeam();
    const onA = on(a);
    const owner = `owner_of_${team.name}`;
    await team.owner.query('drop schema coffer cascade');
    await team.owner.query(`drop role if exists ${owner}`);
    await team.owner.query(`create role ${owner} login superuser password 'secret'`);
    await onA('coffer service add Shared "$SHARED" < token.txt');
    const env = { PORT: String(port()), DB: team.name, OWNER: owner };
    const create = (more: string) =>
      onA(
        `printf secret | coffer team create --server 127.0.0.1 --port "$PORT" --database "$DB" --role "$OWNER" ${more}`,
        env,
      );
    const unfinished = await onA('coffer team create --server db.example --list Files', env);
    expect(unfinished).toMatchObject({ code: 2 });
    const made = await create(`--list Files --curator anna_${team.name} --name "Anna Berg"`);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^coffer-team:/) as string });
    const version = await team.owner.query(
      "select 1 where current_setting('server_version_num')::int < 160000",
    );
    expect(made.stderr.includes('Anna Berg may make no roles')).toBe(version.rowCount === 1);
    expect(await create('--list "" --curator anna')).toMatchObject({ code: 2 });
    expect(await create('--list X --curator x --no-roles --curator-may-take-over-server')).toMatchObject({
      code: 2,
    });
    expect(await create('--list Files --curator anna --client-certificate none.pfx')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('none.pfx') as string,
    });
    expect(
      await onA('printf %s "$INVITATION" | coffer team join', { INVITATION: made.stdout.trim() }),
    ).toMatchObject({ code: 0, stdout: 'Shared: joined the list Files as Anna Berg\n' });
    const another = await create(`--list Files --curator ben_${team.name} --json`);
    expect(another).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"hasPassword":true') as string,
    });
  });

  test('the exit code tells an unreachable server from one that refuses', async () => {
    const { team, a, on } = await openTeam();
    const onA = on(a);
    const anna = await team.join('anna', 2);
    await onA('coffer service add Shared "$SHARED" < token.txt');
    const INVITATION = invitationOf(team, anna);
    expect(await onA('coffer team sync')).toMatchObject({ code: 3 });
    expect(
      await onA('printf %s "$INVITATION" | coffer team join', { INVITATION: INVITATION.slice(0, 60) }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining('A part of it is missing') as string });
    expect(
      await onA(
        'printf wrong | coffer team join --server 127.0.0.1 --port "$PORT" --database "$DB" --role x',
        {
          PORT: String(port()),
          DB: team.name,
        },
      ),
    ).toMatchObject({ code: 4, stderr: expect.stringContaining('doesn’t accept the role') as string });
    expect(
      await onA('printf x | coffer team join --server 127.0.0.1 --port 1 --database d --role x'),
    ).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('It can’t be reached.') as string,
    });
    expect(await onA('printf x | coffer team join --server db.example')).toMatchObject({ code: 2 });
    // An argument is visible to every process and in the shell's history: refused, and not repeated.
    const argued = await onA('coffer team join "$INVITATION"', { INVITATION });
    expect(argued).toMatchObject({ code: 2 });
    expect(argued.stderr).not.toContain(INVITATION.slice(0, 40));
    const { role } = anna;
    expect(
      await onA('printf %s "$INVITATION" | coffer team join', {
        INVITATION: invitationOf(team, { ...anna, role: { ...role, password: null } }),
      }),
    ).toMatchObject({ code: 4, stderr: expect.stringContaining('Join on a terminal') as string });
    const type = (answer: string): LineOptions['types'] => [
      ['Invitation: ', `${INVITATION}\r`],
      ['[y/N] ', `${answer}\r`],
    ];
    const refused = await onA('coffer team join', {}, type(''));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toContain(
      `List Files at 127.0.0.1, port ${String(port())}, database ${team.name}, as ${anna.role.name}`,
    );
    expect(refused.stdout).toContain('Nothing was joined or shared.');
    expect(refused.stdout).not.toContain(INVITATION.slice(0, 20));
    expect(await onA('coffer team join', {}, type('y'))).toMatchObject({ code: 0 });
    await team.owner.query(`alter role ${anna.role.name} password 'anew'`);
    expect(await onA('printf wrong | coffer team sign-in')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('doesn’t accept the role') as string,
    });
    expect(await onA('printf anew | coffer team sign-in --json')).toMatchObject({
      code: 0,
      stdout: '{"service":"Shared","signedIn":true}\n',
    });
    await team.curator.call('coffer.set_person_1($1, $2, $3, true)', team.list, anna.role.name, 'anna');
    expect(await onA('coffer team sync')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('You aren’t a member of the team there.') as string,
    });
    await onA('coffer put a.txt --to t');
    expect(await onA('coffer team leave --keep own')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--drop-unshared') as string,
    });
    expect(await onA('coffer team leave --keep own --drop-unshared')).toMatchObject({ code: 0 });
    expect((await onA('coffer ls')).stdout).toContain('t/a.txt');

    const line = await startTcpProxy(port);
    const ben = await team.join('ben', 2);
    const { name: ROLE, password: PROOF } = ben.role;
    expect(
      await onA(
        'printf %s "$PROOF" | coffer team join --server 127.0.0.1 --port "$PORT" --database "$DB" --role "$ROLE"',
        { PORT: String(line.port), DB: team.name, ROLE, PROOF },
      ),
    ).toMatchObject({ code: 0 });
    line.close();
    expect(await onA('coffer team sync')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('It can’t be reached.') as string,
    });
    expect(
      await onA('coffer team status', { COFFER_ADDRESS: 'https://files.example', COFFER_TOKEN: 'x' }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no team') as string });
  });
});
