import pg from 'pg';
import { z } from 'zod';
import { isWholeList } from '../../../shared/domain/team-area.ts';
import type { TeamMay } from '../../../shared/domain/team-choices.ts';
import type { Line } from './line.ts';
import { failure } from '../team-problem.ts';
import { problemOf } from './problem-of.ts';

/* What a person's own program asks when they join or invite. */

/** A part of the list that this person may see. */
export interface VisibleArea {
  readonly id: number;
  readonly prefix: string;
  readonly classification: string | null;
  readonly may: 1 | 2 | 3;
}

export interface Invited {
  readonly role: string;
  readonly shown: string;
  readonly may: 1 | 2 | 3;
  /** Of the one-time password of a role that has to be made. */
  readonly verifier: string;
}
/**
 * made: the role, with that password; renewed: it was made before, and its password was replaced by that one, as nobody has joined by the
 * former invitation; found: it was there, and has its own.
 */
export type RoleOutcome = 'made' | 'renewed' | 'found';
export type InviteOutcome = RoleOutcome | 'notCurator' | 'superuser' | 'noRole' | 'closed' | 'notAllowed';

const verifierPattern = /^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$/;
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

export const mayWords: Readonly<Record<1 | 2 | 3, TeamMay>> = { 1: 'read', 2: 'contribute', 3: 'curate' };
export const mayNumbers: Readonly<Record<TeamMay, 1 | 2 | 3>> = { read: 1, contribute: 2, curate: 3 };

/** Of the role that is connected, which nobody else gives another one from then on. */
export async function setVerifier(query: Line['query'], verifier: string): Promise<void> {
  await query('begin');
  try {
    // First: who invites the person again waits for it, and finds that they have joined.
    await query('select coffer.own_password_1()');
    await query(`alter role current_user password '${requireVerifier(verifier)}'`);
    await query('commit');
  } catch (cause) {
    await query('rollback').catch(() => undefined);
    throw cause;
  }
}

/** The connected person came by a password that is not their invitation's: an invitation that was lost changes it no more. */
export async function keepOwnPassword(query: Line['query']): Promise<void> {
  // Only where it is to be written: a server that takes no changes now is joined all the same.
  await query(
    'select coffer.own_password_1() from coffer.person where role_name = session_user and is_made and not has_own_password',
  );
}

export async function readAreas(query: Line['query'], list: number): Promise<readonly VisibleArea[]> {
  const [[text] = []] = await query('select coffer.areas_1($1)', [list]);
  return areasSchema.parse(JSON.parse(text ?? '[]'));
}

/** All of it or nothing. */
export async function invite(query: Line['query'], list: number, invited: Invited): Promise<InviteOutcome> {
  const root = await rootOf(query, list);
  if (root?.may !== 3) return 'notCurator';
  const { isThere, isSuperuser, isClosed, mayMake } = await readRole(query, invited.role);
  if (isSuperuser) return 'superuser';
  if (!isThere && !mayMake) return 'noRole';
  await query('begin');
  try {
    if (!isThere) await makeRole(query, invited);
    const [[person] = []] = await query('select coffer.set_person_1($1, $2, $3, false, $4)', [
      list,
      invited.role,
      invited.shown,
      !isThere,
    ]);
    await query('select coffer.set_access_1($1, $2, $3::smallint)', [root.id, person, invited.may]);
    const outcome = await readyRole(query, invited, { isThere, isClosed });
    await query(outcome === 'closed' ? 'rollback' : 'commit');
    return outcome;
  } catch (cause) {
    await query('rollback').catch(() => undefined);
    if (cause instanceof NotMade) return 'noRole';
    if (problemOf(cause).why === 'noAccess') return 'notAllowed';
    throw cause;
  }
}

/** The area of the whole list, as this person sees it. */
export async function rootOf(query: Line['query'], list: number): Promise<VisibleArea | undefined> {
  const areas = await readAreas(query, list);
  return areas.find(isWholeList);
}

/**
 * Whether there is such a role that is a member, and whether the connected one may make roles. `isSuperuser`: the server takes it for a member
 * of coffer_member as of every role, and shows it all lists, whatever access it is given.
 */
export async function readRole(
  query: Line['query'],
  role: string,
): Promise<{ isThere: boolean; isSuperuser: boolean; isClosed: boolean; mayMake: boolean }> {
  const [[isThere, isSuperuser, canLogin, mayMake] = []] = await query(
    `select member.oid is not null, member.rolsuper, member.rolcanlogin, me.rolcreaterole or me.rolsuper
    from pg_roles me
    left join pg_roles member on member.rolname = $1 and pg_has_role(member.oid, 'coffer_member', 'member')
    where me.rolname = session_user`,
    [role],
  );
  return {
    isThere: isThere === 't',
    isSuperuser: isSuperuser === 't',
    isClosed: canLogin === 'f',
    mayMake: mayMake === 't',
  };
}

/**
 * Lets a role that was there log in, and gives it the password if nobody has joined by the one it has. In a transaction that has written the
 * person.
 * @returns closed: it may not log in, and that is for an administrator to change
 */
export async function readyRole(
  query: Line['query'],
  invited: Pick<Invited, 'role' | 'verifier'>,
  { isThere, isClosed }: { readonly isThere: boolean; readonly isClosed: boolean },
): Promise<RoleOutcome | 'closed'> {
  if (isClosed && !(await isOpened(query, invited.role))) return 'closed';
  return isThere ? renewPassword(query, invited) : 'made';
}

/**
 * Who was ended comes back. A login that was not closed by their end is an administrator's to open: it may be that of a group, as is that
 * of coffer_member.
 */
async function isOpened(query: Line['query'], role: string): Promise<boolean> {
  const [[isMade] = []] = await query('select is_made from coffer.person where role_name = $1', [role]);
  return isMade === 't' && isDone(query, `alter role ${quoted(role)} login`);
}

/**
 * Of a role that an invitation made and by which nobody has joined, as when the answer was lost, and the password with it. In a transaction
 * that has written the person, so that they cannot join meanwhile.
 */
async function renewPassword(
  query: Line['query'],
  { role, verifier }: Pick<Invited, 'role' | 'verifier'>,
): Promise<RoleOutcome> {
  const [[isUnused] = []] = await query(
    'select is_made and not has_own_password from coffer.person where role_name = $1',
    [role],
  );
  if (isUnused !== 't') return 'found';
  // From PostgreSQL 16 on only who made the role may.
  const sql = `alter role ${quoted(role)} password '${requireVerifier(verifier)}'`;
  return (await isDone(query, sql)) ? 'renewed' : 'found';
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** In a transaction, which goes on. @returns false: the server refuses it */
export async function isDone(
  query: Line['query'],
  sql: string,
  values: readonly unknown[] = [],
): Promise<boolean> {
  await query('savepoint try');
  try {
    await query(sql, values, 1000);
    return true;
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError)) throw cause;
    await query('rollback to savepoint try');
    return false;
  }
}

export class NotMade extends Error {}

/** @throws NotMade */
export async function makeRole(
  query: Line['query'],
  { role, verifier }: Pick<Invited, 'role' | 'verifier'>,
): Promise<void> {
  const name = quoted(role);
  try {
    await query(`create role ${name} login password '${requireVerifier(verifier)}' in role coffer_member`);
  } catch (cause) {
    const { why, code } = problemOf(cause);
    // There is one that is no member; or only an administrator may make members.
    if (why === 'noAccess' || code === '42710') throw new NotMade('the role was not made', { cause });
    throw cause;
  }
}

/** It stands in a statement as it is. */
function requireVerifier(verifier: string): string {
  if (!verifierPattern.test(verifier)) throw failure('fault');
  return verifier;
}
