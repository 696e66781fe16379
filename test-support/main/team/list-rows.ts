import type pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { OpenTeamCopy } from '../objects/team-copy.ts';

/** The rows of the list, as the owner of the database sees them. */
export async function rowsOfServer(owner: pg.Client) {
  const { rows } = await owner.query<{ identifier: string; rev: number; state: number; note: string }>(
    `select identifier, rev::int as rev, state, note, length_bytes::int as bytes
     from coffer.object where not is_forgotten order by identifier`,
  );
  return rows;
}

/** The same rows in a computer's copy. */
export const rowsOf = ({ db }: OpenTeamCopy) =>
  db
    .prepare(
      `SELECT identifier, team_rev AS rev, state, note, length_bytes AS bytes
       FROM object WHERE team_rev IS NOT NULL ORDER BY identifier`,
    )
    .all()
    .map((row) => ({ ...row }));

export const namesOf = (rows: readonly { identifier: string }[]) => rows.map(({ identifier }) => identifier);

/** Waits until the server has all local changes: `sync` also ends when the connection was just lost. */
export const untilTold = ({ team, serviceId }: OpenTeamCopy) =>
  eventually(async () => expect(await team.stateOf(serviceId)).toMatchObject({ due: 0, refused: 0 }));

/** Waits until these copies have told and read everything. */
export async function untilEqual(owner: pg.Client, ...lists: OpenTeamCopy[]): Promise<void> {
  await eventually(async () => {
    const expected = await rowsOfServer(owner);
    for (const list of lists) {
      expect(await list.team.stateOf(list.serviceId)).toMatchObject({ due: 0, refused: 0, fill: null });
      expect(rowsOf(list)).toEqual(expected);
    }
  });
}
