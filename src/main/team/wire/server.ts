import { z } from 'zod';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { LeftArea, TeamPush, TeamPushAnswer, TeamRow } from '../../objects/team/team-copy.ts';
import type { TeamCredentials, TeamPlace } from '../place.ts';
import type { TeamHistoryEntry, TeamPerson } from '../../../shared/domain/team.ts';
import { isPatched } from '../schema/migrate.ts';
import { digestOf, steps } from '../schema/steps.ts';
import { failure, type TeamProblem } from '../team-problem.ts';
import { type Answer, answering, problemOf } from './answering.ts';
import {
  countSchema,
  helloSchema,
  listSchema,
  peopleSchema,
  pushAnswerSchema,
  secretsSinceSchema,
  stepSchema,
  stopSchema,
  type Hello,
  type Stop,
  type TeamList,
} from './answers.ts';
import { createCuratorServer, type CuratorServer } from './curator-server.ts';
import { readHistory } from './history.ts';
import { keepOwnPassword, readAreas, setVerifier, type VisibleArea } from './joining.ts';
import { openLine, type Line, type Row } from './line.ts';
import { leftAreaColumns, numberOfKind, placeOf, readLeftArea, readRow, revOf, rowColumns } from './rows.ts';

export interface RowsPage {
  readonly rows: readonly TeamRow[];
  /** Number of rows left out because of fields that no Coffer writes. */
  readonly leftOut: number;
  readonly isLast: boolean;
}

/** Requests to a team's server, on its own thread. Problems are returned as values, because errors do not cross threads. */
export interface TeamServer extends CuratorServer {
  /** Connects; an earlier connection ends. @returns whether the server will send notices: not through a pooler, nor from a standby */
  open(place: TeamPlace, credentials: TeamCredentials, list: number | null): Promise<Answer<boolean>>;
  /** Connects to a database in which there may be no team yet. */
  openToCreate(place: TeamPlace, credentials: TeamCredentials): Promise<Answer<void>>;
  /** Whether few connections are left: staying would keep out others, who could be served in turn. */
  isCrowded(): Promise<Answer<boolean>>;
  /** Disconnects until the next `open`; no notices come meanwhile. */
  close(): Promise<Answer<void>>;
  /** null: not a member, or no such list. @param tag of this number; `known` tells whether it still means the same */
  hello(list: number, rev: number, tag: string | null): Promise<Answer<Hello | null>>;
  /** The stop that follows a number; null: the list ends there. */
  next(list: number, rev: number): Promise<Answer<Stop | null>>;
  /** @returns isWritten: something was written, so the push's tag is on the server */
  push(list: number, push: TeamPush): Promise<Answer<{ answer: TeamPushAnswer; isWritten: boolean }>>;
  /** Objects with numbers above `after`, up to `upTo`, in order, at most 2,000 and 4 MB. */
  rows(list: number, after: number, upTo: number): Promise<Answer<RowsPage & { readonly lastRev: number }>>;
  leftArea(list: number, after: number, upTo: number): Promise<Answer<readonly LeftArea[]>>;
  /** Objects of areas in the order of (kind, identifier), with the limits of `rows`. */
  fill(
    list: number,
    areas: readonly number[],
    after: Place | null,
  ): Promise<Answer<RowsPage & { last: Place | null }>>;
  /** The newest of these numbers that the server has; 0: none. */
  common(
    list: number,
    anchors: readonly { readonly rev: number; readonly tag: string }[],
  ): Promise<Answer<number>>;
  people(): Promise<Answer<readonly TeamPerson[]>>;
  /** Changes each time sharing is withdrawn; null: the list shares no secrets. */
  secretsSince(list: number): Promise<Answer<string | null>>;
  /** The team's actions on an object, newest first. */
  history(list: number, kind: ObjectKind, identifier: string): Promise<Answer<readonly TeamHistoryEntry[]>>;
  /** The lists that this person can join, and their own number. */
  lists(): Promise<Answer<{ readonly me: number | null; readonly lists: readonly TeamList[] }>>;
  areas(list: number): Promise<Answer<readonly VisibleArea[]>>;
  /** For the connected role. @param verifier of SCRAM-SHA-256 */
  setVerifier(verifier: string): Promise<Answer<void>>;
  /** Keeps the password of the connected role when the person is invited again. */
  keepOwnPassword(): Promise<Answer<void>>;
}
type Place = { readonly kind: ObjectKind; readonly identifier: string };

/** From the thread to main. */
export type ServerEvent =
  | { readonly kind: 'notified' }
  | { readonly kind: 'lost'; readonly problem: TeamProblem };

const pageMaxRows = 2000;
const pageMaxBytes = 4 * 1024 * 1024;
/** The number of departures that one call of `settle_areas` can make. */
const leftAreaMax = 20_000;

/** Whether less than a fifth of the connections for members is free. */
const isCrowdedSql = `select sum(numbackends) > 0.8 * (current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int - coalesce(current_setting('reserved_connections', true)::int, 0))
  from pg_stat_database`;

/**
 * A page with as many rows as fit, by the size of their columns. The first row is always included: it exceeds a page only
 * on a server that is not ours, and is then left out like other rows that no Coffer writes, instead of ending the list.
 */
const pageOf = (rows: string, order: string) => `
  select ${rowColumns}, there from (
    select *, count(*) over () as there, sum(300 + octet_length(identifier) + octet_length(note)
      + coalesce(octet_length(classification), 0) + coalesce(octet_length(source_name), 0)) over (order by ${order}) as bytes,
      row_number() over (order by ${order}) as place
    from coffer.${rows} as page
  ) as sized
  where bytes <= ${String(pageMaxBytes)} or place = 1
  order by ${order}`;
const rowsSql = pageOf(`rows_1($1, $2, $3, ${String(pageMaxRows)})`, 'rev');
const fillSql = pageOf(`fill_1($1, $2, $3, $4, ${String(pageMaxRows)})`, 'kind, identifier');

// Each change has its own number.
const leftAreaSql = `select ${leftAreaColumns} from coffer.moved_1($1, $2, $3, ${String(pageMaxRows)}) order by rev`;

export function createTeamServer(onEvent: (event: ServerEvent) => void): TeamServer {
  let line: Line | null = null;
  // Many notices count as one: the next is passed on after the next `hello`.
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

  /** The JSON answer of a function; null: none. */
  async function call<T>(schema: z.ZodType<T>, sql: string, ...values: unknown[]): Promise<T | null> {
    const [[text] = []] = await query(`select ${sql}`, values);
    return text == null ? null : schema.parse(JSON.parse(text));
  }

  function close(): void {
    line?.close();
    line = null;
  }

  return {
    open: answering(async (place, credentials, list) => {
      close();
      isNotified = false;
      line = await openLine(place, credentials, onNotified, (problem) => onEvent({ kind: 'lost', problem }));
      try {
        await requireUsable(query);
        if (list === null || line.isPooled) return false;
        return await listen(query, list);
      } catch (cause) {
        close();
        throw cause;
      }
    }),
    openToCreate: answering(async (place, credentials) => {
      close();
      line = await openLine(place, credentials, onNotified, (problem) => onEvent({ kind: 'lost', problem }));
    }),
    isCrowded: answering(async () => {
      try {
        return (await query(isCrowdedSql))[0]?.[0] === 't';
      } catch (cause) {
        // An administrator may hide statistics from members.
        if (problemOf(cause).why === 'noAccess') return false;
        throw cause;
      }
    }),
    close: answering(async () => close()),
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
    leftArea: answering(async (list, after, upTo) => {
      const all: Row[] = [];
      for (let from = after; ;) {
        const found = await query(leftAreaSql, [list, from, upTo], pageMaxRows);
        all.push(...found);
        const last = found.at(-1);
        if (found.length < pageMaxRows || last === undefined)
          return all.map(readLeftArea).filter((each) => each !== undefined);
        const next = revOf(last);
        if (next <= from || all.length > leftAreaMax) throw failure('broken');
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
    people: answering(async () => (await call(peopleSchema, 'coffer.people_1()')) ?? []),
    secretsSince: answering(async (list) => {
      const lists = await call(secretsSinceSchema, 'coffer.lists_1()');
      return lists?.find(({ id }) => id === list)?.secretsSince ?? null;
    }),
    history: answering((list, kind, identifier) => readHistory(query, list, kind, identifier)),
    areas: answering((list) => readAreas(query, list)),
    setVerifier: answering((verifier) => setVerifier(query, verifier)),
    keepOwnPassword: answering(() => keepOwnPassword(query)),
    ...createCuratorServer(query, () => line?.certificates() ?? []),
    lists: answering(async () => {
      const me = await call(countSchema, 'coffer.me()');
      return { me, lists: (await call(z.array(listSchema), 'coffer.lists_1()')) ?? [] };
    }),
  };
}

/** @throws TeamFailure oldServer, otherSchema, oldSchema; what `problemOf` knows */
async function requireUsable(query: Line['query']): Promise<void> {
  const [[version] = []] = await query("select current_setting('server_version_num')");
  if (!isPatched(Number(version))) throw failure('oldServer');
  const found = stepSchema.parse(
    await query('select number, digest from coffer.step order by number', [], 1000),
  );
  // Steps of a newer Coffer may follow ours; our functions stay for a year.
  if (found.length === 0) throw failure('noTeam');
  for (const [at, [, digest]] of found.slice(0, steps.length).entries())
    if (digest !== digestOf(steps[at] ?? '')) throw failure('otherSchema');
  if (found.length < steps.length) throw failure('oldSchema');
}

/** @returns false: it is a standby, which refuses LISTEN */
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
