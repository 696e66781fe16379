import { z } from 'zod';
import type { TeamMay } from '../../../shared/domain/team.ts';
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
/** made: the role, with that password; found: it was there, and has its own. */
export type InviteOutcome = 'made' | 'found' | 'notCurator' | 'noRole' | 'notAllowed';

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

export const mayNumbers: Readonly<Record<TeamMay, 1 | 2 | 3>> = { read: 1, contribute: 2, curate: 3 };

/** Of the role that is connected. */
export async function setVerifier(query: Line['query'], verifier: string): Promise<void> {
  await query(`alter role current_user password '${requireVerifier(verifier)}'`);
}

export async function readAreas(query: Line['query'], list: number): Promise<readonly VisibleArea[]> {
  const [[text] = []] = await query('select coffer.areas_1($1)', [list]);
  return areasSchema.parse(JSON.parse(text ?? '[]'));
}

/** All of it or nothing. */
export async function invite(query: Line['query'], list: number, invited: Invited): Promise<InviteOutcome> {
  const areas = await readAreas(query, list);
  const root = areas.find(({ prefix, classification }) => prefix === '' && classification === null);
  if (root?.may !== 3) return 'notCurator';
  const [[isThere, mayMake] = []] = await query(
    `select exists (select from pg_roles where rolname = $1 and pg_has_role(oid, 'coffer_member', 'member')),
      rolcreaterole or rolsuper
    from pg_roles where rolname = session_user`,
    [invited.role],
  );
  if (isThere !== 't' && mayMake !== 't') return 'noRole';
  await query('begin');
  try {
    if (isThere !== 't') await makeRole(query, invited);
    const [[person] = []] = await query('select coffer.set_person_1($1, $2, $3, false)', [
      list,
      invited.role,
      invited.shown,
    ]);
    await query('select coffer.set_access_1($1, $2, $3::smallint)', [root.id, person, invited.may]);
    await query('commit');
    return isThere === 't' ? 'found' : 'made';
  } catch (cause) {
    await query('rollback').catch(() => undefined);
    if (cause instanceof NotMade) return 'noRole';
    if (problemOf(cause).why === 'noAccess') return 'notAllowed';
    throw cause;
  }
}

class NotMade extends Error {}

async function makeRole(query: Line['query'], { role, verifier }: Invited): Promise<void> {
  const name = `"${role.replaceAll('"', '""')}"`;
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
