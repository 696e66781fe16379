import { z } from 'zod';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { TeamMoved, TeamPush, TeamPushAnswer, TeamRow } from '../../objects/team/team-copy.ts';
import type { TeamCredentials, TeamPlace } from '../place.ts';
import type { TeamPerson } from '../../../shared/domain/team.ts';
import { isPatched } from '../schema/migrate.ts';
import { digestOf, steps } from '../schema/steps.ts';
import { failure, type TeamProblem } from '../team-problem.ts';
import {
  countSchema,
  helloSchema,
  listSchema,
  pushAnswerSchema,
  shownSchema,
  stepSchema,
  stopSchema,
  type Curation,
  type Hello,
  type Stop,
  type TeamList,
} from './answers.ts';
import {
  create,
  lookToCreate,
  type Created,
  type CreateLook,
  type CreateProblem,
  type Wanted,
} from './creating.ts';
import {
  makeArea,
  readCuration,
  removeArea,
  setAccess,
  setPerson,
  compare,
  setShares,
  type Curated,
  type LeftOpen,
  type NewArea,
  type PersonChange,
  type SharesChange,
} from './curating.ts';
import {
  invite,
  readAreas,
  setVerifier,
  type Invited,
  type InviteOutcome,
  type VisibleArea,
} from './joining.ts';
import { longMs, openLine, type Line, type Row } from './line.ts';
import { problemOf } from './problem-of.ts';
import { movedColumns, numberOfKind, placeOf, readMoved, readRow, revOf, rowColumns } from './rows.ts';

export interface RowsPage {
  readonly rows: readonly TeamRow[];
  /** How many rows were left out, as their fields are none that a Coffer writes. */
  readonly leftOut: number;
  readonly isLast: boolean;
}

export type Answer<T> = { readonly value: T } | { readonly problem: TeamProblem };

/** What a team's server is asked, on a thread of its own. Each answers for itself: problems are values, as errors do not cross. */
export interface TeamServer {
  /** Connects; an earlier connection ends. @returns whether a notice can come: nothing lies between that takes it */
  open(place: TeamPlace, credentials: TeamCredentials, list: number | null): Promise<Answer<boolean>>;
  /** Connects to a database in which there may be no team yet. */
  openToCreate(place: TeamPlace, credentials: TeamCredentials): Promise<Answer<void>>;
  /** null: no member, or there is no such list. @param tag of this number: whether it still means the same is `known` */
  hello(list: number, rev: number, tag: string | null): Promise<Answer<Hello | null>>;
  /** Where to stop next after a number; null: the list ends there. */
  next(list: number, rev: number): Promise<Answer<Stop | null>>;
  /** @returns whether something was written: only then the push's tag is on the server */
  push(list: number, push: TeamPush): Promise<Answer<{ answer: TeamPushAnswer; isWritten: boolean }>>;
  /** Objects with numbers after one and up to another, in their order, at most 5,000 and 4 MB. */
  rows(list: number, after: number, upTo: number): Promise<Answer<RowsPage & { readonly lastRev: number }>>;
  moved(list: number, after: number, upTo: number): Promise<Answer<readonly TeamMoved[]>>;
  /** Objects of areas in the order of (kind, identifier), as `rows`. */
  fill(
    list: number,
    areas: readonly number[],
    after: Place | null,
  ): Promise<Answer<RowsPage & { last: Place | null }>>;
  /** The newest of these that the server has; 0: none. */
  common(
    list: number,
    anchors: readonly { readonly rev: number; readonly tag: string }[],
  ): Promise<Answer<number>>;
  people(): Promise<Answer<readonly TeamPerson[]>>;
  sharesSecrets(list: number): Promise<Answer<boolean>>;
  /** The lists that this person can join, and their own number. */
  lists(): Promise<Answer<{ readonly me: number | null; readonly lists: readonly TeamList[] }>>;
  areas(list: number): Promise<Answer<readonly VisibleArea[]>>;
  /** Of the role that is connected. @param verifier of SCRAM-SHA-256 */
  setVerifier(verifier: string): Promise<Answer<void>>;
  invite(list: number, invited: Invited): Promise<Answer<InviteOutcome>>;
  /** Does a part of what is to be done now and then. @returns false: nothing was left to do */
  tend(list: number): Promise<Answer<boolean>>;
  curation(list: number): Promise<Answer<Curated<Curation>>>;
  makeArea(list: number, area: NewArea): Promise<Answer<Curated<number>>>;
  removeArea(area: number): Promise<Answer<Curated<null>>>;
  /** @param may 0 takes access away */
  setAccess(area: number, person: number, may: 0 | 1 | 2 | 3): Promise<Answer<Curated<null>>>;
  /** @returns what the server does not let this curator do */
  setPerson(
    list: number,
    person: number,
    change: PersonChange,
  ): Promise<Answer<Curated<readonly LeftOpen[]>>>;
  setShares(list: number, shares: SharesChange): Promise<Answer<Curated<null>>>;
  compare(list: number): Promise<Answer<Curated<null>>>;
  /** What is there, and whether a team's list can be made. After `openToCreate`. */
  lookToCreate(): Promise<Answer<CreateLook>>;
  /** @returns why nothing was made */
  create(wanted: Wanted): Promise<Answer<Created | { readonly problem: CreateProblem | 'noList' }>>;
  /** SHA-256 of the certificates by which the server proves itself. */
  certificates(): Promise<Answer<readonly string[]>>;
}
type Place = { readonly kind: ObjectKind; readonly identifier: string };

/** From the thread to main. */
export type ServerEvent =
  | { readonly kind: 'notified' }
  | { readonly kind: 'lost'; readonly problem: TeamProblem };

const pageMaxRows = 5000;
const pageMaxBytes = 4 * 1024 * 1024;
/** As many departures as `settle_areas` makes at once. */
const movedMax = 20_000;
const peopleMax = 10_000;

/** A page with as many rows as fit: each is counted with what its columns take besides its texts. */
const pageOf = (rows: string, order: string) => `
  select ${rowColumns}, there from (
    select *, count(*) over () as there, sum(300 + octet_length(identifier) + octet_length(note)
      + coalesce(octet_length(classification), 0) + coalesce(octet_length(source_name), 0)) over (order by ${order}) as bytes
    from (select * from coffer.object where list = $1 and ${rows} order by ${order} limit ${String(pageMaxRows)}) as page
  ) as sized
  where bytes <= ${String(pageMaxBytes)}
  order by ${order}`;
const rowsSql = pageOf('rev > $2 and rev <= $3', 'rev');
const fillSql = pageOf('area = any ($2) and (kind, identifier) > ($3, $4)', 'kind, identifier');

// One change has one number.
const movedSql = `select ${movedColumns} from coffer.moved where list = $1 and rev > $2 and rev <= $3
  order by rev limit ${String(pageMaxRows)}`;

export function createTeamServer(onEvent: (event: ServerEvent) => void): TeamServer {
  let line: Line | null = null;
  // A flood of notices is one: the next is told after the next `hello`.
  let isNotified = false;

  function onNotified(): void {
    if (isNotified) return;
    isNotified = true;
    onEvent({ kind: 'notified' });
  }

  const query: Line['query'] = (...args) => {
    if (line === null) throw failure('closed');
    return line.query(...args);
  };

  /** A function's answer, which is JSON; null: it has none. */
  async function call<T>(schema: z.ZodType<T>, sql: string, ...values: unknown[]): Promise<T | null> {
    const [[text] = []] = await query(`select ${sql}`, values);
    return text == null ? null : schema.parse(JSON.parse(text));
  }

  return {
    open: answering(async (place, credentials, list) => {
      line?.close();
      line = null;
      isNotified = false;
      line = await openLine(place, credentials, onNotified, (problem) => onEvent({ kind: 'lost', problem }));
      try {
        await requireUsable(query);
        if (list === null || line.isPooled) return false;
        return await listen(query, list);
      } catch (cause) {
        line.close();
        line = null;
        throw cause;
      }
    }),
    openToCreate: answering(async (place, credentials) => {
      line?.close();
      line = null;
      line = await openLine(place, credentials, onNotified, (problem) => onEvent({ kind: 'lost', problem }));
    }),
    hello: answering((list, rev, tag) => {
      isNotified = false;
      return call(helloSchema, 'coffer.hello_1($1, $2, $3)', list, rev, tag);
    }),
    next: answering((list, rev) => call(stopSchema, 'coffer.next_1($1, $2)', list, rev)),
    push: answering(async (list, { client, seq, before, tag, changes }) => {
      const sql = 'coffer.push_1($1, $2, $3, $4, $5, $6)';
      const answer = await call(pushAnswerSchema, sql, list, client, seq, before, tag, changes);
      if (answer === null) throw failure('broken');
      return { answer, isWritten: answer.refused.length < (JSON.parse(changes) as unknown[]).length };
    }),
    rows: answering(async (list, after, upTo) => {
      const found = await query(rowsSql, [list, after, upTo], pageMaxRows);
      const rows = readRows(found).filter(({ rev }) => rev > after && rev <= upTo);
      const lastRow = found.at(-1);
      const lastRev = lastRow === undefined ? upTo : revOf(lastRow);
      if (lastRow && !(lastRev > after && lastRev <= upTo)) throw failure('broken');
      return { ...pageFacts(found, rows), lastRev };
    }),
    moved: answering(async (list, after, upTo) => {
      const all: Row[] = [];
      for (let from = after; ;) {
        const found = await query(movedSql, [list, from, upTo], pageMaxRows);
        all.push(...found);
        const last = found.at(-1);
        if (found.length < pageMaxRows || last === undefined)
          return all.map(readMoved).filter((each) => each !== undefined);
        const next = revOf(last);
        if (next <= from || all.length > movedMax) throw failure('broken');
        from = next;
      }
    }),
    fill: answering(async (list, areas, after) => {
      const start = after === null ? [-1, ''] : [numberOfKind(after.kind), after.identifier];
      const found = await query(fillSql, [list, areas, ...start], pageMaxRows);
      const lastRow = found.at(-1);
      const last = lastRow === undefined ? null : placeOf(lastRow);
      if (last && after && comparePlaces(last, after) <= 0) throw failure('broken');
      return { ...pageFacts(found, readRows(found)), last };
    }),
    common: answering(async (list, anchors) => {
      const values = [list, anchors.map(({ rev }) => rev), anchors.map(({ tag }) => tag)];
      return (await call(countSchema, 'coffer.common_1($1, $2, $3)', ...values)) ?? 0;
    }),
    people: answering(async () => {
      const sql = `select id, shown, ended_at is not null from coffer.person order by id limit ${String(peopleMax)}`;
      const found = await query(sql, [], peopleMax);
      return found.map(([id, name, isEnded]) => ({
        id: Number(id),
        shown: shownSchema.parse(name),
        isEnded: isEnded === 't',
      }));
    }),
    sharesSecrets: answering(async (list) => {
      const [[shares] = []] = await query('select shares_secrets from coffer.list where id = $1', [list], 1);
      return shares === 't';
    }),
    areas: answering((list) => readAreas(query, list)),
    setVerifier: answering((verifier) => setVerifier(query, verifier)),
    invite: answering((list, invited) => invite(query, list, invited)),
    tend: answering(async (list) => {
      const [[isDone] = []] = await query('select coffer.tend_1($1)', [list], 1, longMs);
      return isDone === 't';
    }),
    curation: answering((list) => readCuration(query, list)),
    makeArea: answering((list, area) => makeArea(query, list, area)),
    removeArea: answering((area) => removeArea(query, area)),
    setAccess: answering((area, person, may) => setAccess(query, area, person, may)),
    setPerson: answering((list, person, change) => setPerson(query, list, person, change)),
    compare: answering((list) => compare(query, list)),
    setShares: answering((list, shares) => setShares(query, list, shares)),
    lookToCreate: answering(() => lookToCreate(query)),
    create: answering((wanted) => create(query, wanted)),
    certificates: answering(async () => line?.certificates() ?? []),
    lists: answering(async () => {
      const me = await call(countSchema, 'coffer.me()');
      const found = await query(
        `select jsonb_build_object('id', id, 'name', name, 'origin', origin, 'separator', separator, 'versionMark', version_mark,
          'sharesSecrets', shares_secrets, 'sharesNotes', shares_notes, 'sharesNames', shares_names)
        from coffer.list order by name limit 1000`,
        [],
        1000,
      );
      return { me, lists: found.map(([text]) => listSchema.parse(JSON.parse(text ?? ''))) };
    }),
  };
}

/** @throws TeamFailure oldServer, otherSchema; what `problemOf` knows */
async function requireUsable(query: Line['query']): Promise<void> {
  const [[version] = []] = await query("select current_setting('server_version_num')");
  if (!isPatched(Number(version))) throw failure('oldServer');
  const found = stepSchema.parse(
    await query('select number, digest from coffer.step order by number', [], 1000),
  );
  // Those of a newer Coffer may come after ours, whose functions stay for a year.
  if (found.length === 0) throw failure('noTeam');
  for (const [at, [, digest]] of found.slice(0, steps.length).entries())
    if (digest !== digestOf(steps[at] ?? '')) throw failure('otherSchema');
}

/** A server that follows another lets nobody listen. */
async function listen(query: Line['query'], list: number): Promise<boolean> {
  try {
    await query(`listen "coffer_${String(list)}"`);
    return true;
  } catch (cause) {
    if (problemOf(cause).why === 'readOnly') return false;
    throw cause;
  }
}

const readRows = (found: readonly Row[]) => found.map(readRow).filter((row) => row !== undefined);

function pageFacts(found: readonly Row[], rows: readonly TeamRow[]): RowsPage {
  const there = Number(found[0]?.at(-1) ?? 0);
  return { rows, leftOut: found.length - rows.length, isLast: found.length === there && there < pageMaxRows };
}

const comparePlaces = (a: Place, b: Place) =>
  numberOfKind(a.kind) - numberOfKind(b.kind) ||
  Buffer.compare(Buffer.from(a.identifier), Buffer.from(b.identifier));

function answering<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<Answer<T>> {
  return async (...args) => {
    try {
      return { value: await work(...args) };
    } catch (cause) {
      const isUnreadable = cause instanceof z.ZodError || cause instanceof SyntaxError;
      return { problem: isUnreadable ? { why: 'broken', code: '' } : problemOf(cause) };
    }
  };
}
