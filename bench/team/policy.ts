import type pg from 'pg';
import { ratio, report } from './report.ts';
import type { BenchTeam } from './server.ts';

const pageRows = 2000;

/** Cost of reading by functions, which give a member the rows of their areas, compared with the owner's plain queries. */
export async function measurePolicy(team: BenchTeam): Promise<void> {
  const member = await team.connect();
  const [byFunction, plain]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 3; turn += 1) {
    byFunction.push(
      await readAll(member, `coffer.rows_1($1, $2, 1000000000, ${String(pageRows)})`, team.list),
    );
    const rows = `(select * from coffer.object where list = $1 and rev > $2 order by rev limit ${String(pageRows)}) page`;
    plain.push(await readAll(team.owner, rows, team.list));
  }
  await member.end();
  const [ours, owners] = [Math.min(...byFunction), Math.min(...plain)];
  const beside = `plain queries ${owners.toFixed(0)} ms, ratio ${ratio(ours, owners)}`;
  report(
    'reading all pages by functions',
    `${ours.toFixed(0)} ms`,
    beside,
    ours <= 1.5 * owners,
    'ratio 1.50',
  );
}

/** @param page the rows after a number, as SQL */
async function readAll(client: pg.Client, page: string, list: number): Promise<number> {
  const startMs = performance.now();
  let after = '0';
  for (;;) {
    const { rows } = await client.query<{ rev: string }>(
      `select rev, identifier, note from ${page} order by rev`,
      [list, after],
    );
    after = rows.at(-1)?.rev ?? after;
    if (rows.length < pageRows) return performance.now() - startMs;
  }
}
