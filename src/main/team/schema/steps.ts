import { createHash } from 'node:crypto';
import { areas } from './areas.ts';
import { curate } from './curate.ts';
import { feed } from './feed.ts';
import { locks } from './locks.ts';
import { push } from './push.ts';
import { reading } from './reading.ts';
import { rights } from './rights.ts';
import { tables } from './tables.ts';
import { tend } from './tend.ts';

/**
 * The steps of the schema of a team's server, from version 1 on. Once released, a step is never edited. Functions carry
 * their version: an older Coffer continues to use those it knows.
 */
export const steps: readonly string[] = [
  [tables, rights, areas, feed, curate, tend, push].join('\n'),
  locks,
  reading,
];

/** PostgreSQL lets everybody execute a new function, and a default privilege of one schema cannot take that away. */
const revoke = 'revoke execute on all functions in schema coffer from public;';

/** Of the statements: comments may be improved. */
export const digestOf = (step: string) =>
  createHash('sha256')
    .update(step.replace(/^ *--.*\n/gm, ''))
    .digest('hex');

/** One step as a transaction, for a connection as the schema's owner or for psql. @param number from 1 */
export function transactionOf(step: string, number: number): string {
  return [
    'begin;',
    step.trim(),
    revoke,
    `insert into coffer.step (number, digest) values (${String(number)}, '${digestOf(step)}');`,
    'commit;',
    '',
  ].join('\n\n');
}

/** For psql. */
function unlessApplied(transaction: string, number: number): string {
  const isDue =
    number === 1
      ? "to_regclass('coffer.step') is null"
      : `not exists (select from coffer.step where number = ${String(number)})`;
  return `select ${isDue} as is_due \\gset\n\\if :is_due\n${transaction}\\endif\n`;
}

/** All steps, for an administrator who creates the schema with psql, or brings it up to date (`packaging/team/schema.sql`). */
export function schemaFile(): string {
  const head = [
    '-- The schema of a team’s list. Made by `npm run team-schema`: do not edit it.',
    '-- As the owner of an empty database, or of one with an earlier schema: psql --set ON_ERROR_STOP=1 --file schema.sql',
    '-- The owner must be allowed to make roles, or coffer_member must exist.',
  ].join('\n');
  return [head, ...steps.map((step, at) => unlessApplied(transactionOf(step, at + 1), at + 1))].join('\n\n');
}
