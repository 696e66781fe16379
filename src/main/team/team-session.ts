import type { TeamWhy } from '../../shared/domain/team-why.ts';
import type { TeamAccess, TeamCopy, TeamCursor, TeamState } from '../objects/team/team-copy.ts';
import { valueOf } from './team-thread.ts';
import { failure, TeamFailure } from './team-problem.ts';
import type { Hello } from './wire/answers.ts';
import type { RowsPage, TeamServer } from './wire/server.ts';

/** The result of a turn. left: the service no longer has a team; filled: rows that a fill has brought; idle: nothing is left to do. */
export type Turn =
  | { readonly kind: 'left' | 'advanced' | 'idle' }
  | { readonly kind: 'filled'; readonly rows: number };
const advanced: Turn = { kind: 'advanced' };

/** A list that is behind by at most this many numbers is read in one go, without a call of `next_1`, which goes as far. */
const stopsApart = 5000;
/** Twice what the largest list takes when its areas change. */
const maxTended = 200;

/**
 * The list of one service and a connection to its team's server, which gets one request at a time. A turn asks where the
 * server stands, then takes one step, whose result is in the database before the next one. After an interruption, the
 * next turn continues from there.
 */
export class TeamSession {
  readonly #serviceId: string;
  readonly #copy: TeamCopy;
  readonly #server: TeamServer;
  /** The last push, until its number has been read as well: reveals a server that lost it. */
  #pushed: Anchor | null;
  /** The number of rows received, and the request for the next page, sent while the last one is being written. */
  #fill: { readonly rows: number; readonly next: ReturnType<TeamServer['fill']> } | null = null;
  #isRenewed = false;
  #hasSetAccess = false;
  #hasBegunAnew = false;
  #leftOut = 0;
  /** Maintenance calls (`tend`) since the session was last idle. */
  #tended = 0;

  /** @param server connected */
  static async begin(serviceId: string, copy: TeamCopy, server: TeamServer): Promise<TeamSession> {
    const [newest = null] = await copy.anchors(serviceId);
    return new TeamSession(serviceId, copy, server, newest);
  }

  private constructor(serviceId: string, copy: TeamCopy, server: TeamServer, newest: Anchor | null) {
    this.#serviceId = serviceId;
    this.#copy = copy;
    this.#server = server;
    this.#pushed = newest;
  }

  /** Number of rows with fields that no Coffer writes. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * @param mayPush false: changes wait, reading goes on
   * @param onWaits called if the server takes no changes now
   * @throws TeamFailure, and what the copy throws
   */
  async turn(mayPush: boolean, onWaits: (why: TeamWhy) => void): Promise<Turn> {
    let state = await this.#copy.stateOf(this.#serviceId);
    if (state === null) return { kind: 'left' };
    const { rev, tag } = this.#anchorOf(state);
    const hello = await valueOf(this.#server.hello(state.list, rev, tag));
    // Another number is another person: a role of this name was given to somebody else.
    if (hello === null || hello.me !== state.me) throw failure('ended');
    if (rev === 0 && !hello.known) throw failure('broken');
    if (!hello.known || (state.cursor !== null && state.cursor.epoch !== hello.epoch))
      return this.#beginAnew(state.list);
    if (!this.#hasSetAccess || hello.accessRev !== state.accessRev || !isSame(hello.areas, state.access))
      state = await this.#setAccess(state, hello);
    if (state === null) return { kind: 'left' };
    if (await this.#copy.clear(this.#serviceId)) return advanced;
    if (state.fill !== null) return this.#fillOn(state.list, state.fill);
    if (state.cursor === null) {
      const areas = hello.areas.map(({ area }) => area);
      await this.#beginFill(areas, hello);
      return advanced;
    }
    if (mayPush && (await this.#push(state.list, state.cursor.epoch, hello.nowMs, onWaits))) return advanced;
    if (hello.rev > state.cursor.rev) return this.#pull(state.list, state.cursor, hello);
    // Last, because a large list takes minutes, and others' changes should be seen meanwhile.
    if (hello.tend && mayPush && (await this.#tend(state.list, onWaits))) return advanced;
    this.#hasBegunAnew = false;
    this.#tended = 0;
    return { kind: 'idle' };
  }

  /** The newest number known to be on the server, also while the list is read again: the server may be set back once more. */
  #anchorOf({ cursor }: TeamState): { rev: number; tag: string | null } {
    if (cursor !== null && cursor.rev >= (this.#pushed?.rev ?? 0)) return cursor;
    return this.#pushed ?? { rev: 0, tag: null };
  }

  /** The server was set back, or this computer was away for 90 days. */
  async #beginAnew(list: number): Promise<Turn> {
    // The list was not read to its end since. A server that does not know its own numbers would have it read forever.
    if (this.#hasBegunAnew) throw failure('broken');
    this.#hasBegunAnew = true;
    const anchors = await this.#copy.anchors(this.#serviceId);
    const common = await valueOf(this.#server.common(list, anchors));
    await this.#copy.serverForgot(this.#serviceId, common);
    const [newest = null] = await this.#copy.anchors(this.#serviceId);
    this.#pushed = newest;
    return advanced;
  }

  /** Also at the beginning of a session: the last one may have ended before the fills it needed had begun. */
  async #setAccess({ list }: TeamState, hello: Hello): Promise<TeamState | null> {
    const people = await valueOf(this.#server.people());
    await this.#copy.setPeople(this.#serviceId, people);
    await this.#copy.setSecretsSince(this.#serviceId, await valueOf(this.#server.secretsSince(list)));
    const wanted = await this.#copy.setAccess(this.#serviceId, hello.areas, hello.accessRev);
    this.#hasSetAccess = true;
    // From the cursor on, all areas are pulled.
    const { cursor = null } = (await this.#copy.stateOf(this.#serviceId)) ?? {};
    if (wanted.length > 0) await this.#beginFill(wanted, cursor ?? hello);
    // The same turn goes on: otherwise a server whose answer always differs would cause nothing but this.
    return this.#copy.stateOf(this.#serviceId);
  }

  async #beginFill(areas: readonly number[], { epoch, rev, tag }: TeamCursor): Promise<void> {
    this.#fill = null;
    await this.#copy.beginFill(this.#serviceId, areas, { epoch, rev, tag });
  }

  async #fillOn(list: number, { areas, after }: NonNullable<TeamState['fill']>): Promise<Turn> {
    const { rows: before, next } = this.#fill ?? { rows: 0, next: this.#server.fill(list, areas, after) };
    const page = await valueOf(next);
    const rows = before + page.rows.length;
    this.#fill = page.isLast ? null : { rows, next: this.#server.fill(list, areas, page.last) };
    // Awaited in the next turn, if there is one.
    this.#fill?.next.catch(() => undefined);
    await this.#copy.fillPage(this.#serviceId, this.#count(page).rows, page.isLast);
    return { kind: 'filled', rows };
  }

  /** @returns whether something was done, or must be tried again in the next turn */
  async #push(
    list: number,
    epoch: string,
    presentMs: number,
    onWaits: (why: TeamWhy) => void,
  ): Promise<boolean> {
    const push = await this.#copy.nextPush(this.#serviceId, presentMs);
    if (push === null) return false;
    try {
      const { answer, isWritten } = await valueOf(this.#server.push(list, push));
      await this.#copy.acknowledge(this.#serviceId, push.seq, answer);
      if (isWritten && answer.epoch === epoch) this.#pushed = { rev: answer.rev, tag: answer.tag };
      return true;
    } catch (cause) {
      if (!(cause instanceof TeamFailure)) throw cause;
      const { effect, problem } = cause;
      if (effect === 'badChange') {
        await this.#copy.halvePush(this.#serviceId, push.seq, problem.code);
        return true;
      }
      if (effect === 'otherCopy' && !this.#isRenewed) {
        this.#isRenewed = true;
        await this.#copy.renewClient(this.#serviceId);
        return true;
      }
      if (effect === 'away' || effect === 'refused') throw cause;
      onWaits(cause.shownWhy);
      return false;
    }
  }

  /** Maintenance of the list, for any curator's computer to do. @returns whether something was done */
  async #tend(list: number, onWaits: (why: TeamWhy) => void): Promise<boolean> {
    // A limit, for servers that always have more. The rest continues in a minute.
    if (this.#tended >= maxTended) return false;
    this.#tended += 1;
    try {
      return await valueOf(this.#server.tend(list));
    } catch (cause) {
      if (!(cause instanceof TeamFailure) || cause.effect !== 'waits') throw cause;
      // A read-only replica is still fit for reading; another curator's computer does the work on the primary.
      if (cause.problem.why !== 'readOnly') onWaits(cause.shownWhy);
      return false;
    }
  }

  /** Pulls up to the next stop. The cursor moves only there, because only that number has a tag. */
  async #pull(list: number, cursor: TeamCursor, { epoch, rev, tag }: Hello): Promise<Turn> {
    const isNear = tag !== null && rev <= cursor.rev + stopsApart;
    const stop = isNear ? { epoch, rev, tag } : await valueOf(this.#server.next(list, cursor.rev));
    if (stop === null || stop.rev <= cursor.rev) throw failure('broken');
    // Its numbers mean something else than those already read.
    if (stop.epoch !== epoch) return this.#beginAnew(list);
    for (let after = cursor.rev; ;) {
      const page = await valueOf(this.#server.rows(list, after, stop.rev));
      const { rows } = this.#count(page);
      if (page.isLast) {
        const departures = await valueOf(this.#server.leftArea(list, cursor.rev, stop.rev));
        await this.#copy.apply(this.#serviceId, { rows, leftArea: departures, cursor: stop });
        return advanced;
      }
      await this.#copy.apply(this.#serviceId, { rows, leftArea: [], cursor });
      after = page.lastRev;
    }
  }

  #count<Page extends RowsPage>(page: Page): Page {
    this.#leftOut += page.leftOut;
    return page;
  }
}

interface Anchor {
  readonly rev: number;
  readonly tag: string;
}

function isSame(one: readonly TeamAccess[], other: readonly TeamAccess[]): boolean {
  const keysOf = (access: readonly TeamAccess[]) =>
    access.map(({ area, may, since }) => `${String(area)} ${String(may)} ${since}`).toSorted();
  return keysOf(one).join() === keysOf(other).join();
}
