import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../test-support/eventually.ts';
import { createRandom } from '../../../../test-support/random.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../../test-support/main/team/team-database.ts';

const { createTeam } = startTeamServer();

describe('a push', () => {
  const push = (member: Member, { client, seq, before, tag }: Record<string, unknown>, identifier = 'a') =>
    member.call<{ rev: number }>(
      'coffer.push_1(1, $1, $2, $3, $4, $5)',
      client,
      seq,
      before,
      tag,
      JSON.stringify([{ kind: 0, identifier, note: String(seq), note_base: String(Number(seq) - 1) }]),
    );

  it('whose answer was lost is answered again, and done once', async () => {
    const { curator } = await createTeam();
    const once = { client: randomUUID(), seq: 1, before: null, tag: randomUUID() };
    const first = await push(curator, once);
    expect(await push(curator, once)).toEqual(first);
    expect(await curator.call('(select count(*) from coffer.history)')).toBe('2');
    expect(first.rev).toBe(1);
  });

  it('of a second copy of the same client is refused', async () => {
    const { curator } = await createTeam();
    const client = randomUUID();
    const [one, other] = [randomUUID(), randomUUID()];
    await push(curator, { client, seq: 1, before: null, tag: one });
    await push(curator, { client, seq: 2, before: one, tag: other });
    for (const wrong of [
      { client, seq: 2, before: one, tag: randomUUID() },
      { client, seq: 3, before: one, tag: randomUUID() },
      { client, seq: 4, before: other, tag: randomUUID() },
    ]) {
      await expect(push(curator, wrong)).rejects.toMatchObject({ code: '55000' });
    }
    await expect(push(curator, { client, seq: 3, before: other, tag: randomUUID() })).resolves.toMatchObject({
      rev: 3,
    });
  });

  it('of the client of another person is refused', async () => {
    const { curator, join } = await createTeam();
    const anna = await join('anna', 2);
    const once = { client: randomUUID(), seq: 1, before: null, tag: randomUUID() };
    await push(curator, once);
    await expect(push(anna, once)).rejects.toMatchObject({ code: '42501' });
  });

  it('reads only what it changes, also in a session that began with an empty list', async () => {
    const { curator, owner } = await createTeam();
    const readSoFar = async () => {
      await curator.rows('select pg_stat_force_next_flush()');
      const { rows } = await owner.query<{ read: number }>(
        "select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relid = 'coffer.object'::regclass",
      );
      return rows[0]?.read ?? Number.NaN;
    };
    const pushes = (batch: number) =>
      curator.push(
        ...Array.from({ length: 1000 }, (_, at) => ({ identifier: `folder/${String(batch)}/${String(at)}` })),
      );
    for (let batch = 0; batch < 12; batch += 1) await pushes(batch);
    const before = await readSoFar();
    await pushes(12);
    expect((await readSoFar()) - before).toBeLessThan(2000);
  });

  it('tells those who listen its number', async () => {
    const { curator, join } = await createTeam();
    const anna = await join('anna', 1);
    await anna.client.query('listen coffer_1');
    const told = new Promise((resolve) => anna.client.on('notification', resolve));
    await curator.push({ identifier: 'a' }, { identifier: 'b' });
    expect(await told).toMatchObject({ channel: 'coffer_1', payload: '2' });
  });

  it('anchors: the newest number that the server still has', async () => {
    const { curator, owner } = await createTeam();
    const tags = [randomUUID(), randomUUID(), randomUUID()];
    const client = randomUUID();
    let before: string | null = null;
    for (const [at, tag] of tags.entries()) {
      await push(curator, { client, seq: at + 1, before, tag });
      before = tag;
    }
    const common = () => curator.call('coffer.common_1(1, $1, $2)', [1, 2, 3], tags);
    const known = async () =>
      (await curator.call<{ known: boolean }>('coffer.hello_1(1, 3, $1)', tags[2])).known;
    expect([await common(), await known()]).toEqual(['3', true]);
    // A copy of the server of before the last push was put back, and another client has pushed since.
    await owner.query(
      'delete from coffer.push where rev = 3; delete from coffer.history where rev = 3; update coffer.feed set rev = 2',
    );
    await push(curator, { client: randomUUID(), seq: 1, before: null, tag: randomUUID() });
    expect([await common(), await known()]).toEqual(['2', false]);
  });

  it('stops a client at numbers that have a tag, at most 5,000 further unless a push was larger', async () => {
    const { curator, owner } = await createTeam();
    await owner.query(`insert into coffer.push (list, rev, tag, person, client, changes)
      select 1, rev, gen_random_uuid(), 1, gen_random_uuid(), 1 from unnest(array[10, 4000, 5000, 5001, 30000]) rev`);
    const stops: unknown[] = [];
    for (const rev of [0, 4000, 5001, 30_000])
      stops.push((await curator.call<{ rev: number } | null>('coffer.next_1(1, $1)', rev))?.rev);
    expect(stops).toEqual([5000, 5001, 30_000, undefined]);
  });

  it('those of 90 days ago are forgotten, with what was taken off the list', async () => {
    const { curator, owner, join } = await createTeam();
    await curator.push({ identifier: 'off', state: 3 }, { identifier: 'kept' });
    await curator.push({ identifier: 'off', forget: true });
    await owner.query(
      "update coffer.push set at = now() - interval '91 days'; update coffer.client set last_at = now() - interval '91 days'",
    );
    const here = await join('here', 2);
    await here.push({ identifier: 'late' });
    expect(await curator.call('coffer.tend_1(1)')).toBe(false);
    await owner.query("update coffer.feed set trimmed_at = now() - interval '25 hours'");
    // Once a day, and by curators only.
    expect(await here.call('coffer.tend_1(1)')).toBe(false);
    expect(await curator.call('coffer.tend_1(1)')).toBe(true);
    expect(await curator.call('coffer.tend_1(1)')).toBe(false);
    expect(await curator.rows('select identifier from coffer.object order by 1')).toEqual([
      { identifier: 'kept' },
      { identifier: 'late' },
    ]);
    expect((await owner.query('select rev from coffer.push')).rows).toEqual([{ rev: '4' }]);
    expect((await owner.query('select person from coffer.client')).rows).toEqual([{ person: here.id }]);
    expect((await owner.query('select distinct action from coffer.history')).rows).toEqual([
      { action: 'added' },
    ]);
  });
});

describe('the feed', () => {
  const seed = 20_261_126;

  /** Writes by several sessions at once, each of which holds its transaction open for a while, and reads meanwhile as clients do. */
  async function race(
    team: TeamDatabase,
    write: (session: Member, dice: () => number, at: number) => Promise<void>,
    read: (session: Member) => Promise<string[]>,
  ): Promise<number> {
    const dice = createRandom(seed);
    const sessions = await Promise.all(Array.from({ length: 6 }, () => team.connect(team.curator)));
    const reader = await team.connect(team.curator);
    const seen = new Set<string>();
    let isWriting = true;
    const reading = (async () => {
      while (isWriting) for (const identifier of await read(reader)) seen.add(identifier);
    })();
    const writing = sessions.map(async (session, number) => {
      for (let at = 0; at < 6; at += 1) await write(session, dice, number * 100 + at);
    });
    await Promise.all(writing).finally(() => (isWriting = false));
    await reading;
    for (const identifier of await read(reader)) seen.add(identifier);
    return 6 * 6 - seen.size;
  }

  it('misses nothing', async () => {
    const team = await createTeam();
    let [cursor, tag] = [0, null as string | null];
    const missed = await race(
      team,
      async (session, dice, at) => {
        await session.client.query('begin');
        await session.push({ identifier: `file ${String(at)}` });
        await session.client.query('select pg_sleep($1)', [dice() / 100]);
        await session.client.query('commit');
      },
      async (session) => {
        const hello = await session.call<{ rev: number; tag: string; known: boolean }>(
          'coffer.hello_1(1, $1, $2)',
          cursor,
          tag,
        );
        expect(hello.known).toBe(true);
        const rows = await session.rows<{ identifier: string }>(
          'select identifier from coffer.object where list = 1 and rev > $1 and rev <= $2 order by rev',
          cursor,
          hello.rev,
        );
        [cursor, tag] = [hello.rev, hello.tag];
        return rows.map(({ identifier }) => identifier);
      },
    );
    expect(missed, `seed ${String(seed)}`).toBe(0);
    expect(cursor).toBe(36);
  });

  it('of a plain sequence would: this race is one', async () => {
    const team = await createTeam();
    await team.owner.query(
      `create table public.plain (rev bigserial, identifier text); grant all on public.plain, public.plain_rev_seq to coffer_member`,
    );
    let cursor = 0;
    const first = Promise.withResolvers<void>();
    const othersAreRead = () => eventually(() => expect(cursor).toBeGreaterThan(1));
    const missed = await race(
      team,
      async (session, dice, at) => {
        if (at > 0) await first.promise;
        await session.client.query('begin');
        await session.client.query('insert into public.plain (identifier) values ($1)', [String(at)]);
        first.resolve();
        // The first one is not there yet when those that came after it are read.
        if (at === 0) await othersAreRead();
        else await session.client.query('select pg_sleep($1)', [dice() / 100]);
        await session.client.query('commit');
      },
      async (session) => {
        const rows = await session.rows<{ identifier: string; rev: string }>(
          'select identifier, rev from public.plain where rev > $1 order by rev',
          cursor,
        );
        cursor = Number(rows.at(-1)?.rev ?? cursor);
        return rows.map(({ identifier }) => identifier);
      },
    );
    expect(missed, `seed ${String(seed)}`).toBeGreaterThan(0);
  });
});
