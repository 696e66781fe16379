import type { Statements } from '../../database/statements.ts';
import { AddedTally } from '../added-tally.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { compareTexts, kindCode, kinds } from '../rows.ts';
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
    const commonRev = table.anchors(team.service)[0]?.rev ?? 0;
    merging.merge(teamOf(team, serviceId), rows, tally, isFill ? { commonRev } : null, nowMs());
    tally.end();
  }

  /** The rows of these areas between two keys. @param to null: to the end */
  function between(service: number, areas: readonly number[], from: Key | null, to: Key | null) {
    return statements.rows<[id: number, kind: number, identifier: string]>(
      `SELECT id, kind, identifier FROM object WHERE service = ?1 AND team_area IN (SELECT value FROM json_each(?2))
         AND (kind, identifier) > (?3, ?4) AND (?5 IS NULL OR (kind, identifier) <= (?5, ?6))`,
      service,
      JSON.stringify(areas),
      from === null ? -1 : kindCode(from.kind),
      from?.identifier ?? '',
      to === null ? null : kindCode(to.kind),
      to?.identifier ?? '',
    );
  }

  /** What a server that was set back does not have any more, or has where this person may not see it. @returns whether they were many */
  function dropUnread({ service, me }: StoredTeam, areas: readonly number[]): boolean {
    const where = `service = ?2 AND (team_rev = 0 OR team_area IS NULL OR team_area NOT IN (SELECT value FROM json_each(?3)))
      AND team_rev IS NOT NULL AND (service, kind, identifier) NOT IN (SELECT service, kind, identifier FROM team_held)`;
    return drops.drop(me, 'own', where, service, JSON.stringify(areas)).isMany;
  }

  return {
    async apply(serviceId, { rows, moved, cursor }) {
      within(serviceId, (team) => {
        merge(team, serviceId, rows, false);
        merging.leave(teamOf(team, serviceId), moved);
        // Before a first fill has ended, the changes up to here are not all.
        if (team.cursor !== null || team.fill === null) table.setCursor(team.service, cursor);
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
          const last = rows.reduce<Key | null>((most, row) => (isAfter(row, most) ? row : most), after);
          const came = new Set(rows.map(keyOf));
          const gone = between(service, areas, after, isLast ? null : last).filter(
            ([, kind, identifier]) => !came.has(keyOf({ kind: kinds[kind] ?? 'data', identifier })),
          );
          merge(team, serviceId, rows, true);
          if (gone.length > 0) {
            const ids = JSON.stringify(gone.map(([id]) => id));
            isMany = drops.drop(team.me, 'own', 'id IN (SELECT value FROM json_each(?2))', ids).isMany;
          }
          if (!isLast) {
            const next = last && { kind: last.kind, identifier: last.identifier };
            table.set(service, 'fill', JSON.stringify({ ...fill, after: next }));
            return;
          }
          if (cursor === null) isMany = dropUnread(team, areas) || isMany;
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

function keyOf({ kind, identifier }: Key): string {
  return `${kind} ${identifier}`;
}

function isAfter(a: Key, b: Key | null): boolean {
  if (b === null) return true;
  const byKind = kindCode(a.kind) - kindCode(b.kind);
  return (byKind === 0 ? compareTexts(a.identifier, b.identifier) : byKind) > 0;
}
