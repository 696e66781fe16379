import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Statements } from '../../database/statements.ts';
import { AddedTally, BatchSize, type ListChanges } from '../announcements.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { compareTexts, kindCode, kindOf, kinds } from '../rows.ts';
import type { MergeRows } from './merge-rows.ts';
import type { TeamCopy, TeamRow } from './team-copy.ts';
import type { TeamClearing, TeamDrops } from './team-clearing.ts';
import { teamOf, type StoredFill, type StoredTeam, type TeamTable } from './team-table.ts';

/** Rows compared per step with those received. */
const comparedAtOnce = 2000;

type Key = NonNullable<StoredFill['after']>;

/** Takes in the team's list: the person's access, whole areas, and changes. */
export function createFills(deps: {
  statements: Statements;
  writer: ObjectWriter;
  table: TeamTable;
  merging: MergeRows;
  drops: TeamDrops;
  clearing: TeamClearing;
  list: ListChanges;
  nowMs: () => number;
  within: <T>(serviceId: string, work: (team: StoredTeam) => T) => T | null;
}): Pick<TeamCopy, 'apply' | 'setAccess' | 'beginFill' | 'fillPage'> {
  const { statements, writer, table, merging, drops, clearing, list, nowMs, within } = deps;
  const size = new BatchSize();

  function merge(team: StoredTeam, serviceId: string, rows: readonly TeamRow[], isFill: boolean): void {
    if (rows.length === 0) return;
    const tally = new AddedTally(statements, team.service);
    const commonRev = table.anchors(team.service)[0]?.rev ?? 0;
    merging.merge(teamOf(team, serviceId), rows, tally, isFill ? { commonRev } : null, nowMs());
    tally.end();
  }

  /** The first rows between two keys, in order, of all areas: those of one may lie far apart. @param to null: to the end */
  function between(service: number, from: Key | null, to: Key | null) {
    return statements
      .rows<[id: number, kind: number, identifier: string, area: number | null, isOnTeamsList: number]>(
        `SELECT id, kind, identifier, team_area, team_rev IS NOT NULL FROM object INDEXED BY sqlite_autoindex_object_1
         WHERE service = ? AND (kind, identifier) > (?, ?) AND (kind, identifier) <= (?, ?)
         ORDER BY kind, identifier LIMIT ?`,
        service,
        from === null ? -1 : kindCode(from.kind),
        from?.identifier ?? '',
        to === null ? kinds.length : kindCode(to.kind),
        to?.identifier ?? '',
        comparedAtOnce,
      )
      .map(([id, kind, identifier, area, isOnTeamsList]) => ({
        id,
        kind: kindOf(kind),
        identifier,
        area,
        isOnTeamsList: isOnTeamsList === 1,
      }));
  }

  /** Drops rows up to a key that the fill did not bring. After an interruption they need not be found again. @param to null: to the end */
  async function dropMissing(serviceId: string, rows: readonly TeamRow[], to: Key | null): Promise<void> {
    const came = new Set(rows.map(keyOf));
    for (let from: Key | null | undefined; ;) {
      const found = dropSome(serviceId, came, from, to);
      from = found.at(-1);
      if (found.length < comparedAtOnce || from === undefined) return;
      await nextTurn();
    }
  }

  /** @param from undefined: where the fill has got to */
  function dropSome(
    serviceId: string,
    came: ReadonlySet<string>,
    from: Key | null | undefined,
    to: Key | null,
  ) {
    const team = table.get(serviceId);
    if (team?.fill == null) return [];
    const { service, me, fill, cursor } = team;
    const found = between(service, from === undefined ? fill.after : from, to);
    // Reading everything again includes rows in areas closed to the person or in none: a server that was set back forgot them.
    const isRead = ({ area, isOnTeamsList }: (typeof found)[number]) =>
      cursor === null ? isOnTeamsList : area !== null && fill.areas.includes(area);
    const gone = found.filter((row) => isRead(row) && !came.has(keyOf(row))).map(({ id }) => id);
    if (gone.length === 0) return found;
    list.seldom(serviceId, () =>
      writer.unflushed(() => {
        drops.dropOthers(serviceId, me, gone);
        // Including changes held back while a transfer owned the row.
        statements.rows(
          `DELETE FROM team_held WHERE (service, kind, identifier) IN
             (SELECT service, kind, identifier FROM object WHERE id IN (SELECT value FROM json_each(?)))`,
          JSON.stringify(gone),
        );
      }),
    );
    return found;
  }

  /** @param to where the fill has got to then; null: it is done */
  function fillIn(serviceId: string, rows: readonly TeamRow[], to: Key | null): void {
    const team = table.get(serviceId);
    if (team?.fill == null) return;
    const { service, fill, cursor, filled } = team;
    merge(team, serviceId, rows, true);
    if (to !== null) {
      const after = isAfter(to, fill.after) ? { kind: to.kind, identifier: to.identifier } : fill.after;
      table.set(service, 'fill', JSON.stringify({ ...fill, after }));
      return;
    }
    const others = filled.filter(([area]) => !fill.areas.includes(area));
    table.set(service, 'filled', JSON.stringify([...others, ...fill.grants]));
    table.set(service, 'fill', null);
    // The other areas were not read: their changes since the cursor are still to come.
    if (cursor === null) table.setCursor(service, fill.head);
  }

  return {
    async apply(serviceId, { rows, leftArea, cursor }) {
      within(serviceId, (team) => {
        merge(team, serviceId, rows, false);
        merging.leave(teamOf(team, serviceId), leftArea);
        // Before a first fill has ended, the changes up to here are incomplete.
        if (team.cursor !== null || team.fill === null) table.setCursor(team.service, cursor);
      });
    },

    async setAccess(serviceId, access, accessRev) {
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
          clearing.note(service, me, 'own', lost);
          // Also drops changes in these areas that were held back while transfers owned the rows.
          const sql = `DELETE FROM team_held WHERE service = ? AND body ->> 'area' IN (SELECT value FROM json_each(?))`;
          statements.rows(sql, service, JSON.stringify(lost));
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
      clearing.begin(serviceId);
      return wanted ?? [];
    },

    async beginFill(serviceId, areas, head) {
      within(serviceId, ({ service, access, fill }) => {
        // An unfinished fill starts over: rows of the new areas lie among its own.
        const all = new Set([...areas, ...(fill?.areas ?? [])]);
        const grants = access
          .filter(({ area }) => all.has(area))
          .map(({ area, since }) => [area, since] as const);
        const begun: StoredFill = { areas: [...all], head, after: null, grants };
        table.set(service, 'fill', JSON.stringify(begun));
      });
    },

    async fillPage(serviceId, rows, isLast) {
      for (let from = 0; ;) {
        const some = rows.slice(from, from + size.rows);
        from += some.length;
        const isEnd = isLast && from >= rows.length;
        const last = some.reduce<Key | null>((most, row) => (isAfter(row, most) ? row : most), null);
        const to = isEnd ? null : last;
        if (to === null && !isEnd) return;
        await dropMissing(serviceId, some, to);
        size.measure(some.length, () =>
          list.seldom(serviceId, () => writer.unflushed(() => fillIn(serviceId, some, to))),
        );
        if (from >= rows.length) break;
        await nextTurn();
      }
      if (!isLast) return;
      list.announce(serviceId);
      // A power cut may lose earlier pages, but then also the position after them.
      await writer.flush();
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
