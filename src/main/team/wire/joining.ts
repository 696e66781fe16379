import { z } from 'zod';
import { isWholeList } from '../../../shared/domain/team.ts';
import type { Line } from './line.ts';
import { problemOf } from './answering.ts';
import {
  makeRole,
  readPerson,
  readRole,
  readyRole,
  requireVerifier,
  type NamedRole,
  type RoleOutcome,
} from './roles.ts';
import { inTransaction, RoleRefused } from './transaction.ts';

/* Requests of a person who joins or invites. */

/** A part of the list that this person may see. */
export interface VisibleArea {
  readonly id: number;
  readonly prefix: string;
  readonly classification: string | null;
  readonly may: 1 | 2 | 3;
}

export interface Invited extends NamedRole {
  readonly shown: string;
  readonly may: 1 | 2 | 3;
}
export type InviteOutcome = RoleOutcome | 'notCurator' | 'superuser' | 'noRole' | 'closed' | 'notAllowed';

const areasSchema = z
  .array(
    z.object({
      id: z.number().int(),
      prefix: z.string().max(2000),
      classification: z.string().max(2000).nullable(),
      may: z.literal([1, 2, 3]),
    }),
  )
  .max(1000);

/** Sets the password of the connected role, which no invitation replaces from then on. */
export async function setVerifier(query: Line['query'], verifier: string): Promise<void> {
  await inTransaction(query, async () => {
    // First: a curator who invites the person again must wait for it, and finds that they have joined.
    await query('select coffer.own_password_1()');
    await query(`alter role current_user password '${requireVerifier(verifier)}'`);
  });
}

/** Records that the connected person uses another password than their invitation's: a new invitation must not replace it. */
export async function keepOwnPassword(query: Line['query']): Promise<void> {
  // Calls it only if there is something to write: a server that takes no changes now can be joined all the same.
  const person = await readPerson(query, 'null, session_user');
  if (person?.isMade === true && !person.hasOwnPassword) await query('select coffer.own_password_1()');
}

export async function readAreas(query: Line['query'], list: number): Promise<readonly VisibleArea[]> {
  const [[text] = []] = await query('select coffer.areas_1($1)', [list]);
  return areasSchema.parse(JSON.parse(text ?? '[]'));
}

/** All or nothing. */
export async function invite(query: Line['query'], list: number, invited: Invited): Promise<InviteOutcome> {
  const root = await rootOf(query, list);
  if (root?.may !== 3) return 'notCurator';
  const { isThere, isSuperuser, isClosed, mayMake } = await readRole(query, invited.role);
  if (isSuperuser) return 'superuser';
  if (!isThere && !mayMake) return 'noRole';
  try {
    return await inTransaction(query, async () => {
      if (!isThere) await makeRole(query, invited);
      const values = [list, invited.role, invited.shown, !isThere];
      const [[person] = []] = await query('select coffer.set_person_1($1, $2, $3, false, $4)', values);
      await query('select coffer.set_access_1($1, $2, $3::smallint)', [root.id, person, invited.may]);
      return readyRole(query, invited, { isThere, isClosed });
    });
  } catch (cause) {
    if (cause instanceof RoleRefused) return cause.problem;
    if (problemOf(cause).why === 'noAccess') return 'notAllowed';
    throw cause;
  }
}

/** The area of the whole list, as this person sees it; undefined: they do not. */
export async function rootOf(query: Line['query'], list: number): Promise<VisibleArea | undefined> {
  const areas = await readAreas(query, list);
  return areas.find(isWholeList);
}
