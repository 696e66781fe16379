import { isDeepStrictEqual } from 'node:util';
import type { NoteConflict } from '../../../shared/domain/team.ts';
import type { Statements } from '../../database/statements.ts';
import type { ListChanges } from '../announcements.ts';
import { kindCode, kindOf } from '../rows.ts';
import { isStoredHere } from './due-changes.ts';
import type { TeamClearing } from './team-clearing.ts';
import type { TeamCopy } from './team-copy.ts';
import type { StoredTeam } from './team-table.ts';

/** Of what is shared at joining; the rest is counted. */
const maxEarlierShown = 200;

/** What the window shows of the copy. */
export function createTeamViews(deps: {
  statements: Statements;
  clearing: TeamClearing;
  within: <T>(serviceId: string, work: (team: StoredTeam) => T) => T | null;
  list: Pick<ListChanges, 'reload'>;
}): Pick<TeamCopy, 'setPeople' | 'people' | 'earlier' | 'noteConflicts' | 'forgetNoteConflict'> {
  const { clearing, within, list } = deps;
  const { rows } = deps.statements;
  return {
    async setPeople(serviceId, people) {
      const areOthers = within(serviceId, ({ service }) => {
        const known = rows<[number, string]>('SELECT id, shown FROM team_person WHERE service = ?', service);
        rows('DELETE FROM team_person WHERE service = ?', service);
        for (const { id, shown, isEnded } of people)
          rows(
            'INSERT OR REPLACE INTO team_person (service, id, shown, is_ended) VALUES (?, ?, ?, ?)',
            service,
            id,
            shown,
            isEnded ? 1 : 0,
          );
        return !isDeepStrictEqual(new Map(known), new Map(people.map(({ id, shown }) => [id, shown])));
      });
      // The index holds people's names.
      if (areOthers === true) list.reload(serviceId);
    },

    async people(serviceId) {
      const found = within(serviceId, ({ service }) =>
        rows<[number, string, number]>(
          'SELECT id, shown, is_ended FROM team_person WHERE service = ? ORDER BY id',
          service,
        ),
      );
      return (found ?? []).map(([id, shown, isEnded]) => ({ id, shown, isEnded: isEnded === 1 }));
    },

    async earlier(serviceId, withSecrets) {
      // Until then, rows may still be marked as stored by a member of the team that was left.
      await clearing.finish(serviceId);
      const found = rows<[number, number, string, number]>(
        `SELECT id, kind, identifier, count(*) OVER () FROM object
         WHERE service = (SELECT id FROM service WHERE service_id = ?) AND (kind = ? OR ?) AND ${isStoredHere}
         ORDER BY identifier LIMIT ?`,
        serviceId,
        kindCode('data'),
        withSecrets ? 1 : 0,
        maxEarlierShown,
      );
      return {
        count: found[0]?.[3] ?? 0,
        first: found.map(([id, kind, identifier]) => ({ id, kind: kindOf(kind), identifier })),
      };
    },

    async noteConflicts(serviceId) {
      const found = within(serviceId, ({ service }) =>
        rows<[number, number, number, string, string, number]>(
          `SELECT apart.id, object.id, kind, identifier, mine, at_ms
           FROM team_kept_apart AS apart JOIN object ON object.id = apart.object
           WHERE service = ? ORDER BY apart.id DESC`,
          service,
        ),
      );
      return (found ?? []).map(([id, objectId, kind, identifier, mine, atMs]): NoteConflict => ({
        id,
        objectId,
        kind: kindOf(kind),
        identifier,
        mine,
        atMs,
      }));
    },

    async forgetNoteConflict(serviceId, id) {
      within(serviceId, ({ service }) =>
        rows(
          'DELETE FROM team_kept_apart WHERE id = ? AND object IN (SELECT id FROM object WHERE service = ?)',
          id,
          service,
        ),
      );
    },
  };
}
