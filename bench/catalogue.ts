import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Catalogue } from '../src/main/objects/catalogue.ts';
import { migrate, migrations } from '../src/main/database/migrations.ts';
import { openDatabase } from '../src/main/storage/open-database.ts';
import { versionIdentifier } from '../src/shared/domain/versions.ts';
import { sortColumnSchema, type ObjectQuery } from '../src/shared/domain/object.ts';

const targetMs = 100;
const targetMegabytes = 250;
const pageRows = 100;
/**
 * A daily copy is made on its own thread, which takes some 40 MB meanwhile: on a busy computer, indexing
 * takes longer than the minute after which the first copy is made.
 */
const firstCopyAfterMs = 24 * 60 * 60 * 1000;
const base: ObjectQuery = {
  serviceId: 'bench',
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'identifier', direction: 'ascending' },
};

/** The window's first query. */
const start: ObjectQuery = { ...base, sort: { column: 'stored', direction: 'descending' } };

/** How long main waits with a service of a million objects, compared with plain SQL on the same file. */
export async function run([rowsGiven]: string[]): Promise<void> {
  const rows = Number(rowsGiven ?? 1_000_000);
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'));
  try {
    await build(folder, rows);
    await measure(folder, rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, rows: number): Promise<void> {
  const path = join(folder, 'coffer.db');
  console.log(`${rows.toLocaleString('en')} objects, ${(statSync(path).size / 1e6).toFixed(0)} MB on disk\n`);
  const load = `${(loadavg()[0] ?? 0).toFixed(1)} of ${String(availableParallelism())}`;
  console.log(`busy cores before: ${load}; times are wall clock, and grow with what else runs here\n`);
  const memoryBefore = process.memoryUsage.rss();
  const startMs = performance.now();
  const opened = await openDatabase({ folder, nowMs: Date.now, firstCopyAfterMs });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  const { catalogue } = opened.database;
  const openMs = performance.now() - startMs;
  const threadBytes = process.memoryUsage.rss() - memoryBefore;
  const firstMs = await timed(() => catalogue.page(start, 0, pageRows));
  const whileReading: number[] = [];
  const readingMs = catalogue.collections('bench').then(() => performance.now() - startMs);
  const isOver = async () => Promise.race([readingMs.then(() => true), delay(20).then(() => false)]);
  for (let turn = 0; !(await isOver()); turn += 1) {
    if (turn % 10 === 0) await touch(catalogue);
    whileReading.push(await timed(() => catalogue.page(turn % 2 === 0 ? start : base, 0, pageRows)));
  }
  await readingMs;
  // Orders are built in the background; each query waits for its own.
  for (const column of sortColumnSchema.options) {
    await catalogue.page({ ...base, sort: { column, direction: 'ascending' } }, 0, 1);
  }
  const memoryBytes = process.memoryUsage.rss() - memoryBefore;
  const yardstick = new DatabaseSync(path, { readOnly: true });
  yardstick.exec('PRAGMA cache_size = -32000');
  const plainMs = await timed(() => askPlainly(yardstick, start, 0));
  const worstMs = Math.max(firstMs, ...whileReading);
  console.log(`open with its check        ${openMs.toFixed(0)} ms`);
  console.log(`first rows after that      ${firstMs.toFixed(1)} ms`);
  console.log(`everything indexed after   ${(await readingMs).toFixed(0)} ms`);
  console.log(
    `rows while it indexes      ${spread(whileReading)} ms (median / worst of ${String(whileReading.length)})`,
  );
  console.log(
    `worst of these             ${worstMs.toFixed(0)} ms, to be ${String(targetMs)}; ${times(plainMs, worstMs)} as quick as plain SQL`,
  );
  const fileBytes = statSync(path).size;
  console.log(
    `memory for it              ${mb(memoryBytes)} MB, to be ${String(targetMegabytes)}; ${times(memoryBytes, fileBytes)} the file`,
  );
  console.log(`of which the thread itself ${mb(threadBytes)} MB`);
  try {
    await compareFolding(catalogue);
    await compare(catalogue, yardstick, rows);
  } finally {
    yardstick.close();
  }
  console.log(
    `\nwith what searches keep    ${mb(process.memoryUsage.rss() - memoryBefore)} MB (SQL's cache of 32 MB included)`,
  );
  await opened.database.close();
}

interface Case {
  readonly name: string;
  /** A sequence of actions; each step is timed. */
  readonly steps: readonly { query: Partial<ObjectQuery>; offset: number }[];
}

async function compare(catalogue: Catalogue, yardstick: DatabaseSync, rows: number): Promise<void> {
  const typed = (name: string, text: string): Case => ({
    name: `type ${text} (${name})`,
    steps: Array.from({ length: text.length }, (_, index) => ({
      query: { search: text.slice(0, index + 1) },
      offset: 0,
    })),
  });
  const cases: Case[] = [
    {
      name: 'scroll anywhere',
      steps: Array.from({ length: 20 }, () => ({ query: {}, offset: Math.floor(Math.random() * rows) })),
    },
    typed('common', 'report'),
    typed('rare', '73421-q'),
    typed('none', 'zebra'),
    typed('one letter, everywhere', 'e'),
    typed('two words', 'audit 2024'),
    typed('Cyrillic', 'отчёт'),
    typed('Japanese', '請求書'),
    typed('filter', 'size:>1mb class:"Confidential" pdf'),
    typed('wildcard', 'rep*2024*.pdf'),
    typed('wildcard, everywhere', 'e*a*2'),
    typed('wildcard, none', 'r*zebra'),
    typed('excluded', 'audit -draft -class:con'),
    typed('folder', 'folder:reports/2024'),
    typed('kind', 'kind:picture -kind:doc'),
    ...sortColumnSchema.options.map((column): Case => ({
      name: `sort by ${column}`,
      steps: (['ascending', 'descending'] as const).map((direction) => ({
        query: { sort: { column, direction } },
        offset: 0,
      })),
    })),
    {
      name: 'deep in a sorted search',
      steps: [0, 1000, 100_000, 20].map((offset) => ({
        query: { search: 'a', sort: { column: 'size', direction: 'descending' } },
        offset,
      })),
    },
    {
      name: 'folder',
      steps: ['reports', 'reports/2024', 'архив', 'scans/2021'].map((folder) => ({
        query: { place: { kind: 'folder', path: folder } },
        offset: 0,
      })),
    },
    {
      name: 'classification',
      steps: ['Public', 'Restricted', null].map((value) => ({
        query: { place: { kind: 'classification', value } },
        offset: 0,
      })),
    },
  ];
  console.log(`\n${'median and worst ms seen by main'.padEnd(58)}plain SQL, last   SQL / Coffer`);
  for (const { name, steps } of cases) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (const [index, { query, offset }] of steps.entries()) {
      const asked = { ...base, ...query };
      // Change a row first, so that only typing on and scrolling profit from cached results.
      if (index === 0) await touch(catalogue);
      ours.push(await timed(() => catalogue.page(asked, offset, pageRows)));
      // One measurement is enough for operations that take seconds.
      if (index === steps.length - 1) theirs.push(await timed(() => askPlainly(yardstick, asked, offset)));
    }
    report(name, ours, theirs);
  }
  const counting: number[] = [];
  const plainCounting: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    await touch(catalogue);
    counting.push(
      await timed(async () => [await catalogue.collections('bench'), await catalogue.folders('bench', '')]),
    );
    plainCounting.push(
      await timed(() => yardstick.prepare('SELECT classification, count(*) FROM object GROUP BY 1').all()),
    );
  }
  report('counts and top folders', counting, plainCounting);
}

/** The list with older versions hidden, compared with the list of all versions. A search hides none. */
async function compareFolding(catalogue: Catalogue): Promise<void> {
  const { total, folded } = await catalogue.page(base, 0, 1);
  console.log(
    `\n${`folded: ${folded.toLocaleString('en')} under ${total.toLocaleString('en')}, ms`.padEnd(58)}all versions   all / folded`,
  );
  const size: ObjectQuery['sort'] = { column: 'size', direction: 'descending' };
  const cases: readonly [
    name: string,
    change: Partial<ObjectQuery>,
    offset: () => number,
    isTouched: boolean,
  ][] = [
    ['first page after a change', start, () => 0, true],
    ['first page after a change, by size', { sort: size }, () => 0, true],
    ['a folder after a change', { place: { kind: 'folder', path: 'reports/2024' } }, () => 0, true],
    ['search after a change', { search: 'report' }, () => 0, true],
    ['scroll anywhere', {}, () => Math.floor(Math.random() * total), false],
    ['scroll anywhere, by size', { sort: size }, () => Math.floor(Math.random() * total), false],
  ];
  for (const [name, change, offset, isTouched] of cases) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      for (const [times, allVersions] of [
        [ours, undefined],
        [theirs, true],
      ] as const) {
        if (isTouched) await touch(catalogue);
        const asked = { ...base, ...change, ...(allVersions && { allVersions }) };
        times.push(await timed(() => catalogue.page(asked, offset(), pageRows)));
      }
    }
    report(name, ours, theirs);
  }
}

let touched = 0;
async function touch(catalogue: Catalogue): Promise<void> {
  touched += 1;
  await catalogue.add('bench', [
    { kind: 'data', identifier: `touched/${String(touched)}`, patch: { state: 'stored' } },
  ]);
}

/** The same page and total in plain SQL. */
function askPlainly(db: DatabaseSync, { search, sort, place }: ObjectQuery, offset: number): unknown {
  const columns = { identifier: 'identifier', classification: 'classification', size: 'length_bytes' };
  const more = { stored: 'stored_at_ms', checked: 'checked_at_ms', state: 'state', storedBy: 'stored_by' };
  const words = search.split(' ').filter((word) => word !== '');
  const like = words.map(() => '(identifier LIKE ? OR source_name LIKE ? OR note LIKE ?)');
  const inPlace =
    place.kind === 'folder'
      ? ['identifier LIKE ?']
      : place.kind === 'classification'
        ? ['classification IS ?']
        : [];
  const placed =
    place.kind === 'folder' ? [`${place.path}/%`] : place.kind === 'classification' ? [place.value] : [];
  const where = ['service = 1', 'kind = 0', 'state <> 5', ...inPlace, ...like].join(' AND ');
  const values = [...placed, ...words.flatMap((word) => Array<string>(3).fill(`%${word}%`))];
  const direction = sort.direction === 'ascending' ? 'ASC' : 'DESC';
  return [
    db.prepare(`SELECT count(*), sum(length_bytes) FROM object WHERE ${where}`).get(...values),
    db
      .prepare(
        `SELECT * FROM object WHERE ${where} ORDER BY ${{ ...columns, ...more }[sort.column]} ${direction}
         LIMIT ${String(pageRows)} OFFSET ${String(offset)}`,
      )
      .all(...values),
  ];
}

function report(name: string, ours: readonly number[], theirs: readonly number[]): void {
  const late = Math.max(...ours) > targetMs ? `  over ${String(targetMs)} ms` : '';
  const ratio = (median(theirs) / median(ours)).toFixed(1);
  console.log(
    `${name.padEnd(44)}${spread(ours).padEnd(20)}${median(theirs).toFixed(1).padStart(12)}${ratio.padStart(15)}${late}`,
  );
}

function times(a: number, b: number): string {
  return `${(a / b).toFixed(1)} times`;
}

function spread(times: readonly number[]): string {
  return `${median(times).toFixed(1)} / ${Math.max(...times).toFixed(1)}`;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

async function timed(work: () => unknown): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/** Written directly into the database: realistic identifiers in several scripts. */
async function build(folder: string, rows: number): Promise<void> {
  const startMs = performance.now();
  const db = new DatabaseSync(join(folder, 'coffer.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  await migrate(db, migrations, async () => undefined);
  db.exec("INSERT INTO service (service_id, separator) VALUES ('bench', '/')");
  const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() ** 1.5 * values.length)] as T;
  const tops = [
    'reports',
    'invoices',
    'scans',
    'contracts',
    'photos',
    'архив',
    'backups',
    '資料',
    'legal',
    'hr',
  ];
  const words = [
    'quarterly',
    'audit',
    'Report',
    'customer',
    'draft',
    'final',
    'отчёт',
    '請求書',
    'Müller',
    'تقرير',
    'ledger',
  ];
  const classes = [null, 'Internal', 'Public', 'Confidential', 'Restricted'];
  const insert = db.prepare(
    `INSERT INTO object (service, kind, identifier, state, length_bytes, sha256, classification, source_name,
       stored_at_ms, checked_at_ms, activity_token, note) VALUES (1, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  db.exec('BEGIN');
  let row = 0;
  for (let n = 0; row < rows; n += 1) {
    const number = Math.floor(Math.random() * 1e9);
    const name = `${pick(words)}-${pick(words)}-${String(number)}-${String(n)}.${pick(['pdf', 'xlsx', 'jpg', 'zip'])}`;
    const day = `${String(2019 + Math.floor(Math.random() * 8))}/${String(1 + Math.floor(Math.random() * 12)).padStart(2, '0')}`;
    const path = `${pick(tops)}/${day}/${pick(words)}-${String(Math.floor(Math.random() * 20))}`;
    // One in ten has two more versions.
    for (let version = 1; version <= (n % 10 === 0 ? 3 : 1) && row < rows; version += 1, row += 1)
      insert.run(
        `${path}/${versionIdentifier(name, '/', '@{number}', version)}`,
        pick([0, 0, 0, 0, 0, 0, 3, 2, 5]),
        Math.floor(10 ** (Math.random() * 7.7)),
        number.toString(16).padStart(64, '0'),
        pick(classes),
        Math.random() < 0.7 ? name : `IMG_${String(number)}.jpg`,
        Math.floor(1.6e12 + Math.random() * 2e11),
        Math.random() < 0.5 ? null : Math.floor(1.6e12 + Math.random() * 2e11),
        number.toString(36),
        Math.random() < 0.1 ? `checked by ${pick(words)} on ${day}` : '',
      );
  }
  db.exec('COMMIT');
  db.close();
  console.log(`built in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
}
