import type { TeamWhy } from '../../shared/domain/team-why.ts';

/** Of these a person is told nothing: a single change or this computer's number is at fault. */
type HiddenWhy = 'badChange' | 'otherCopy';
export type ProblemWhy = TeamWhy | HiddenWhy;

/**
 * What is wrong with a team's server, and what follows:
 * away: it is tried again, later and later;
 * refused: nothing is tried any more, as each try may bring an account nearer to being locked;
 * waits: reading goes on, and changes are tried again later;
 * badChange: of a push, which is tried again in halves; otherCopy: the computer goes on as a new client.
 */
const effects = {
  unreachable: 'away',
  closed: 'away',
  silent: 'away',
  /** It has as many connections as it takes. */
  busy: 'away',
  /** Its certificate is not trusted, or is another's. */
  certificate: 'away',
  clientCertificate: 'away',
  /** It offers no TLS, or none that we accept. */
  encryption: 'away',
  /** Its answers are none that a PostgreSQL gives, or too large. */
  broken: 'away',
  /** There is no such database, or no schema of a team in it; the role may not do what every member may: so it is while a backup is put back. */
  noTeam: 'away',
  noAccess: 'away',
  login: 'refused',
  /** It asks for the password itself, or does not prove that it knows it. */
  unsafeLogin: 'refused',
  /** The role is no member of the team any more. */
  ended: 'refused',
  /** An old PostgreSQL, which shows what policies hide. */
  oldServer: 'refused',
  otherSchema: 'refused',
  full: 'waits',
  locked: 'waits',
  readOnly: 'waits',
  /** Its functions are those of a newer Coffer. */
  newer: 'waits',
  fault: 'waits',
  badChange: 'badChange',
  otherCopy: 'otherCopy',
} as const satisfies Record<ProblemWhy, string>;

export type TeamEffect = (typeof effects)[ProblemWhy];

/** Crosses from the thread. Never a text of the server's: it may hold anything. */
export interface TeamProblem {
  readonly why: ProblemWhy;
  /** An SQLSTATE, or the code of a system error; '': none. */
  readonly code: string;
}

export class TeamFailure extends Error {
  readonly problem: TeamProblem;

  constructor(problem: TeamProblem) {
    super(`The team's server: ${problem.why} ${problem.code}`.trimEnd());
    this.problem = problem;
  }

  get effect(): TeamEffect {
    return effects[this.problem.why];
  }

  /** What a person is told. */
  get shownWhy(): TeamWhy {
    const { why } = this.problem;
    return why === 'badChange' || why === 'otherCopy' ? 'fault' : why;
  }
}

export const failure = (why: ProblemWhy) => new TeamFailure({ why, code: '' });
