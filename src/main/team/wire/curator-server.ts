import type { TeamShares } from '../../../shared/domain/team.ts';
import type { teamCurateProblems } from '../../../shared/domain/team-choices.ts';
import { countSchema, type Curation, curationSchema } from './answers.ts';
import { invite, type Invited, type InviteOutcome, rootOf } from './joining.ts';
import { type Line, longMs } from './line.ts';
import { type Answer, answering, problemOf } from './answering.ts';
import { quoted, readPerson } from './roles.ts';
import { inTransaction, isDone } from './transaction.ts';
import {
  create,
  type Created,
  type CreateInspection,
  type CreateProblem,
  inspectToCreate,
  type Wanted,
} from './creating.ts';

/* Requests of curators of the whole list. The server checks that they are. */

type CurateProblem = (typeof teamCurateProblems)[number] | 'noArea' | 'noPerson';
export type Curated<T> = { readonly done: T } | { readonly problem: CurateProblem };

interface NewArea {
  readonly prefix: string;
  readonly classification: string | null;
  readonly access: readonly (readonly [person: number, may: 1 | 2 | 3])[];
}
/** null: unchanged. */
interface PersonChange {
  readonly shown: string | null;
  readonly isEnded: boolean | null;
}
/** Omitted: unchanged. */
type SharesChange = { readonly [Key in keyof TeamShares]?: boolean | undefined };
/** What only an administrator of the server can do: close or reopen the login; end connections. */
type LeftOpen = 'login' | 'connections';

/** By SQLSTATE. */
const problems: Readonly<Record<string, CurateProblem>> = {
  '42501': 'notCurator',
  '23000': 'lastCurator',
  '23001': 'wholeList',
  '23503': 'noPerson',
  '23505': 'areaThere',
  '54000': 'tooManyAreas',
  P0002: 'noArea',
};

async function curated<T>(work: () => Promise<T>): Promise<Curated<T>> {
  try {
    return { done: await work() };
  } catch (cause) {
    const problem = problems[problemOf(cause).code];
    if (problem === undefined) throw cause;
    return { problem };
  }
}

const readCuration = (query: Line['query'], list: number): Promise<Curated<Curation>> =>
  curated(async () => {
    const [[text] = []] = await query('select coffer.curation_1($1)', [list]);
    return curationSchema.parse(JSON.parse(text ?? ''));
  });

const makeArea = (
  query: Line['query'],
  list: number,
  { prefix, classification, access }: NewArea,
): Promise<Curated<number>> =>
  curated(async () => {
    const values = [list, prefix, classification, JSON.stringify(access)];
    const [[id] = []] = await query('select coffer.set_area_1($1, $2, $3, $4)', values);
    return countSchema.parse(Number(id));
  });

const removeArea = (query: Line['query'], area: number): Promise<Curated<null>> =>
  curated(async () => {
    await query('select coffer.remove_area_1($1)', [area]);
    return null;
  });

const setAccess = (
  query: Line['query'],
  area: number,
  person: number,
  may: 0 | 1 | 2 | 3,
): Promise<Curated<null>> =>
  curated(async () => {
    await query('select coffer.set_access_1($1, $2, $3::smallint)', [area, person, may]);
    return null;
  });

const setShares = (
  query: Line['query'],
  list: number,
  { secrets, notes, fileNames }: SharesChange,
): Promise<Curated<null>> =>
  curated(async () => {
    const values = [list, secrets ?? null, notes ?? null, fileNames ?? null];
    await query('select coffer.set_list_1($1, $2, $3, $4)', values, 1, longMs);
    return null;
  });

/** Has all clients read the list again, and repeat what they have told. */
const compare = (query: Line['query'], list: number): Promise<Curated<null>> =>
  curated(async () => {
    await query('select coffer.new_epoch_1($1)', [list], 1, longMs);
    return null;
  });

async function setPerson(
  query: Line['query'],
  list: number,
  person: number,
  { shown, isEnded }: PersonChange,
): Promise<Curated<readonly LeftOpen[]>> {
  const known = await readPerson(query, '$1, null', person);
  if (known === null) return { problem: 'noPerson' };
  const { role, isMade } = known;
  const changed = await curated(async () => {
    await query('select coffer.set_person_1($1, $2, $3, $4)', [list, role, shown, isEnded]);
    return isEnded === null ? [] : setLogin(query, role, isMade, !isEnded);
  });
  // The person may belong to several lists, of which this curator curates this one.
  const isRefused = 'problem' in changed && changed.problem === 'notCurator';
  return isRefused && (await rootOf(query, list))?.may === 3 ? { problem: 'otherLists' } : changed;
}

/** Whether another database of this server has a team: roles belong to the whole server. */
const isOtherTeamThere = `exists (
  select from pg_database d, aclexplode(d.datacl) a
  where a.grantee = 'coffer_member'::regrole and a.privilege_type = 'CONNECT' and d.datname <> current_database())`;

/**
 * Does what the server lets the curator do. The login of a role that no invitation made may serve something else as well,
 * so it is left alone; where another team has a database, none is closed. Only connections to this database end.
 */
async function setLogin(
  query: Line['query'],
  role: string,
  isMade: boolean,
  mayLogIn: boolean,
): Promise<LeftOpen[]> {
  const left: LeftOpen[] = [];
  const name = quoted(role);
  await inTransaction(query, async () => {
    const [[canLogIn, isShared] = []] = await query(
      `select rolcanlogin, ${isOtherTeamThere} from pg_roles where rolname = $1`,
      [role],
    );
    const isWanted = canLogIn !== undefined && (canLogIn === 't') !== mayLogIn;
    const isOurs = isMade && (mayLogIn || isShared !== 't');
    if (isWanted && !(isOurs && (await isDone(query, `alter role ${name} ${mayLogIn ? '' : 'no'}login`))))
      left.push('login');
  });
  if (mayLogIn) return left;
  await query('begin');
  // Only members of a role may end its sessions. A curator who made it may become one, for this transaction.
  await isDone(query, `grant ${name} to current_user`);
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity
    where usename = $1 and datname = current_database() and pid <> pg_backend_pid()`;
  if (!(await isDone(query, sql, [role]))) left.push('connections');
  await query('rollback');
  return left;
}

/** Requests of curators, and of the database's owner, to a team's server. */
export interface CuratorServer {
  invite(list: number, invited: Invited): Promise<Answer<InviteOutcome>>;
  /** Does a part of the maintenance. @returns false: nothing was left to do */
  tend(list: number): Promise<Answer<boolean>>;
  curation(list: number): Promise<Answer<Curated<Curation>>>;
  makeArea(list: number, area: NewArea): Promise<Answer<Curated<number>>>;
  removeArea(area: number): Promise<Answer<Curated<null>>>;
  /** @param may 0 takes access away */
  setAccess(area: number, person: number, may: 0 | 1 | 2 | 3): Promise<Answer<Curated<null>>>;
  /** @returns what the server does not let this curator do */
  setPerson(
    list: number,
    person: number,
    change: PersonChange,
  ): Promise<Answer<Curated<readonly LeftOpen[]>>>;
  setShares(list: number, shares: SharesChange): Promise<Answer<Curated<null>>>;
  compare(list: number): Promise<Answer<Curated<null>>>;
  /** What exists, and whether a team's list can be made. Call after `openToCreate`. */
  inspectToCreate(): Promise<Answer<CreateInspection>>;
  /** @returns what was made, or why nothing was */
  create(wanted: Wanted): Promise<Answer<Created | { readonly problem: CreateProblem | 'noList' }>>;
  /** SHA-256 of the certificates in the server's chain. */
  certificates(): Promise<Answer<readonly string[]>>;
}

export function createCuratorServer(
  query: Line['query'],
  certificates: () => readonly string[],
): CuratorServer {
  return {
    invite: answering((list, invited) => invite(query, list, invited)),
    tend: answering(async (list) => {
      const [[isDone] = []] = await query('select coffer.tend_1($1)', [list], 1, longMs);
      return isDone === 't';
    }),
    curation: answering((list) => readCuration(query, list)),
    makeArea: answering((list, area) => makeArea(query, list, area)),
    removeArea: answering((area) => removeArea(query, area)),
    setAccess: answering((area, person, may) => setAccess(query, area, person, may)),
    setPerson: answering((list, person, change) => setPerson(query, list, person, change)),
    compare: answering((list) => compare(query, list)),
    setShares: answering((list, shares) => setShares(query, list, shares)),
    inspectToCreate: answering(() => inspectToCreate(query)),
    create: answering((wanted) => create(query, wanted)),
    certificates: answering(async () => certificates()),
  };
}
