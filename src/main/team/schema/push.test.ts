import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  readable,
  readableHistory,
  startTeamServer,
  type Member,
} from '../../../../test-support/main/team/team-database.ts';

const { createTeam } = startTeamServer();

describe('a push', () => {
  const push = (member: Member, { client, seq, before, tag }: Record<string, unknown>, identifier = 'a') =>
    member.call<{ rev: number; tag: string }>(
      'coffer.push_1(1, $1, $2, $3, $4, $5)',
      client,
      seq,
      before,
      tag,
      JSON.stringify([{ kind: 0, identifier, note: String(seq), note_base: String(Number(seq) - 1) }]),
    );

  it('whose answer was lost is answered again, but done once', async () => {
    const { curator } = await createTeam();
    const once = { client: randomUUID(), seq: 1, before: null, tag: randomUUID() };
    const first = await push(curator, once);
    expect(await push(curator, once)).toEqual(first);
    expect(await curator.call(`(select count(*) from ${readableHistory})`)).toBe('2');
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

  it('notifies listeners of its number', async () => {
    const { curator, join } = await createTeam();
    const anna = await join('anna', 1);
    await anna.client.query('listen coffer_1');
    const told = new Promise((resolve) => anna.client.on('notification', resolve));
    await curator.push({ identifier: 'a' }, { identifier: 'b' });
    expect(await told).toMatchObject({ channel: 'coffer_1', payload: '2' });
  });

  it('is an anchor, the newest of which the server can find', async () => {
    const { curator, owner } = await createTeam();
    const tags: string[] = [];
    const client = randomUUID();
    let before: string | null = null;
    for (const seq of [1, 2, 3]) {
      const tag = randomUUID();
      tags.push((await push(curator, { client, seq, before, tag })).tag);
      before = tag;
    }
    const common = () => curator.call('coffer.common_1(1, $1, $2)', [1, 2, 3], tags);
    const known = async () =>
      (await curator.call<{ known: boolean }>('coffer.hello_1(1, 3, $1)', tags[2])).known;
    expect([await common(), await known()]).toEqual(['3', true]);
    // A backup of the server from before the last push was restored, and another client has pushed since.
    await owner.query(
      'delete from coffer.push where rev = 3; delete from coffer.history where rev = 3; update coffer.feed set rev = 2',
    );
    await push(curator, { client: randomUUID(), seq: 1, before: null, tag: randomUUID() });
    expect([await common(), await known()]).toEqual(['2', false]);
  });

  it('repeated on a server that was set back is another anchor, even with the same number', async () => {
    const { curator, owner } = await createTeam();
    const someOther = () => ({ client: randomUUID(), seq: 1, before: null, tag: randomUUID() });
    const once = someOther();
    await push(curator, someOther(), 'lost');
    const first = await push(curator, once, 'b');
    const isKnown = async () =>
      (await curator.call<{ known: boolean }>('coffer.hello_1(1, 2, $1)', first.tag)).known;
    expect(await isKnown()).toBe(true);
    await owner.query(
      'truncate coffer.push, coffer.history, coffer.object, coffer.moved, coffer.client; update coffer.feed set rev = 0',
    );
    await push(curator, someOther(), 'missed by who goes on from 2');
    expect((await push(curator, once, 'b')).rev).toBe(2);
    expect(await isKnown()).toBe(false);
  });

  it('gives clients a stop: a number with a tag, at most 5,000 further unless a push was larger', async () => {
    const { curator, owner } = await createTeam();
    await owner.query(`insert into coffer.push (list, rev, tag, person, client, changes)
      select 1, rev, gen_random_uuid(), 1, gen_random_uuid(), 1 from unnest(array[10, 4000, 5000, 5001, 30000]) rev`);
    const stops: unknown[] = [];
    for (const rev of [0, 4000, 5001, 30_000])
      stops.push((await curator.call<{ rev: number } | null>('coffer.next_1(1, $1)', rev))?.rev);
    expect(stops).toEqual([5000, 5001, 30_000, undefined]);
  });

  it('forgets it after 90 days, with what was taken off the list', async () => {
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
    // Once a day, and only by curators.
    expect(await here.call('coffer.tend_1(1)')).toBe(false);
    expect(await curator.call('coffer.tend_1(1)')).toBe(true);
    expect(await curator.call('coffer.tend_1(1)')).toBe(false);
    expect(await curator.rows(`select identifier from ${readable.objects} order by 1`)).toEqual([
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
