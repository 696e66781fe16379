import type { ObjectKind, ObjectRecord } from '../../../shared/domain/object.ts';
import type { NoteConflict, TeamPerson } from '../../../shared/domain/team.ts';

/** An object of the team's list as the server has it, with checked fields. Moments are by the service's clock. */
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
  /** Drawn before POST by whoever stored these bytes; null: found by a member, not stored. */
  readonly incarnation: string | null;
  readonly lengthBytes: number | null;
  readonly sha256: string | null;
  readonly classification: string | null;
  readonly sourceName: string | null;
  readonly storedAtMs: number | null;
  readonly storedBy: number | null;
  /** Like `InParts`; checked. */
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
export interface LeftArea {
  readonly kind: ObjectKind;
  readonly identifier: string;
  readonly rev: number;
  readonly area: number;
}

/** What this person may do in an area: 1 read, 2 contribute, 3 curate. Another `since`: access was taken and given back. */
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

/** Which server, database, role and list; never a password. `place` is stored as given and not interpreted here. */
export interface TeamJoining {
  readonly place: string;
  readonly list: number;
  /** The person's own number on the server. */
  readonly me: number;
  /** Whether objects stored before joining are shared as well. */
  readonly sharesEarlier: boolean;
}

export interface TeamState {
  readonly place: string;
  readonly list: number;
  readonly me: number;
  readonly client: string;
  /** null: nothing has been read yet, or the server has forgotten it: the list must be filled. */
  readonly cursor: TeamCursor | null;
  /** An unfinished fill, with its areas and the last key read; null: none. */
  readonly fill: TeamFill | null;
  readonly access: readonly TeamAccess[];
  readonly accessRev: number | null;
  /** When the list was last read to its end, by this computer's clock; null: never. See `noteRead`. */
  readonly readMs: number | null;
  readonly due: number;
  readonly refused: number;
  readonly noteConflicts: number;
}

/** Areas being read in full; rows come in the order of (kind, identifier), by bytes. */
export interface TeamFill {
  readonly areas: readonly number[];
  /** The head of the feed when the fill began: the cursor after the fill, if there was none. */
  readonly head: TeamCursor;
  readonly after: { readonly kind: ObjectKind; readonly identifier: string } | null;
}

/** A `seq` and `tag` always come with the same `changes`: the server answers a repetition from its record. */
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
  /** The tag of `rev`, which the server knows only if something was written. */
  readonly tag: string;
  readonly refused: readonly (readonly [number, string])[];
  readonly kept: readonly (readonly [number, string])[];
  readonly older: readonly number[];
  /** Whether the server accepted notes, which the curator may have stopped sharing; omitted: unknown. */
  readonly sharesNotes?: boolean;
  /** The list's epoch when it took the push; omitted: unknown. */
  readonly epoch?: string;
}

export interface EarlierObjects {
  readonly count: number;
  readonly first: readonly Pick<ObjectRecord, 'id' | 'kind' | 'identifier'>[];
}

/**
 * This computer's copy of a team's list: the part in the database. Each function is one transaction (a long one several),
 * durable when it resolves, acts on the state at that moment, and is idempotent. All but `join`, `clear`, `stateOf` and
 * `earlier` do nothing for a service without a team.
 */
export interface TeamCopy {
  stateOf(serviceId: string): Promise<TeamState | null>;
  /** For the list it already has, as the same person: replaces the place. @throws if it has another, to be left first */
  join(serviceId: string, joining: TeamJoining): Promise<void>;
  /**
   * `own`: what this person stored or saw here stays; `all`: everything stays as a private list; `none`: the team's rows
   * go. A long list is cleared in the background, also in the next run; what this person stores, sees, adds or changes
   * meanwhile stays.
   */
  leave(serviceId: string, keep: 'own' | 'all' | 'none'): Promise<void>;
  /**
   * Clears a little of what `leave` or `setAccess` has left to clear; also for a service without a team.
   * @returns whether more is left: until then nothing of the team may be written
   */
  clear(serviceId: string): Promise<boolean>;

  /**
   * The push that may already have been sent, or a new one of what is due; null: nothing is due. Recorded before this
   * resolves.
   * @param presentMs by the server's clock: later moments that are told are set back to it, also in the list
   */
  nextPush(serviceId: string, presentMs: number): Promise<TeamPush | null>;
  acknowledge(serviceId: string, seq: number, answer: TeamPushAnswer): Promise<void>;
  /** The server refused the whole push and wrote nothing: half of it is tried next; a single change is set aside with this reason. */
  halvePush(serviceId: string, seq: number, reason: string): Promise<void>;
  /** Another copy of this data folder has pushed: continues as a new client. What is due stays due. */
  renewClient(serviceId: string): Promise<void>;

  /** Applies rows and departures up to the cursor, in order, and sets the cursor. */
  apply(serviceId: string, page: TeamPage): Promise<void>;
  /**
   * Records what this person may see, as told by the server. Rows of areas that were taken away (and of those with another
   * `since`, which are filled again) go as after `leave`, except what this person stored or saw.
   * @returns the areas that must be filled
   */
  setAccess(serviceId: string, access: readonly TeamAccess[], accessRev: number): Promise<readonly number[]>;
  /**
   * Secrets are held back until the list shares them. When sharing has been withdrawn, or withdrawn and resumed between
   * two reads, the list must be filled again, so that secrets go here as well; own ones are told again once they may be.
   * @param since null: it shares none
   */
  setSecretsSince(serviceId: string, since: string | null): Promise<void>;
  beginFill(serviceId: string, areas: readonly number[], head: TeamCursor): Promise<void>;
  /** @param isLast the fill is done: rows of these areas that it did not bring go, except what this person stored or saw */
  fillPage(serviceId: string, rows: readonly TeamRow[], isLast: boolean): Promise<void>;
  /** Records that the list was read to its end. */
  noteRead(serviceId: string, atMs: number): Promise<void>;
  setPeople(serviceId: string, people: readonly TeamPerson[]): Promise<void>;
  /** Sorted by number. */
  people(serviceId: string): Promise<readonly TeamPerson[]>;
  /** What `sharesEarlier` would share: how many objects, and the first by name; also without a team. */
  earlier(serviceId: string, withSecrets: boolean): Promise<EarlierObjects>;
  /** Newest first. */
  noteConflicts(serviceId: string): Promise<readonly NoteConflict[]>;
  forgetNoteConflict(serviceId: string, id: number): Promise<void>;

  /** Numbers and tags known to have been on the server, newest first, at most 200. */
  anchors(serviceId: string): Promise<readonly { readonly rev: number; readonly tag: string }[]>;
  /** The server was set back to this number: what was pushed later becomes due again, and the list must be filled again. */
  serverForgot(serviceId: string, commonRev: number): Promise<void>;
}

export interface TeamPage {
  readonly rows: readonly TeamRow[];
  readonly leftArea: readonly LeftArea[];
  readonly cursor: TeamCursor;
}
