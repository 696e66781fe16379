import type { TeamWhy } from '../../shared/domain/team-why.ts';

/** Not shown to the person: a single change, or this computer's client number, is at fault. */
type HiddenWhy = 'badChange' | 'otherCopy';
export type ProblemWhy = TeamWhy | HiddenWhy;

/**
 * Problems with a team's server, and their effects:
 * away: retried at growing intervals;
 * refused: not retried, as each attempt may bring an account nearer to being locked;
 * waits: reading goes on, and changes are retried later;
 * badChange: the push is retried in halves; otherCopy: the computer continues as a new client.
 */
const effects = {
  unreachable: 'away',
  localNetwork: 'away',
  closed: 'away',
  silent: 'away',
  /** It has no free connections. */
  busy: 'away',
  /** Its certificate is not trusted, or is for another server. */
  certificate: 'away',
  clientCertificate: 'away',
  /** It offers no TLS, or none that we accept. */
  encryption: 'away',
  /** Its answers are not those of a PostgreSQL, or too large. */
  broken: 'away',
  /** Steps of its schema are missing, which the owner of the database applies. */
  oldSchema: 'away',
  /** The database or the team's schema is missing, or the role lacks every member's rights, as while a backup is restored. */
  noTeam: 'away',
  noAccess: 'away',
  login: 'refused',
  /** It asks for the password itself, or does not prove that it knows it. */
  unsafeLogin: 'refused',
  /** The role is no longer a member of the team. */
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

/** Crosses from the thread. Never contains a text from the server: it may hold anything. */
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

  /** The reason shown to the person. */
  get shownWhy(): TeamWhy {
    const { why } = this.problem;
    return why === 'badChange' || why === 'otherCopy' ? 'fault' : why;
  }
}

export const failure = (why: ProblemWhy) => new TeamFailure({ why, code: '' });
