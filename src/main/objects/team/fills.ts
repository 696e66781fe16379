import type { Statements } from '../../database/statements.ts';
import { AddedTally } from '../added-tally.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { compareTexts, kindCode } from '../rows.ts';
import type { MergeRows } from './merge-rows.ts';
import type { TeamCopy, TeamRow } from './team-copy.ts';
import type { TeamDrops } from './team-drops.ts';
import { teamOf, type StoredFill, type StoredTeam, type TeamTable } from './team-table.ts';

/** Minimum interval between refreshes of a visible list during a fill, in ms. */
const fillToldMs = 4000;

/** How the lists on screen learn of changes. */
export interface ListChanges {
  /** Runs `work` without announcing its changes. */
  quietly<T>(work: () => T): T;
  announce(serviceId: string): void;
  /** More has changed than could be told of: what is kept of the list in memory is made anew. */
  reload(serviceId: string): void;
}

type Key = NonNullable<StoredFill['after']>;

/** How the team's list comes in: what the person may see, areas in full, and changes. */
export function createFills(deps: {
  statements: Statements;
  writer: ObjectWriter;
  table: TeamTable;
  merging: MergeRows;
  drops: TeamDrops;
  list: ListChanges;
  nowMs: () => number;
  within: <T>(serviceId: string, work: (team: StoredTeam) => T) => T | null;
}): Pick<TeamCopy, 'apply' | 'setAccess' | 'beginFill' | 'fillPage'> {
  const { statements, writer, table, merging, drops, list, nowMs, within } = deps;
  let toldMs = -Infinity;

  function merge(team: StoredTeam, serviceId: string, rows: readonly TeamRow[], isFill: boolean): void {
    if (rows.length === 0) return;
    const tally = new AddedTally(statements, team.service);
    merging.merge(teamOf(team, serviceId), rows, tally, isFill, nowMs());
    tally.end();
  }

  /** Rows of these areas between two keys that the server does not have any more. @param to null: to the end */
  function dropOthers(
    { service, me }: StoredTeam,
    areas: readonly number[],
    from: Key | null,
    to: Key | null,
    rows: readonly TeamRow[],
  ): boolean {
    const came = JSON.stringify(rows.map(({ kind, identifier }) => [kindCode(kind), identifier]));
    const { isMany } = drops.drop(
      me,
      'own',
      `service = ?2 AND team_area IN (SELECT value FROM json_each(?3))
       AND (kind, identifier) > (?4, ?5) AND (?6 IS NULL OR (kind, identifier) <= (?6, ?7))
       AND (kind, identifier) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(?8))`,
      service,
      JSON.stringify(areas),
      from === null ? -1 : kindCode(from.kind),
      from?.identifier ?? '',
      to === null ? null : kindCode(to.kind),
      to?.identifier ?? '',
      came,
    );
    return isMany;
  }

  return {
    async apply(serviceId, { rows, moved, cursor }) {
      within(serviceId, (team) => {
        merge(team, serviceId, rows, false);
        merging.leave(teamOf(team, serviceId), moved);
        table.setCursor(team.service, cursor);
      });
    },

    async setAccess(serviceId, access, accessRev) {
      let isMany = false;
      const wanted = within(serviceId, (team) => {
        const { service, me, fill, filled } = team;
        const grants = new Map(access.map(({ area, since }) => [area, since]));
        const isAsBefore = ([area, since]: readonly [number, string]) => grants.get(area) === since;
        const lost = [
          ...new Set(
            [...filled, ...(fill?.grants ?? [])].filter((each) => !isAsBefore(each)).map(([area]) => area),
          ),
        ];
        if (lost.length > 0) {
          const where = 'service = ?2 AND team_area IN (SELECT value FROM json_each(?3))';
          isMany = drops.drop(me, 'own', where, service, JSON.stringify(lost)).isMany;
        }
        table.set(service, 'access', JSON.stringify(access));
        if (accessRev !== team.accessRev) table.retryRefused(service);
        table.set(service, 'access_rev', accessRev);
        const still = filled.filter(isAsBefore);
        table.set(service, 'filled', JSON.stringify(still));
        const goesOn = fill?.grants.every(isAsBefore) ?? false;
        if (fill !== null && !goesOn) table.set(service, 'fill', null);
        const covered = new Set([...still, ...(goesOn ? (fill?.grants ?? []) : [])].map(([area]) => area));
        return access.map(({ area }) => area).filter((area) => !covered.has(area));
      });
      if (isMany) list.reload(serviceId);
      return wanted ?? [];
    },

    async beginFill(serviceId, areas, head) {
      within(serviceId, ({ service, access, fill }) => {
        // Of an unfinished one all is read again: the new areas' rows lie among its own.
        const all = new Set([...areas, ...(fill?.areas ?? [])]);
        const grants = access
          .filter(({ area }) => all.has(area))
          .map(({ area, since }) => [area, since] as const);
        const begun: StoredFill = { areas: [...all], head, after: null, grants };
        table.set(service, 'fill', JSON.stringify(begun));
      });
    },

    async fillPage(serviceId, rows, isLast) {
      let isMany = false;
      const fillIn = () =>
        writer.unflushed(() => {
          const team = table.get(serviceId);
          if (team?.fill == null) return;
          const { service, fill, cursor, filled } = team;
          const { areas, head, after, grants } = fill;
          merge(team, serviceId, rows, true);
          const last = rows.reduce<Key | null>((most, row) => (isAfter(row, most) ? row : most), after);
          isMany = dropOthers(team, areas, after, isLast ? null : last, rows);
          if (!isLast) {
            const next = last && { kind: last.kind, identifier: last.identifier };
            table.set(service, 'fill', JSON.stringify({ ...fill, after: next }));
            return;
          }
          const others = filled.filter(([area]) => !areas.includes(area));
          table.set(service, 'filled', JSON.stringify([...others, ...grants]));
          table.set(service, 'fill', null);
          // Of the other areas nothing was read: their changes since the cursor are still to come.
          if (cursor === null) table.setCursor(service, head);
        });
      const isTold = isLast || performance.now() - toldMs >= fillToldMs;
      if (isTold) toldMs = performance.now();
      if (isTold) fillIn();
      else list.quietly(fillIn);
      if (isMany) list.reload(serviceId);
      else if (isLast) list.announce(serviceId);
      // Pages before may go with a power cut: then the place where to go on goes with them.
      if (isLast) await writer.flush();
    },
  };
}

function isAfter(a: Key, b: Key | null): boolean {
  if (b === null) return true;
  const byKind = kindCode(a.kind) - kindCode(b.kind);
  return (byKind === 0 ? compareTexts(a.identifier, b.identifier) : byKind) > 0;
}
