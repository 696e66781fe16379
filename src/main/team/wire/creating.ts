import type { RolesReach, teamCreateProblems } from '../../../shared/domain/team-choices.ts';
import { applySteps, isPatched } from '../schema/migrate.ts';
import { digestOf, steps } from '../schema/steps.ts';
import { countSchema, listSchema, stepSchema } from './answers.ts';
import { longMs, type Line } from './line.ts';
import { problemOf } from './answering.ts';
import {
  makeRole,
  quoted,
  readRole,
  readyRole,
  rolesReachOf,
  type NamedRole,
  type RoleOutcome,
} from './roles.ts';
import { inTransaction, RoleRefused } from './transaction.ts';

/* Requests of a database's owner who makes a team's list in it. Nothing that exists is dropped. */

export type CreateProblem = (typeof teamCreateProblems)[number];

export interface CreateInspection {
  readonly version: string;
  readonly problem: CreateProblem | null;
  readonly mayMakeRoles: boolean;
  readonly rolesReach: RolesReach;
  readonly lists: readonly { readonly id: number; readonly name: string; readonly origin: string }[];
}

export interface Wanted extends NamedRole {
  /** The number of an existing one, or a new one. */
  readonly list:
    | number
    | {
        readonly name: string;
        readonly origin: string;
        readonly separator: string;
        readonly versionMark: string;
      };
  readonly shown: string;
  /** Whether a role that is made here may make others. own: not on a server where that reaches all roles. */
  readonly makesRoles: 'no' | RolesReach;
}
export interface Created {
  readonly list: number;
  /** Of the curator's role. */
  readonly role: RoleOutcome;
}

const namedListSchema = listSchema.pick({ id: true, name: true, origin: true });

/** Whether other relations, functions or types exist. Those of extensions do not count: some services have them in each database. */
const othersSql = `exists (
  select from (
    select 'pg_class'::regclass as kind, oid, relnamespace as schema from pg_class where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'pg_proc'::regclass, oid, pronamespace from pg_proc
    union all
    select 'pg_type'::regclass, oid, typnamespace from pg_type
      where typtype in ('d', 'e', 'r') or typtype = 'c' and (select relkind from pg_class where oid = typrelid) = 'c'
  ) other join pg_namespace n on n.oid = other.schema
  where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'coffer')
    and not exists (select from pg_depend d where d.classid = other.kind and d.objid = other.oid and d.deptype in ('e', 'i')))`;

/** @property applied number of the schema's steps in the database */
export async function inspectToCreate(
  query: Line['query'],
): Promise<CreateInspection & { readonly applied: number }> {
  const [[number, version, encoding, isOwner, mayMake, hasMembers, hasSchema, hasOthers] = []] = await query(
    `select current_setting('server_version_num'), current_setting('server_version'), getdatabaseencoding(),
      pg_has_role(d.datdba, 'usage') and coalesce((select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = 'coffer'), true),
      me.rolcreaterole or me.rolsuper, to_regrole('coffer_member') is not null, to_regnamespace('coffer') is not null, ${othersSql}
    from pg_database d, pg_roles me
    where d.datname = current_database() and me.rolname = session_user`,
  );
  const mayMakeRoles = mayMake === 't';
  const facts = {
    version: /^[\w.]{0,40}/.exec(version ?? '')?.[0] ?? '',
    mayMakeRoles,
    rolesReach: rolesReachOf(Number(number)),
    lists: [],
    applied: 0,
  };
  if (!isPatched(Number(number))) return { ...facts, problem: 'oldServer' };
  if (isOwner !== 't') return { ...facts, problem: 'notOwner' };
  if (encoding !== 'UTF8') return { ...facts, problem: 'encoding' };
  if (hasSchema !== 't') {
    if (hasOthers === 't') return { ...facts, problem: 'notEmpty' };
    return { ...facts, problem: hasMembers === 't' || mayMakeRoles ? null : 'noMemberRole' };
  }
  const applied = await appliedSteps(query);
  if (
    applied.length === 0 ||
    applied.some((digest, at) => at < steps.length && digest !== digestOf(steps[at] ?? ''))
  )
    return { ...facts, problem: 'otherSchema' };
  if (applied.length > steps.length) return { ...facts, problem: 'newerSchema' };
  const lists = await query('select id, name, origin from coffer.list order by name limit 1000', [], 1000);
  return {
    ...facts,
    problem: null,
    applied: applied.length,
    lists: lists.map(([id, name, origin]) => namedListSchema.parse({ id: Number(id), name, origin })),
  };
}

async function appliedSteps(query: Line['query']): Promise<string[]> {
  const [[columns] = []] = await query(
    "select count(*) from pg_attribute where attrelid = to_regclass('coffer.step') and attname in ('number', 'digest')",
  );
  if (columns !== '2') return [];
  const found = await query('select number, digest from coffer.step order by number', [], 1000);
  return stepSchema.parse(found).map(([, digest]) => digest);
}

/** Each step of the schema is atomic, and so are the list and its curator together. */
export async function create(
  query: Line['query'],
  { list, role, shown, verifier, makesRoles }: Wanted,
): Promise<Created | { readonly problem: CreateProblem | 'noList' }> {
  const { problem, applied, rolesReach } = await inspectToCreate(query);
  if (problem !== null) return { problem };
  await applySteps((sql) => query(sql, [], 1, longMs), applied);
  const { isThere, isSuperuser, isClosed, mayMake } = await readRole(query, role);
  if (isSuperuser) return { problem: 'superuser' };
  if (!isThere && !mayMake) return { problem: 'noRole' };
  const isListThere =
    typeof list !== 'number' || (await query('select from coffer.list where id = $1', [list])).length > 0;
  if (!isListThere) return { problem: 'noList' };
  try {
    return await inTransaction(query, async () => {
      if (!isThere) await makeRole(query, { role, verifier });
      if (!isThere && (makesRoles === 'all' || makesRoles === rolesReach)) {
        await query(`alter role ${quoted(role)} createrole`);
        await query(`grant coffer_member to ${quoted(role)} with admin option`);
      }
      const number = await giveList(query, list, role, shown, !isThere);
      return { list: number, role: await readyRole(query, { role, verifier }, { isThere, isClosed }) };
    });
  } catch (cause) {
    if (cause instanceof RoleRefused) return { problem: cause.problem };
    if (problemOf(cause).code === '23505') return { problem: 'nameTaken' };
    throw cause;
  }
}

async function giveList(
  query: Line['query'],
  list: Wanted['list'],
  role: string,
  shown: string,
  isMade: boolean,
): Promise<number> {
  if (typeof list === 'number') {
    await query('select coffer.name_curator_1($1, $2, $3, $4)', [list, role, shown, isMade]);
    return list;
  }
  const { name, origin, separator, versionMark } = list;
  const values = [name, origin, separator, versionMark, role, shown, isMade];
  const [[id] = []] = await query('select coffer.create_list_1($1, $2, $3, $4, $5, $6, $7)', values);
  return countSchema.parse(Number(id));
}
