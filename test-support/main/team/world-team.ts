import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openTeamCopy } from '../objects/team-copy.ts';
import type { Answer } from '../../../src/main/team/wire/answering.ts';
import { createTeamServer, type TeamServer } from '../../../src/main/team/wire/server.ts';
import { valueOf } from '../../../src/main/team/team-thread.ts';
import { createTeam, type Member, type TeamDatabase } from './create-team.ts';
import { placeOf } from './place.ts';
import type { ReachedPostgres } from './postgres.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The tables to which pushes write. */
export const changing = ['feed', 'object', 'moved', 'history', 'push', 'client'];

/** How the server ends sessions during a call. */
export interface Crash {
  /** The session ends when the call reaches this table. null: after its transaction, so only the answer is lost. */
  readonly at: string | null;
  /** Ends all sessions, as a stop of the server does; otherwise only those of the caller's role. */
  readonly isOfAll: boolean;
}

/** A member's computer, connected as a client is. */
export interface Installation {
  readonly name: string;
  readonly member: Member;
  readonly server: TeamServer;
  /** Between client and server. */
  readonly proxy: TcpProxy;
  /** Connects again after the connection was cut. */
  readonly connect: () => Promise<void>;
  /** Reconnects other installations whose sessions ended as well. */
  readonly crashWithin: <Value>(crash: Crash, call: () => Promise<Answer<Value>>) => Promise<Answer<Value>>;
}

/**
 * A list for many worlds in turn, so that slow set-up happens once. Anna has two computers, Ben must not see secret
 * objects, and Carla must not change them.
 */
export class WorldTeam {
  readonly #team: TeamDatabase;
  readonly #ends: (() => Promise<void>)[];
  readonly installations: readonly Installation[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'coffer-world-team-'));
  /** The file of a list without objects, to be copied. */
  readonly emptyList = join(this.#folder, 'empty');

  private constructor(
    team: TeamDatabase,
    installations: readonly Installation[],
    ends: (() => Promise<void>)[],
  ) {
    this.#team = team;
    this.installations = installations;
    this.#ends = ends;
  }

  static async open(postgres: ReachedPostgres): Promise<WorldTeam> {
    const ends: (() => Promise<void>)[] = [];
    const team = await createTeam(postgres, (end) => ends.push(end));
    const { curator, list, owner } = team;
    const [anna, ben, carla] = [
      await team.join('anna', 2),
      await team.join('ben', 2),
      await team.join('carla', 2),
    ];
    const secret = await curator.call<number>('coffer.set_area_1($1, $2, $3)', list, '', 'Secret');
    await curator.call('coffer.set_access_1($1, $2, 2::smallint)', secret, anna.id);
    await curator.call('coffer.set_access_1($1, $2, 1::smallint)', secret, carla.id);
    await owner.query('create schema saved');
    for (const table of changing) await owner.query(`create table saved.${table} (like coffer.${table})`);
    const installations: Installation[] = [];
    for (const [name, member] of Object.entries({ curator, anna, 'anna at home': anna, ben, carla })) {
      const server = createTeamServer(() => undefined);
      const proxy = await openTcpProxy(() => postgres.port);
      ends.push(async () => proxy.close());
      const place = placeOf(team, member, proxy.port);
      const credentials = { password: member.role.password, passphrase: null };
      const connect = async () => void (await valueOf(server.open(place, credentials, list)));
      await connect();
      const installation: Installation = {
        name,
        member,
        server,
        proxy,
        connect,
        crashWithin: (crash, call) => opened.#crashWithin(crash, installation, call),
      };
      installations.push(installation);
    }
    const opened = new WorldTeam(team, installations, ends);
    (await openTeamCopy(() => 0, new DatabaseSync(opened.emptyList))).close();
    return opened;
  }

  get list(): number {
    return this.#team.list;
  }

  /** Call before each world. */
  async empty(): Promise<void> {
    const tables = changing.filter((table) => table !== 'feed').map((table) => `coffer.${table}`);
    await this.#team.owner.query(`truncate ${tables.join()}; update coffer.feed set rev = 0`);
  }

  async save(): Promise<void> {
    await this.#replace('saved', 'coffer');
  }

  async putBack(): Promise<void> {
    await this.#replace('coffer', 'saved');
  }

  /** Like a curator who has all computers compare. */
  async compare(): Promise<void> {
    await this.#team.curator.call('coffer.new_epoch_1($1)', this.list);
  }

  async #replace(to: string, from: string): Promise<void> {
    const each = changing.map(
      (table) => `delete from ${to}.${table}; insert into ${to}.${table} table ${from}.${table}`,
    );
    await this.#team.owner.query(`begin; ${each.join('; ')}; commit`);
  }

  /** A call that does not reach the table is simply answered. */
  async #crashWithin<Value>(
    { at, isOfAll }: Crash,
    caller: Installation,
    call: () => Promise<Answer<Value>>,
  ): Promise<Answer<Value>> {
    const { owner } = this.#team;
    if (at !== null) await owner.query(`begin; lock table coffer.${at} in access exclusive mode`);
    let isAnswered = false;
    const answer = call().finally(() => (isAnswered = true));
    try {
      while (!isAnswered && !(await this.#isWaiting()));
      // pg_terminate_backend could wait itself, but checks only ten times a second.
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'coffer' and ($1 or usename = $2)`,
        [isOfAll, caller.member.role.name],
      );
      await answer;
    } finally {
      if (at !== null) await owner.query('rollback');
    }
    for (const other of this.installations)
      if (other !== caller && (isOfAll || other.member === caller.member)) await other.connect();
    return at === null ? { problem: { why: 'closed', code: '' } } : answer;
  }

  async #isWaiting(): Promise<boolean> {
    const { rowCount } = await this.#team.owner.query(
      `select from pg_locks where not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return (rowCount ?? 0) > 0;
  }

  async close(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
