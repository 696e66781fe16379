import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { KeptApart, TeamPerson } from '../../../shared/domain/team.ts';

/** An object of the team's list, as the server has it and after its fields were checked. Moments are of the service's clock. */
export interface TeamRow {
  readonly kind: ObjectKind;
  readonly identifier: string;
  /** The number of its last change. */
  readonly rev: number;
  readonly area: number;
  readonly state: 'stored' | 'unknown' | 'missing' | 'gone';
  readonly seenMs: number;
  /** A person's number, as in `people`. */
  readonly seenBy: number;
  /** Drawn by whoever stored these bytes, before POST; null: found by a member, not stored. */
  readonly incarnation: string | null;
  readonly lengthBytes: number | null;
  readonly sha256: string | null;
  readonly classification: string | null;
  readonly sourceName: string | null;
  readonly storedAtMs: number | null;
  readonly storedBy: number | null;
  /** As `InParts`; checked. */
  readonly parts: {
    readonly count: number;
    readonly manifestBytes: number;
    readonly manifestSha256: string;
  } | null;
  readonly note: string;
  readonly renewBy: string | null;
  readonly isForgotten: boolean;
}

/** An object has left an area that this person reads. */
export interface TeamMoved {
  readonly kind: ObjectKind;
  readonly identifier: string;
  readonly rev: number;
  readonly area: number;
}

/** What this person may do in an area: 1 reads, 2 contributes, 3 curates. Another `since`: access was taken and given back. */
export interface TeamAccess {
  readonly area: number;
  readonly may: 1 | 2 | 3;
  readonly since: string;
}

/** How far the list has been read. The tag proves that the number still means the same. */
export interface TeamCursor {
  readonly epoch: string;
  readonly rev: number;
  readonly tag: string | null;
}

/** Which server, database, role and list; never a password. `place` is kept as it is given, and not understood here. */
export interface TeamJoining {
  readonly place: string;
  readonly list: number;
  /** The person's own number on the server. */
  readonly me: number;
  /** Whether objects that were stored before are shared as well. */
  readonly sharesEarlier: boolean;
}

export interface TeamState {
  readonly place: string;
  readonly list: number;
  readonly me: number;
  readonly client: string;
  /** null: nothing was read yet, or the server has forgotten: the list must be filled. */
  readonly cursor: TeamCursor | null;
  /** A first fill that is not done: where to go on, by the area being filled and the last identifier read. */
  readonly fill: TeamFill | null;
  readonly access: readonly TeamAccess[];
  readonly accessRev: number | null;
  /** When the list was read to its end, by this computer's clock; null: it was not yet. See `noteRead`. */
  readonly readMs: number | null;
  readonly due: number;
  readonly refused: number;
  readonly keptApart: number;
}

/** Areas being read in full; rows come in the order of (kind, identifier), in bytes. */
export interface TeamFill {
  readonly areas: readonly number[];
  /** The head of the feed when the fill began: the cursor becomes this one at its end. */
  readonly head: TeamCursor;
  readonly after: { readonly kind: ObjectKind; readonly identifier: string } | null;
}

/** The same `seq` and `tag` always come with the same `changes`: the server answers a repetition from what it kept. */
export interface TeamPush {
  readonly client: string;
  readonly seq: number;
  readonly before: string | null;
  readonly tag: string;
  /** JSON as push_1 takes it. At most 1,000 changes and 4 MB. */
  readonly changes: string;
}

/** Numbers count the changes of the push from 1, as push_1 answers. */
export interface TeamPushAnswer {
  readonly rev: number;
  /** Of this number. Without it: not known. */
  readonly tag?: string;
  readonly refused: readonly (readonly [number, string])[];
  readonly kept: readonly (readonly [number, string])[];
  readonly older: readonly number[];
  /** Whether the server has taken notes: the list's curator may share none. Without it: not known. */
  readonly sharesNotes?: boolean;
  /** Of the list when it took the push. Without it: not known. */
  readonly epoch?: string;
}

/**
 * This computer's copy of a team's list: the part that lies in the database. Each function is one transaction (a long one several), durable when it
 * resolves, and does what is true then; a repetition changes nothing. All but `join`, `clear` and `stateOf` do nothing for
 * a service without a team.
 */
export interface TeamCopy {
  stateOf(serviceId: string): Promise<TeamState | null>;
  /** Of the list that it has, by the same person: takes the place. @throws if it has another, which is left first */
  join(serviceId: string, joining: TeamJoining): Promise<void>;
  /**
   * `own`: what this person stored or saw here stays; `all`: everything stays as a private list; `none`: the team's rows go. Of a long list
   * they go on going afterwards, also in the next run; whatever this person stores, sees, adds or changes meanwhile stays.
   */
  leave(serviceId: string, keep: 'own' | 'all' | 'none'): Promise<void>;
  /**
   * A little of what is still to go after `leave` or `setAccess`; also for a service without a team.
   * @returns whether more is left: nothing of the team's may be written before
   */
  clear(serviceId: string): Promise<boolean>;

  /**
   * The push that may have left already, or a new one of what is due; null: nothing is due. It is written down before this resolves.
   * @param presentMs by the server's clock: moments that are told and lie after it are set back to it, also in the list
   */
  nextPush(serviceId: string, presentMs: number): Promise<TeamPush | null>;
  acknowledge(serviceId: string, seq: number, answer: TeamPushAnswer): Promise<void>;
  /** The server refused the whole push and wrote nothing: half of it is tried next; a single change is set aside with this reason. */
  halvePush(serviceId: string, seq: number, reason: string): Promise<void>;
  /** Another copy of this data folder has pushed: goes on under a new number. What is due stays due. */
  renewClient(serviceId: string): Promise<void>;

  /** Rows and departures with numbers up to the cursor's, in their order, and the cursor. */
  apply(serviceId: string, page: TeamPage): Promise<void>;
  /**
   * What the server says this person may see. Rows of areas that were taken away (and of those with another `since`, which are
   * filled anew) go as after `leave`, but not what this person stored or saw.
   * @returns the areas that must be filled
   */
  setAccess(serviceId: string, access: readonly TeamAccess[], accessRev: number): Promise<readonly number[]>;
  /**
   * Until the list shares secrets they are held back. When they are taken back, and where they were between two looks, the list must be filled
   * anew, so that they go here as well, and own ones are told again when they may be.
   * @param since null: it shares none
   */
  setSecretsSince(serviceId: string, since: string | null): Promise<void>;
  beginFill(serviceId: string, areas: readonly number[], head: TeamCursor): Promise<void>;
  /** @param isLast the fill is done: rows of these areas that did not come go, but not what this person stored or saw */
  fillPage(serviceId: string, rows: readonly TeamRow[], isLast: boolean): Promise<void>;
  /** The list was read to its end. */
  noteRead(serviceId: string, atMs: number): Promise<void>;
  setPeople(serviceId: string, people: readonly TeamPerson[]): Promise<void>;
  /** By number. */
  people(serviceId: string): Promise<readonly TeamPerson[]>;
  /** How many objects `sharesEarlier` would share; also without a team. */
  earlierCount(serviceId: string): Promise<number>;
  /** The newest first. */
  keptApart(serviceId: string): Promise<readonly KeptApart[]>;
  forgetApart(serviceId: string, id: number): Promise<void>;

  /** Numbers and tags that were known to be on the server, newest first, at most 200. */
  anchors(serviceId: string): Promise<readonly { readonly rev: number; readonly tag: string }[]>;
  /** The server was set back to this number: what was pushed after it becomes due again, and the list must be filled anew. */
  serverForgot(serviceId: string, commonRev: number): Promise<void>;
}

export interface TeamPage {
  readonly rows: readonly TeamRow[];
  readonly moved: readonly TeamMoved[];
  readonly cursor: TeamCursor;
}
