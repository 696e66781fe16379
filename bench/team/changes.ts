import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../src/main/storage/database.ts';
import {
  follow,
  joiningOf,
  openComputer,
  serviceId,
  untilLive,
  watchCopy,
  whileAsked,
  type Meanwhile,
} from './computer.ts';
import { ratio, report, reportAnswers, seconds } from './report.ts';
import type { BenchTeam } from './server.ts';

const changes = 10_000;
const atOnce = 1000;
const targetMs = 1500;

/** A person's bulk change reaches the server, and a colleague's list. */
export async function measureChanges(folder: string, team: BenchTeam): Promise<void> {
  const database = await openComputer(folder, 'changing');
  await database.team.join(serviceId, joiningOf(team));
  const sync = follow(database.team, team);
  await untilLive(sync);
  await sync.stop();

  const ids = await addSeen(database);
  await measurePush(database, team, 'new');
  for (let from = 0; from < changes; from += atOnce)
    await database.catalogue.update(
      ids.slice(from, from + atOnce).map((id) => ({ id, patch: { note: 'checked' } })),
    );
  await measurePush(database, team, 'changed');

  await pushAsAnother(team);
  const pull = await measureOnce(database, team, 'apply');
  const imported = await importAsMany(folder);
  report(
    'pull and apply 10,000',
    seconds(pull.ms),
    `processor ${seconds(pull.processorMs)}; import of as many ${seconds(imported)}, ratio ${ratio(pull.ms, imported)}`,
    pull.ms <= targetMs,
    '1.5 s',
  );
  reportAnswers('the pull', pull);
  await database.close();
}

/** Time from connecting until this has been called for the last time. */
async function measureOnce(
  database: Database,
  team: BenchTeam,
  last: 'acknowledge' | 'apply',
): Promise<Meanwhile> {
  let [connectedMs, lastMs] = [0, 0];
  const copy = watchCopy(database.team, (name) => {
    if (name === 'anchors') connectedMs = performance.now();
    if (name === last) lastMs = performance.now();
  });
  const meanwhile = await whileAsked(database, async () => {
    const sync = follow(copy, team);
    await untilLive(sync);
    await sync.stop();
  });
  return { ...meanwhile, ms: lastMs - connectedMs };
}

async function measurePush(database: Database, team: BenchTeam, what: string): Promise<void> {
  const push = await measureOnce(database, team, 'acknowledge');
  const state = await database.team.stateOf(serviceId);
  if (state?.due !== 0 || state.refused !== 0) throw new Error('Not everything was told');
  const plain = await writePlainly(team);
  report(
    `push of 10,000 ${what}`,
    seconds(push.ms),
    `processor ${seconds(push.processorMs)}, with reading it back; plain INSERT of as many ${seconds(plain)}, ratio ${ratio(push.ms, plain)}`,
    push.ms <= targetMs,
    '1.5 s',
  );
  reportAnswers('the push', push);
}

/** As if found by HEAD. */
async function addSeen(database: Database): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < changes; from += atOnce) {
    const added = await database.catalogue.add(
      serviceId,
      Array.from({ length: atOnce }, (_, n) => ({
        kind: 'data',
        identifier: `seen/${String(from + n)}.pdf`,
        patch: { state: 'stored', lengthBytes: 1000 + n, checkedAtMs: Date.now() },
      })),
    );
    ids.push(...added.map(({ record }) => record.id));
  }
  return ids;
}

/** Inserts rows into the same table, without rights, merging, history or numbers. */
async function writePlainly({ owner, list }: BenchTeam): Promise<number> {
  const startMs = performance.now();
  for (let from = 0; from < changes; from += atOnce)
    await owner.query(
      `insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by)
       select $1::int + 1, 0, gen_random_uuid() || '/seen.pdf', n, 1, 0, 1, 1 from generate_series(1, $2::int) n`,
      [list, atOnce],
    );
  return performance.now() - startMs;
}

async function pushAsAnother(team: BenchTeam): Promise<void> {
  const member = await team.connect();
  const client = randomUUID();
  let before: string | null = null;
  for (let seq = 1; seq <= changes / atOnce; seq += 1) {
    const tag = randomUUID();
    const all = Array.from({ length: atOnce }, (_, n) => ({
      kind: 0,
      identifier: `of another/${String(seq * atOnce + n)}.pdf`,
      state: 0,
      seen_ms: Date.now(),
      incarnation: randomUUID(),
      length_bytes: n,
      stored_ms: Date.now(),
    }));
    const values = [team.list, client, seq, before, tag, JSON.stringify(all)];
    await member.query('select coffer.push_1($1, $2, $3, $4, $5, $6)', values);
    before = tag;
  }
  await member.end();
}

async function importAsMany(folder: string): Promise<number> {
  const path = join(folder, 'many.jsonl');
  const lines = Array.from({ length: changes }, (_, n) =>
    JSON.stringify({
      kind: 'data',
      identifier: `of another/${String(n)}.pdf`,
      state: 'stored',
      lengthBytes: n,
    }),
  );
  await writeFile(path, [JSON.stringify({ cofferCatalogue: 1 }), ...lines, ''].join('\n'));
  const database = await openComputer(folder, 'importing');
  const startMs = performance.now();
  await database.catalogue.importFrom(serviceId, path, 'many');
  const tookMs = performance.now() - startMs;
  await database.close();
  return tookMs;
}
