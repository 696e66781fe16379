import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TeamCopy } from '../../src/main/objects/team/team-copy.ts';
import { createMemoryCopy } from '../../test-support/main/team/memory-copy.ts';
import { startHere } from '../../test-support/main/team/start-here.ts';
import { follow, joiningOf, openComputer, serviceId, untilLive, watchCopy } from './computer.ts';
import { report, share } from './report.ts';
import type { BenchTeam } from './server.ts';

const clients = 50;
const commits = 40;
const targetMs = 400;

/**
 * Time from a commit at the server until it is in the file of one client of fifty; the others keep their lists in memory. Compared with
 * how soon a bare connection is notified of it.
 */
export async function measureArrival(folder: string, team: BenchTeam): Promise<void> {
  const { rows } = await team.owner.query<{ rev: string; epoch: string; tag: string }>(
    `select f.rev, f.epoch, p.tag from coffer.feed f join coffer.push p on p.list = f.list and p.rev = f.rev where f.list = $1`,
    [team.list],
  );
  const head = rows[0];
  if (head === undefined) throw new Error('The list is empty');
  const cursor = { epoch: head.epoch, rev: Number(head.rev), tag: head.tag };
  const database = await openComputer(folder, 'one of fifty');
  const hello = await areasOf(team);
  const arrived: number[] = [];
  let committedMs = 0;
  const joined = async (copy: TeamCopy) => {
    await copy.join(serviceId, joiningOf(team));
    await copy.setAccess(serviceId, hello, 0);
    // As if the list had been filled.
    await copy.beginFill(serviceId, [1], cursor);
    await copy.fillPage(serviceId, [], true);
    return copy;
  };
  const copies = [
    watchCopy(await joined(database.team), (name) => {
      if (name === 'apply') arrived.push(performance.now() - committedMs);
    }),
  ];
  for (let n = 1; n < clients; n += 1) copies.push(await joined(createMemoryCopy(joiningOf(team))));
  const loops = copies.map((copy) => follow(copy, team, startHere));
  await Promise.all(loops.map(untilLive));

  const notices: number[] = [];
  const bare = await team.connect();
  await bare.query(`listen "coffer_${String(team.list)}"`);
  bare.on('notification', () => notices.push(performance.now() - committedMs));
  const writer = await team.connect();
  const client = randomUUID();
  let before: string | null = null;
  for (let seq = 1; seq <= commits; seq += 1) {
    const tag = randomUUID();
    const change = { kind: 0, identifier: `arriving/${String(seq)}`, state: 0, seen_ms: Date.now() };
    const values = [team.list, client, seq, before, tag, JSON.stringify([change])];
    committedMs = performance.now();
    await writer.query('select coffer.push_1($1, $2, $3, $4, $5, $6)', values);
    before = tag;
    while (arrived.length < seq) await delay(5);
  }
  await Promise.all(loops.map((loop) => loop.stop()));
  await Promise.all([bare.end(), writer.end()]);
  await database.close();
  const p95 = share(arrived, 0.95);
  report(
    `a commit, in the list of one of ${String(clients)}`,
    `${p95.toFixed(0)} ms`,
    `p95, median ${share(arrived, 0.5).toFixed(0)} ms, of which up to 250 by chance; a bare LISTEN ${share(notices, 0.95).toFixed(0)} ms`,
    p95 <= targetMs,
    `${String(targetMs)} ms`,
  );
}

async function areasOf(team: BenchTeam) {
  const member = await team.connect();
  const { rows } = await member.query<{ hello: { areas: Record<string, [1 | 2 | 3, string]> } }>(
    'select coffer.hello_1($1, 0, null) as hello',
    [team.list],
  );
  await member.end();
  return Object.entries(rows[0]?.hello.areas ?? {}).map(([area, [may, since]]) => ({
    area: Number(area),
    may,
    since,
  }));
}
