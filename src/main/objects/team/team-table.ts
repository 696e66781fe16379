import type { Statements } from '../../database/statements.ts';
import type { TeamOf } from './merge-rows.ts';
import type { TeamAccess, TeamCursor, TeamFill } from './team-copy.ts';

export const maxChanges = 1000;
const anchorsKept = 200;

/** A fill, with the grants of its areas at its beginning. */
export interface StoredFill extends TeamFill {
  readonly grants: readonly (readonly [area: number, since: string])[];
}

/** The stored state of a service's team. */
export interface StoredTeam {
  readonly service: number;
  readonly place: string;
  readonly list: number;
  readonly me: number;
  readonly client: string;
  readonly seq: number;
  readonly clientTag: string | null;
  readonly pushMax: number;
  readonly cursor: TeamCursor | null;
  readonly fill: StoredFill | null;
  readonly access: readonly TeamAccess[];
  /** The areas that have been read completely, with the grants of that time. */
  readonly filled: readonly (readonly [area: number, since: string])[];
  readonly accessRev: number | null;
  readonly earlierAfter: number | null;
  /** null: the list shares no secrets. */
  readonly secretsSince: string | null;
  readonly readMs: number | null;
}

type TeamValues = [
  service: number,
  place: string,
  list: number,
  me: number,
  client: string,
  seq: number,
  clientTag: string | null,
  pushMax: number,
  epoch: string | null,
  rev: number,
  tag: string | null,
  fill: string | null,
  access: string,
  filled: string,
  accessRev: number | null,
  earlierAfter: number | null,
  secretsSince: string | null,
  readMs: number | null,
];

const columns =
  'service, place, list, me, client, seq, client_tag, push_max, epoch, rev, tag, fill, access, filled, access_rev, earlier_after, secrets_since, read_ms';

/** The tables of a team copy other than the objects. Starts no transactions. */
export class TeamTable {
  readonly #rows: Statements['rows'];

  constructor({ rows }: Statements) {
    this.#rows = rows;
  }

  get(serviceId: string): StoredTeam | null {
    const [found] = this.#rows<TeamValues>(
      `SELECT ${columns} FROM team WHERE service = (SELECT id FROM service WHERE service_id = ?)`,
      serviceId,
    );
    if (found === undefined) return null;
    const [service, place, list, me, client, seq, clientTag, pushMax, epoch, rev, tag] = found;
    const [fill, access, filled, accessRev, earlierAfter, secretsSince, readMs] = found.slice(11) as [
      string | null,
      string,
      string,
      number | null,
      number | null,
      string | null,
      number | null,
    ];
    return {
      service,
      place,
      list,
      me,
      client,
      seq,
      clientTag,
      pushMax,
      cursor: epoch === null ? null : { epoch, rev, tag },
      fill: fill === null ? null : (JSON.parse(fill) as StoredFill),
      access: JSON.parse(access) as TeamAccess[],
      filled: JSON.parse(filled) as [number, string][],
      accessRev,
      earlierAfter,
      secretsSince,
      readMs,
    };
  }

  /** null: the service has no team */
  ofService(service: number): TeamOf | null {
    const [found] = this.#rows<[string]>('SELECT service_id FROM service WHERE id = ?', service);
    const team = found === undefined ? null : this.get(found[0]);
    return found === undefined || team === null ? null : teamOf(team, found[0]);
  }

  insert(
    service: number,
    place: string,
    list: number,
    me: number,
    client: string,
    earlierAfter: number | null,
  ): void {
    this.#rows(
      'INSERT INTO team (service, place, list, me, client, push_max, earlier_after) VALUES (?, ?, ?, ?, ?, ?, ?)',
      service,
      place,
      list,
      me,
      client,
      maxChanges,
      earlierAfter,
    );
  }

  set(
    service: number,
    column:
      | 'place'
      | 'fill'
      | 'access'
      | 'filled'
      | 'access_rev'
      | 'push_max'
      | 'earlier_after'
      | 'me'
      | 'secrets_since'
      | 'read_ms',
    value: string | number | null,
  ): void {
    this.#rows(`UPDATE team SET ${column} = ? WHERE service = ?`, value, service);
  }

  /** Has the list filled again; rows that do not come are dropped. */
  readAnew(service: number): void {
    this.setCursor(service, null);
    this.set(service, 'fill', null);
    this.set(service, 'filled', '[]');
    // The fill brings it again.
    this.#rows('DELETE FROM team_held WHERE service = ?', service);
  }

  setClient(service: number, client: string, seq: number, tag: string | null): void {
    this.#rows(
      'UPDATE team SET client = ?, seq = ?, client_tag = ? WHERE service = ?',
      client,
      seq,
      tag,
      service,
    );
  }

  setCursor(service: number, cursor: TeamCursor | null): void {
    const { epoch = null, rev = 0, tag = null } = cursor ?? {};
    this.#rows('UPDATE team SET epoch = ?, rev = ?, tag = ? WHERE service = ?', epoch, rev, tag, service);
    if (cursor !== null && tag !== null) this.addAnchor(service, rev, tag);
  }

  anchors(service: number): { rev: number; tag: string }[] {
    return this.#rows<[number, string]>(
      'SELECT rev, tag FROM team_anchor WHERE service = ? ORDER BY rev DESC LIMIT ?',
      service,
      anchorsKept,
    ).map(([rev, tag]) => ({ rev, tag }));
  }

  addAnchor(service: number, rev: number, tag: string): void {
    this.#rows('INSERT OR REPLACE INTO team_anchor (service, rev, tag) VALUES (?, ?, ?)', service, rev, tag);
    this.#rows(
      `DELETE FROM team_anchor WHERE service = ?1 AND rev <
         (SELECT rev FROM team_anchor WHERE service = ?1 ORDER BY rev DESC LIMIT 1 OFFSET ?2)`,
      service,
      anchorsKept - 1,
    );
  }

  /** Anchors above this number no longer mean anything. */
  dropAnchors(service: number, aboveRev: number): void {
    this.#rows('DELETE FROM team_anchor WHERE service = ? AND rev > ?', service, aboveRev);
  }

  /** Retries refused changes: they may be allowed now. */
  retryRefused(service: number): void {
    this.#rows('UPDATE team_due SET refused = NULL WHERE service = ? AND refused IS NOT NULL', service);
  }

  count(sql: string, ...values: number[]): number {
    return this.#rows<[number]>(sql, ...values)[0]?.[0] ?? 0;
  }
}

export function teamOf({ service, me, access }: StoredTeam, serviceId: string): TeamOf {
  const curated = new Set(access.filter(({ may }) => may === 3).map(({ area }) => area));
  return { service, serviceId, me, curated };
}
