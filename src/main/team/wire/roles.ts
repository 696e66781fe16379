import { z } from 'zod';
import type { RolesReach } from '../../../shared/domain/team-choices.ts';
import { longMs, type Line } from './line.ts';
import { failure } from '../team-problem.ts';
import { problemOf } from './answering.ts';
import { isDone, RoleRefused } from './transaction.ts';

/* The server's roles, with which people of a team log in. */

const verifierPattern = /^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$/;

/** @param version of the server as a number: 180004 is 18.4 */
export const rolesReachOf = (version: number): RolesReach => (version >= 160_000 ? 'own' : 'all');

export interface NamedRole {
  readonly role: string;
  /** Of the one-time password, for a role that has to be made. */
  readonly verifier: string;
}
/**
 * made: the role, with that password; renewed: it was made by an earlier invitation that nobody has used, and was given
 * that password; found: it existed, and has its own.
 */
export type RoleOutcome = 'made' | 'renewed' | 'found';

const personSchema = z.object({
  role: z.string().max(63),
  isMade: z.boolean(),
  hasOwnPassword: z.boolean(),
});

/** null: nobody, or not for the connected role to know. @param which number and role, as SQL, of which one is null */
export async function readPerson(
  query: Line['query'],
  which: string,
  ...values: unknown[]
): Promise<z.infer<typeof personSchema> | null> {
  const [[text] = []] = await query(`select coffer.person_1(${which})`, values);
  return text == null ? null : personSchema.parse(JSON.parse(text));
}

/**
 * Whether such a role exists and is a member, and whether the connected one may make roles. `isSuperuser`: the server
 * treats it as a member of every role, and shows it all lists, whatever access it is given.
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
 * Lets an existing role log in, and gives it the password if nobody has joined with its current one. Call in a
 * transaction that has written the person.
 * @throws RoleRefused closed: it may not log in, and only an administrator may change that
 */
export async function readyRole(
  query: Line['query'],
  invited: NamedRole,
  { isThere, isClosed }: { readonly isThere: boolean; readonly isClosed: boolean },
): Promise<RoleOutcome> {
  if (isClosed && !(await isOpened(query, invited.role))) throw new RoleRefused('closed');
  return isThere ? renewPassword(query, invited) : 'made';
}

/**
 * Lets a person who was ended log in again. A login that was not closed by that is an administrator's to open: the role
 * may be a group, like coffer_member.
 */
async function isOpened(query: Line['query'], role: string): Promise<boolean> {
  const person = await readPerson(query, 'null, $1', role);
  return person?.isMade === true && isDone(query, `alter role ${quoted(role)} login`);
}

/**
 * Replaces the password of a role that an invitation made and nobody has joined with, for instance because the answer was
 * lost, and the password with it. Call in a transaction that has written the person, so that they cannot join meanwhile.
 */
async function renewPassword(query: Line['query'], { role, verifier }: NamedRole): Promise<RoleOutcome> {
  const person = await readPerson(query, 'null, $1', role);
  if (person?.isMade !== true || person.hasOwnPassword) return 'found';
  // From PostgreSQL 16 on, only the role that made it may.
  const sql = `alter role ${quoted(role)} password '${requireVerifier(verifier)}'`;
  return (await isDone(query, sql)) ? 'renewed' : 'found';
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Of the roles that are made here, so that a program of theirs that was forgotten holds nothing for ever. They can be
 * changed within a session, so they keep nobody from holding something on purpose.
 */
const timeouts = {
  statement_timeout: `${String(longMs)}ms`,
  // Coffer never pauses within a transaction.
  idle_in_transaction_session_timeout: '1min',
  lock_timeout: '10s',
};

/** @throws RoleRefused noRole */
export async function makeRole(query: Line['query'], { role, verifier }: NamedRole): Promise<void> {
  const name = quoted(role);
  try {
    await query(`create role ${name} login password '${requireVerifier(verifier)}' in role coffer_member`);
    for (const [setting, value] of Object.entries(timeouts))
      await query(`alter role ${name} set ${setting} = '${value}'`);
  } catch (cause) {
    const { why, code } = problemOf(cause);
    // A role of this name exists and is no member, or only an administrator may make members.
    if (why === 'noAccess' || code === '42710') throw new RoleRefused('noRole', { cause });
    throw cause;
  }
}

/** Checked because it is inserted into statements as it is. */
export function requireVerifier(verifier: string): string {
  if (!verifierPattern.test(verifier)) throw failure('fault');
  return verifier;
}
