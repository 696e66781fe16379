import type { TeamRow } from '../../../src/main/objects/team/team-copy.ts';
import type { Answer } from '../../../src/main/team/wire/answering.ts';
import { TeamSession } from '../../../src/main/team/team-session.ts';
import type { RowsPage, TeamServer } from '../../../src/main/team/wire/server.ts';
import { TeamFailure } from '../../../src/main/team/team-problem.ts';
import type { OpenTeamCopy } from '../objects/team-copy.ts';
import { readable, type Member } from './create-team.ts';
import type { Direction } from './tcp-proxy.ts';
import type { Crash, Installation } from './world-team.ts';

export interface Faults {
  /** Where the process is killed: before a push is sent, or before its answer or a page is written. */
  readonly killedBefore?: 'push' | 'answer' | 'page';
  readonly pageRows?: number;
  readonly cut?: { readonly direction: Direction; readonly bytes: number; readonly how: 'close' | 'reset' };
  /** @property call the session's call at which the server crashes, from 1 */
  readonly crash?: Crash & { readonly call: number };
  /** Receives a function that delivers the push late. The process is killed meanwhile. */
  readonly onLate?: (arrive: () => Promise<unknown>) => void;
}

/** Counts the transactions of sessions; the process is killed before the end of those in `stopsAt`. */
export interface Writes {
  count: number;
  readonly stopsAt: ReadonlySet<number>;
}

class Killed extends Error {}

/** More than any list of a world needs. */
const maxTurns = 1000;

const states = { 0: 'stored', 2: 'unknown', 3: 'missing', 5: 'gone' } as const;
type Fields = Omit<TeamRow, 'kind' | 'state'> & { kind: number; state: keyof typeof states };

/** The list as a member sees it. */
export async function readRows(member: Member): Promise<TeamRow[]> {
  const rows = await member.rows<Fields>(
    `select kind, identifier, rev::float8 as rev, area, state, seen_ms::float8 as "seenMs", seen_by as "seenBy", incarnation,
       length_bytes::float8 as "lengthBytes", encode(sha256, 'hex') as sha256, classification, source_name as "sourceName",
       stored_ms::float8 as "storedAtMs", stored_by as "storedBy", parts, note, renew_by::text as "renewBy",
       is_forgotten as "isForgotten"
     from ${readable.objects} order by identifier`,
  );
  return rows.map((row) => ({ ...row, kind: row.kind === 0 ? 'data' : 'secret', state: states[row.state] }));
}

/** Runs a session until nothing is left to do, its connection is lost, or its process is killed. */
export async function syncOnce(
  copy: OpenTeamCopy,
  installation: Installation,
  faults: Faults,
  writes: Writes,
): Promise<void> {
  const { proxy, connect } = installation;
  const { direction, bytes, how } = faults.cut ?? { direction: 'up', bytes: Infinity, how: 'close' };
  proxy.cutAfter(direction, bytes, how);
  const isLost = faults.cut !== undefined || faults.crash !== undefined;
  const crash = withCrash(installation, faults);
  const release = watchWrites(copy, writes);
  try {
    const session = await TeamSession.begin(copy.serviceId, copy.team, withFaults(crash.server, faults));
    for (let turns = 0; turns < maxTurns; turns += 1) {
      const { kind } = await session.turn(true, (why) => {
        throw new Error(`The server takes no changes: ${why}`);
      });
      if (kind === 'idle') return;
    }
    throw new Error('The session does not come to rest');
  } catch (cause) {
    const isAway = isLost && cause instanceof TeamFailure && cause.effect === 'away';
    if (!isAway && !(cause instanceof Killed)) throw cause;
    if (!isAway) copy.reopen();
  } finally {
    release();
    proxy.cutAfter('up', Infinity);
    // The process may have been killed while waiting for a page.
    await crash.ended();
    if (isLost) await connect();
  }
}

function watchWrites({ db }: OpenTeamCopy, writes: Writes): () => void {
  const exec = db.exec.bind(db);
  db.exec = (sql) => {
    if (sql === 'COMMIT') {
      writes.count += 1;
      if (writes.stopsAt.has(writes.count)) throw new Killed();
    }
    exec(sql);
  };
  return () => void Reflect.deleteProperty(db, 'exec');
}

function withCrash({ server, crashWithin }: Installation, { crash }: Faults) {
  let calls = 0;
  let end: Promise<unknown> = Promise.resolve();
  function crashing<Value>(call: () => Promise<Answer<Value>>): Promise<Answer<Value>> {
    calls += 1;
    if (calls !== crash?.call) return call();
    const answer = crashWithin(crash, call);
    end = answer;
    return answer;
  }
  const crashed: TeamServer = {
    ...server,
    hello: (...args) => crashing(() => server.hello(...args)),
    push: (...args) => crashing(() => server.push(...args)),
    rows: (...args) => crashing(() => server.rows(...args)),
    leftArea: (...args) => crashing(() => server.leftArea(...args)),
    fill: (...args) => crashing(() => server.fill(...args)),
  };
  return { server: crashed, ended: () => end };
}

function withFaults(server: TeamServer, { killedBefore, pageRows = Infinity, onLate }: Faults): TeamServer {
  let pages = 0;
  // Each page is requested while the one before is being written.
  const killAtPage = () => {
    pages += 1;
    if (killedBefore === 'page' && pages > 1) throw new Killed();
  };
  const cut = <Page extends RowsPage>(page: Page): Page =>
    page.rows.length <= pageRows ? page : { ...page, rows: page.rows.slice(0, pageRows), isLast: false };
  return {
    ...server,
    async push(...args) {
      if (killedBefore === 'push') throw new Killed();
      if (onLate !== undefined) {
        onLate(() => server.push(...args));
        throw new Killed();
      }
      const answer = await server.push(...args);
      if (killedBefore === 'answer') throw new Killed();
      return answer;
    },
    async rows(...args) {
      killAtPage();
      const answer = await server.rows(...args);
      if ('problem' in answer) return answer;
      const page = cut(answer.value);
      const lastRev = page === answer.value ? page.lastRev : (page.rows.at(-1)?.rev ?? page.lastRev);
      return { value: { ...page, lastRev } };
    },
    async fill(...args) {
      killAtPage();
      const answer = await server.fill(...args);
      if ('problem' in answer) return answer;
      const page = cut(answer.value);
      return { value: page === answer.value ? page : { ...page, last: page.rows.at(-1) ?? page.last } };
    },
  };
}
