import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../test-support/eventually.ts';
import { createRandom } from '../../../../test-support/random.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../../test-support/main/team/team-database.ts';

const { createDatabase, createTeam } = startTeamServer();

/** How far a reader has read. */
interface Place {
  cursor: number;
  tag: string | null;
}
type FeedRow = { identifier: string; rev: number };

/** Reads the feed like a client. */
async function readFeed(session: Member, place: Place): Promise<FeedRow[]> {
  const hello = await session.call<{ rev: number; tag: string; known: boolean }>(
    'coffer.hello_1(1, $1, $2)',
    place.cursor,
    place.tag,
  );
  expect(hello.known).toBe(true);
  const rows = await session.rows<FeedRow>(
    'select identifier, rev::int as rev from coffer.rows_1(1, $1, $2, null) order by rev',
    place.cursor,
    hello.rev,
  );
  Object.assign(place, { cursor: hello.rev, tag: hello.tag });
  return rows;
}

/** Creates another kind of feed, written by members directly. */
async function createOther({ owner }: TeamDatabase, name: string): Promise<void> {
  await owner.query(
    `create table public.${name} (rev bigserial, xid xid8 default pg_current_xact_id(), identifier text);
     grant all on public.${name}, public.${name}_rev_seq to coffer_member`,
  );
}

async function readOther(
  session: Member,
  name: string,
  place: Pick<Place, 'cursor'>,
  condition = 'true',
): Promise<string[]> {
  const rows = await session.rows<FeedRow>(
    `select identifier, rev::int as rev from public.${name} where rev > $1 and ${condition} order by rev`,
    place.cursor,
  );
  place.cursor = rows.at(-1)?.rev ?? place.cursor;
  return rows.map(({ identifier }) => identifier);
}

describe('the feed', () => {
  const seed = 20_261_126;

  /** Several sessions write at once, each holding its transaction open for a while, while others read as clients do. */
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
    const place: Place = { cursor: 0, tag: null };
    const missed = await race(
      team,
      async (session, dice, at) => {
        await session.client.query('begin');
        await session.push({ identifier: `file ${String(at)}` });
        await session.client.query('select pg_sleep($1)', [dice() / 100]);
        await session.client.query('commit');
      },
      async (session) => (await readFeed(session, place)).map(({ identifier }) => identifier),
    );
    expect(missed, `seed ${String(seed)}`).toBe(0);
    expect(place.cursor).toBe(36);
  });

  it('of a plain sequence would miss some: this shows that the race is real', async () => {
    const team = await createTeam();
    await createOther(team, 'plain');
    const place = { cursor: 0 };
    const first = Promise.withResolvers<void>();
    const othersAreRead = () => eventually(() => expect(place.cursor).toBeGreaterThan(1));
    const missed = await race(
      team,
      async (session, dice, at) => {
        if (at > 0) await first.promise;
        await session.client.query('begin');
        await session.client.query('insert into public.plain (identifier) values ($1)', [String(at)]);
        first.resolve();
        // The first row is not committed yet when later ones are read.
        if (at === 0) await othersAreRead();
        else await session.client.query('select pg_sleep($1)', [dice() / 100]);
        await session.client.query('commit');
      },
      (session) => readOther(session, 'plain', place),
    );
    expect(missed, `seed ${String(seed)}`).toBeGreaterThan(0);
  });

  it('of a sequence guarded by the oldest transaction would miss some: a number may precede its transaction’s id', async () => {
    const team = await createTeam();
    await createOther(team, 'guarded');
    const [early, late] = [await team.connect(team.curator), await team.connect(team.curator)];
    const place = { cursor: 0 };
    const read = () => readOther(late, 'guarded', place, 'xid < pg_snapshot_xmin(pg_current_snapshot())');

    // The first number is logged with 32 more, which gives its transaction an id; the next ones are not.
    const rev = await eventually(async () => {
      await early.client.query('rollback; begin');
      const drawn = await early.call<string>("nextval('public.guarded_rev_seq')");
      expect(await early.call('pg_current_xact_id_if_assigned()')).toBeNull();
      return drawn;
    });
    await late.client.query("insert into public.guarded (identifier) values ('late')");
    const seen = await eventually(async () => {
      const found = await read();
      expect(found).not.toEqual([]);
      return found;
    });
    await early.client.query("insert into public.guarded (rev, identifier) values ($1, 'early')", [rev]);
    await early.client.query('commit');
    expect([...seen, ...(await read())]).toEqual(['late']);
  });

  it('of a sequence whose writers wait for each other misses nothing either', { tags: 'all' }, async () => {
    const team = await createTeam();
    await createOther(team, 'locked');
    const place = { cursor: 0 };
    const missed = await race(
      team,
      async (session, dice, at) => {
        await session.client.query('begin; select pg_advisory_xact_lock(1)');
        await session.client.query('insert into public.locked (identifier) values ($1)', [String(at)]);
        await session.client.query('select pg_sleep($1)', [dice() / 100]);
        await session.client.query('commit');
      },
      (session) => readOther(session, 'locked', place),
    );
    expect(missed, `seed ${String(seed)}`).toBe(0);
  });

  it('in the order of transactions would stop while another database is being written; ours does not', async () => {
    const team = await createTeam();
    await createOther(team, 'ordered');
    const elsewhere = await createDatabase();
    const ordered = () =>
      team.curator.rows(
        `select identifier from public.ordered where xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, rev`,
      );
    await elsewhere.query('begin; select pg_current_xact_id()');
    await team.curator.client.query("insert into public.ordered (identifier) values ('a')");
    await team.curator.push({ identifier: 'a' });
    expect(await ordered()).toEqual([]);
    expect(await readFeed(team.curator, { cursor: 0, tag: null })).toEqual([{ identifier: 'a', rev: 1 }]);
    await elsewhere.query('commit');
    await eventually(async () => expect(await ordered()).toEqual([{ identifier: 'a' }]));
  });

  it('misses nothing when sessions are ended, and its numbers have no gaps', { tags: 'all' }, async () => {
    const team = await createTeam();
    const dice = createRandom(seed);
    const [writers, pushes] = [10, 50];
    let rolledBack = 0;

    async function write(number: number): Promise<void> {
      const client = randomUUID();
      let [session, before] = [await team.connect(team.curator), null as string | null];
      for (let at = 0; at < pushes; at += 1) {
        const tag = randomUUID();
        const change = JSON.stringify([{ kind: 0, identifier: `file ${String(number)} ${String(at)}` }]);
        const push = () =>
          session.call('coffer.push_1(1, $1, $2, $3, $4, $5)', client, at + 1, before, tag, change);
        if (at % 5 === 4) {
          const pid = await session.call('pg_backend_pid()');
          const end = () => team.owner.query('select pg_terminate_backend($1)', [pid]);
          await session.client.query('begin');
          await push();
          // Before the commit for certain, or at the same time.
          if (at % 10 === 4) await end();
          const ending = at % 10 === 4 ? null : end();
          const committing = session.client
            .query('select pg_sleep($1)', [dice() / 500])
            .then(() => session.client.query('commit'));
          const [committed] = await Promise.allSettled([committing, ending]);
          if (committed.status === 'rejected') rolledBack += 1;
          session = await team.connect(team.curator);
        }
        // Repeats the push, which may have been done.
        await push();
        before = tag;
      }
    }

    let isWriting = true;
    const reading = Array.from({ length: 3 }, async () => {
      const reader = await team.connect(team.curator);
      const place: Place = { cursor: 0, tag: null };
      const seen: FeedRow[] = [];
      while (isWriting) seen.push(...(await readFeed(reader, place)));
      return [...seen, ...(await readFeed(reader, place))];
    });
    const writing = Array.from({ length: writers }, (_, number) => write(number));
    await Promise.all(writing).finally(() => (isWriting = false));
    expect(rolledBack).toBeGreaterThanOrEqual((writers * pushes) / 10);
    const all = Array.from({ length: writers * pushes }, (_, at) => at + 1);
    for (const seen of await Promise.all(reading)) {
      expect(seen.map(({ rev }) => rev)).toEqual(all);
      expect(new Set(seen.map(({ identifier }) => identifier)).size).toBe(all.length);
    }
  });
});
