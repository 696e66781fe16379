import { answering, type Answer } from './answering.ts';
import type { Curation } from './answers.ts';
import {
  create,
  lookToCreate,
  type Created,
  type CreateLook,
  type CreateProblem,
  type Wanted,
} from './creating.ts';
import {
  makeArea,
  readCuration,
  removeArea,
  setAccess,
  setPerson,
  compare,
  setShares,
  type Curated,
  type LeftOpen,
  type NewArea,
  type PersonChange,
  type SharesChange,
} from './curating.ts';
import { invite, type Invited, type InviteOutcome } from './joining.ts';
import { longMs, type Line } from './line.ts';

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
  lookToCreate(): Promise<Answer<CreateLook>>;
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
    lookToCreate: answering(() => lookToCreate(query)),
    create: answering((wanted) => create(query, wanted)),
    certificates: answering(async () => certificates()),
  };
}
