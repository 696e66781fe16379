import { randomUUID } from 'node:crypto';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Statements } from '../../database/statements.ts';
import { AddedTally, type ListChanges } from '../announcements.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { kindCode } from '../rows.ts';
import { createFills } from './fills.ts';
import { Outbox } from './outbox.ts';
import { MergeRows } from './merge-rows.ts';
import { Pushes } from './pushes.ts';
import type { TeamCopy } from './team-copy.ts';
import { TeamClearing, TeamDrops } from './team-clearing.ts';
import { readWords, TeamRows } from './team-rows.ts';
import { createTeamViews } from './team-views.ts';
import { TeamTable, type StoredTeam } from './team-table.ts';

export interface LocalTeamCopy extends TeamCopy {
  close(): void;
}

/** This computer's copy of a team's list, on the database's thread. */
export function createLocalTeamCopy(
  statements: Statements,
  writer: ObjectWriter,
  list: ListChanges,
  nowMs: () => number,
): LocalTeamCopy {
  const { rows } = statements;
  const table = new TeamTable(statements);
  const team = new TeamRows(statements);
  const outbox = new Outbox(statements);
  const merging = new MergeRows(statements, writer, team, outbox);
  const drops = new TeamDrops(statements, writer);
  const clearing = new TeamClearing(statements, writer, drops, list);
  clearing.start();
  const pushes = new Pushes(statements, table, team, writer, outbox);

  /** From the first team on: without one, changes of the list cost nothing more. */
  function attach(): void {
    if (writer.observer === outbox) return;
    writer.observer = outbox;
    writer.beforeCommit(() =>
      merging.takeHeld(
        (service) => table.ofService(service),
        (service) => new AddedTally(statements, service),
        nowMs(),
      ),
    );
  }
  const hasTeams = rows('SELECT 1 FROM team UNION ALL SELECT 1 FROM team_clearing LIMIT 1').length > 0;
  if (hasTeams) attach();

  function within<T>(serviceId: string, work: (found: StoredTeam) => T): T | null {
    return writer.transaction(() => {
      const found = table.get(serviceId);
      return found === null ? null : work(found);
    });
  }

  /** Keeps the note apart. The row gets the last known note of the server, and the current one with its next change. */
  function setNoteConflict(objectId: number, note: string): void {
    const record = writer.rows.get(objectId);
    if (record === null) return;
    team.addNoteConflict(objectId, note, nowMs());
    const changed = { ...record, note: readWords(team.wordsOf(objectId)).note };
    writer.rows.update(changed);
    writer.noteSaved([{ record: changed, textChanged: true }]);
  }

  return {
    ...createFills({ statements, writer, table, merging, drops, clearing, list, nowMs, within }),
    ...createTeamViews({ statements, clearing, within, list }),

    async stateOf(serviceId) {
      const found = table.get(serviceId);
      if (found === null) return null;
      const {
        service,
        place,
        list: listNumber,
        me,
        client,
        cursor,
        fill,
        access,
        accessRev,
        secretsSince,
        readMs,
      } = found;
      const mayTell = `service = ?1 AND (kind = ${String(kindCode('data'))} OR ?2)`;
      const values = [service, secretsSince === null ? 0 : 1];
      return {
        place,
        list: listNumber,
        me,
        client,
        cursor,
        fill: fill && { areas: fill.areas, head: fill.head, after: fill.after },
        access,
        accessRev,
        readMs,
        due: table.count(`SELECT count(*) FROM team_due WHERE ${mayTell} AND refused IS NULL`, ...values),
        refused: table.count(
          `SELECT count(*) FROM team_due WHERE ${mayTell} AND refused IS NOT NULL`,
          ...values,
        ),
        noteConflicts: table.count(
          'SELECT count(*) FROM team_kept_apart CROSS JOIN object ON object.id = object WHERE service = ?',
          service,
        ),
      };
    },

    async join(serviceId, { place, list: listNumber, me, sharesEarlier }) {
      const isIn = writer.transaction(() => {
        requireService(serviceId);
        const known = table.get(serviceId);
        if (known === null) return false;
        if (known.list !== listNumber || known.me !== me)
          throw new Error('Leave the other team first: what it said would be taken for this one’s');
        table.set(known.service, 'place', place);
        return true;
      });
      if (isIn) return;
      // An unfinished clearing must not remove rows that this team brings.
      await clearing.finish(serviceId);
      writer.transaction(() => {
        requireService(serviceId);
        attach();
        const service = writer.rows.ensureService(serviceId);
        table.insert(service, place, listNumber, me, randomUUID(), sharesEarlier ? 0 : null);
      });
    },

    async leave(serviceId, keep) {
      within(serviceId, (found) => forgetTeam(found, keep));
      clearing.begin(serviceId);
    },

    async clear(serviceId) {
      return clearing.next(serviceId);
    },

    close: () => clearing.stop(),

    async nextPush(serviceId, presentMs) {
      return within(serviceId, (found) => pushes.next(found, presentMs));
    },

    async acknowledge(serviceId, seq, answer) {
      within(serviceId, (found) => {
        const added = pushes.acknowledge(found, seq, answer, setNoteConflict);
        writer.noteSaved(added.map((record) => ({ record, textChanged: false })));
      });
    },

    async halvePush(serviceId, seq, reason) {
      within(serviceId, (found) => pushes.halve(found, seq, reason));
    },

    async renewClient(serviceId) {
      within(serviceId, (found) => pushes.renewClient(found));
    },

    async setSecretsSince(serviceId, since) {
      within(serviceId, (found) => {
        const { service, secretsSince } = found;
        table.set(service, 'secrets_since', since);
        if (secretsSince === null || since === secretsSince) return;
        pushes.takeBackSecrets(found);
        table.readAnew(service);
      });
    },

    async noteRead(serviceId, atMs) {
      within(serviceId, ({ service }) => table.set(service, 'read_ms', atMs));
    },

    async anchors(serviceId) {
      const found = table.get(serviceId);
      return found === null ? [] : table.anchors(found.service);
    },

    async serverForgot(serviceId, commonRev) {
      within(serviceId, (found) => {
        const { service } = found;
        pushes.tellAgain(found, commonRev);
        // The answer to an earlier push would mark rows as told that are being read again.
        if (pushes.mayHaveLeft(service)) pushes.renewClient(found);
        table.dropAnchors(service, commonRev);
        // Numbers above that now stand for other changes.
        rows('UPDATE object SET team_rev = 0 WHERE service = ? AND team_rev > ?', service, commonRev);
        table.readAnew(service);
      });
    },
  };

  /** A service with an empty list may have no number yet; a removed one must not get one. */
  function requireService(serviceId: string): void {
    const sql = `SELECT 1 FROM document WHERE collection = 'services' AND key = ?`;
    if (rows(sql, serviceId).length === 0) throw new AppFailure({ code: 'notFound', what: 'service' });
  }

  function forgetTeam(
    { service, me }: Pick<StoredTeam, 'service' | 'me'>,
    keep: 'own' | 'all' | 'none',
  ): void {
    for (const name of ['team', 'team_person', 'team_flight', 'team_held', 'team_anchor'])
      rows(`DELETE FROM ${name} WHERE service = ?`, service);
    clearing.note(service, me, keep, null);
  }
}
