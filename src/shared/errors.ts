import { z } from 'zod';
import { localStartProblemSchema } from './domain/local-start.ts';
import { teamCreateProblems, teamCurateProblems } from './domain/team-choices.ts';
import { teamWhySchema } from './domain/team-why.ts';

/**
 * Every error that the user is told about. One entry per code, with only what the text needs:
 * no path, token or stack fits in. Texts: `i18n/error-messages.ts`.
 */
const status = z.number().int();
const activityToken = z.string().optional();

/** Why no connection was established. */
export const unreachableReasons = [
  'dns',
  'refused',
  'reset',
  'timeout',
  'offline',
  /** An address in the local network, which macOS may keep Coffer out of. */
  'localNetwork',
  'tls',
  'other',
] as const;

const proxyProblemSchema = z.enum([
  ...unreachableReasons,
  /** The certificate of an https proxy. */
  'untrusted',
  'passwordMissing',
  'passwordRefused',
  /** It requires an authentication scheme that Coffer does not support. */
  'passwordScheme',
  /** It refuses to connect to the service (4xx). */
  'denied',
  /** It cannot reach the service (5xx). */
  'noWay',
  'notAProxy',
  /** SOCKS or another unsupported kind from the system settings. */
  'unsupported',
]);

export const appErrorSchema = z.discriminatedUnion('code', [
  // Invalid requests of the user or the window.
  /** `values`: the invalid parts of the input. */
  z.object({
    code: z.literal('invalidInput'),
    field: z.string(),
    /**
     * `tooLong`, `tooManyBytes`, `tooMany`, `tooLarge` and `tooSmall` (see `limit`), `empty`, `characters`, a word of the procedure, or
     * a code of the schema's.
     */
    problem: z.string(),
    values: z.array(z.string()).optional(),
    /** Maximum number of characters, bytes or entries, or the limit of a number. */
    limit: z.number().optional(),
  }),
  z.object({ code: z.literal('unknownProcedure') }),
  /** The list of objects is broken and waits for a decision (`catalogue.recover`). */
  z.object({ code: z.literal('notReady') }),
  z.object({ code: z.literal('senderRefused') }),
  z.object({
    code: z.literal('notFound'),
    what: z.enum([
      'object',
      'service',
      'uploadPlan',
      'transfer',
      'job',
      'task',
      'grant',
      'activeService',
      'selection',
      'savedFile',
      'kept',
      'edit',
      'watch',
      'team',
      'teamList',
      'teamArea',
      'teamPerson',
      'keptApart',
    ]),
  }),
  /** `isCopy`: a private copy of an object, not a file of the user's. */
  z.object({
    code: z.literal('fileNotOpened'),
    problem: z.enum(['kind', 'editKind', 'noApp']),
    isCopy: z.boolean().optional(),
  }),
  /** The service's settings forbid editing objects of this classification (null: its default). */
  z.object({ code: z.literal('editForbidden'), classification: z.string().nullable() }),
  /**
   * Objects that cannot be given to another program as files. `largeToDrag`, `unknownSize`: not downloaded for a drag; `largeToCopy`: too
   * large for the clipboard, too; `unfocused`: Wayland accepts a copy only from the focused window.
   */
  z.object({
    code: z.literal('notTakenOut'),
    problem: z.enum([
      'secret',
      'state',
      'storing',
      'many',
      'largeToDrag',
      'unknownSize',
      'largeToCopy',
      'token',
      'paused',
      'unfocused',
    ]),
  }),
  /** There are other files beside the copy, or it cannot be read or moved. */
  z.object({
    code: z.literal('editNotFinished'),
    problem: z.enum(['filesBeside', 'inUse']),
    fileNames: z.array(z.string()),
  }),
  z.object({
    code: z.literal('badIdentifier'),
    problem: z.enum(['empty', 'dotSegment', 'loneSurrogate']),
  }),
  z.object({
    code: z.literal('badAddress'),
    problem: z.enum(['notUrl', 'scheme', 'insecure', 'credentials', 'query', 'fragment']),
  }),
  z.object({ code: z.literal('badAuthorityFile'), fileName: z.string() }),
  z.object({
    code: z.literal('badProxyAddress'),
    problem: z.enum(['notUrl', 'scheme', 'credentials', 'path']),
  }),
  /** `fileName` is empty if unknown; `passphrase`: wrong or missing. */
  z.object({
    code: z.literal('badClientCertificate'),
    problem: z.enum(['passphrase', 'format', 'unreadable']),
    fileName: z.string(),
  }),
  z.object({ code: z.literal('nameTaken'), name: z.string() }),
  /** The address of a service cannot change while this many of its transfers are unfinished. */
  z.object({ code: z.literal('serviceBusy'), count: z.number() }),
  z.object({
    code: z.literal('serviceUnfinished'),
    /** What only this computer has, or only its transfers know the identifiers of. */
    work: z.array(
      z.object({
        /** undo: the copies of a Replace that was given up half-way. */
        what: z.enum(['replace', 'undo', 'edit', 'secret']),
        /** The first of them. */
        identifiers: z.array(z.string()),
        count: z.number(),
        /** Identifiers beside these objects at the service, for `replace`. */
        copies: z.array(z.string()),
      }),
    ),
  }),

  // Connecting to the service.
  z.object({
    code: z.literal('unreachable'),
    host: z.string(),
    reason: z.enum(unreachableReasons),
  }),
  z.object({
    code: z.literal('certificateNotTrusted'),
    host: z.string(),
    reason: z.enum(['unknownAuthority', 'selfSigned', 'expired', 'wrongHost', 'other']),
    issuer: z.string(),
    subject: z.string(),
    validUntil: z.string(),
    fingerprint: z.string(),
  }),
  /** The proxy failed, not the service. Nothing reached the service. */
  z.object({
    code: z.literal('proxyFailed'),
    reason: proxyProblemSchema,
    /** Scheme, host and port. */
    proxy: z.string(),
    /** Its response status. */
    answered: z.number().int().nullable(),
  }),
  /** `closed`: the service closed the connection after it got the certificate, without a reason. */
  z.object({
    code: z.literal('clientCertificateRefused'),
    reason: z.enum(['missing', 'refused', 'expired', 'closed']),
    host: z.string(),
  }),
  z.object({ code: z.literal('answerTimeout'), phase: z.enum(['headers', 'body']), afterMs: z.number() }),
  z.object({
    code: z.literal('connectionLost'),
    doneBytes: z.number(),
    expectedBytes: z.number().nullable(),
    /** true: a POST or DELETE may have been carried out. */
    outcomeUnknown: z.boolean(),
  }),

  // Responses of the service (section 7 of the interface).
  z.object({ code: z.literal('badRequest'), status, activityToken }),
  z.object({ code: z.literal('tokenRefused'), status }),
  z.object({ code: z.literal('tokenMissing') }),
  z.object({ code: z.literal('forbidden'), status }),
  z.object({ code: z.literal('missing'), status }),
  z.object({
    code: z.literal('exists'),
    status,
    message: z.string(),
    activityToken,
    /** It is only claimed to exist, by an imported list for example; refused before anything was sent. */
    isUnseen: z.literal(true).optional(),
  }),
  /** Without a status: refused locally, before anything was sent. */
  z.object({ code: z.literal('tooLarge'), status: status.optional(), limitBytes: z.number().optional() }),
  z.object({ code: z.literal('tooManyRequests'), status, retryAfterMs: z.number().nullable() }),
  z.object({ code: z.literal('serverError'), status, retryAfterMs: z.number().nullable() }),
  z.object({
    code: z.literal('unexpectedAnswer'),
    status,
    problem: z.string(),
    /** Content-Encoding of a response that cannot be decoded. */
    encoding: z.string().optional(),
    /**
     * Something else answered, under `host`. `page`: a web page, or a redirect to one, as sign-in pages of networks and proxies do;
     * `everything`: it has an object under any identifier.
     */
    notService: z.enum(['page', 'everything']).optional(),
    host: z.string().optional(),
  }),

  // Integrity.
  z.object({
    code: z.literal('storedLengthDiffers'),
    sentBytes: z.number(),
    storedBytes: z.number().nullable(),
    activityToken,
  }),
  z.object({
    code: z.literal('downloadLengthDiffers'),
    expectedBytes: z.number(),
    receivedBytes: z.number(),
  }),
  /** Without an announced length. */
  z.object({ code: z.literal('downloadTooLong'), limitBytes: z.number() }),
  z.object({ code: z.literal('digestDiffers'), expected: z.string(), actual: z.string() }),
  /** The expected length or digest is claimed by an imported list or the team. */
  z.object({
    code: z.literal('claimedLengthDiffers'),
    expectedBytes: z.number(),
    receivedBytes: z.number(),
  }),
  z.object({ code: z.literal('claimedDigestDiffers'), expected: z.string(), actual: z.string() }),

  // Files in parts (docs/parts.md).
  /** Something else is stored under a chunk's identifier; `storedBytes` null: nothing, or of unknown length. */
  z.object({
    code: z.literal('partDiffers'),
    identifier: z.string(),
    expectedBytes: z.number(),
    storedBytes: z.number().nullable(),
  }),
  /** These bytes of a file are unavailable: their chunks are missing or differ. */
  z.object({
    code: z.literal('partsMissing'),
    /** First and last byte of each gap, from 0. Only the first gaps. */
    gaps: z.array(z.object({ firstByte: z.number(), lastByte: z.number() })).max(20),
    missingParts: z.number(),
    parts: z.number(),
    missingBytes: z.number(),
    sizeBytes: z.number(),
  }),
  /** The manifest was stored after someone had deleted chunks that it names. */
  z.object({
    code: z.literal('storedIncomplete'),
    missingParts: z.number(),
    parts: z.number(),
    missingBytes: z.number(),
    sizeBytes: z.number(),
  }),
  /** The manifest was written by a newer Coffer. */
  z.object({ code: z.literal('partsTooNew'), version: z.number() }),
  /** The manifest is unreadable, or names chunks of another object. */
  z.object({ code: z.literal('partsWrong') }),
  /** The file starts like a manifest, but chunking is off for the service. */
  z.object({ code: z.literal('partsForbidden') }),
  z.object({ code: z.literal('partsShared') }),

  /** The service refused so many new names in a row (409), although each seemed free. */
  z.object({ code: z.literal('namesRefused'), count: z.number() }),
  /** The object is still there ten minutes after its deletion was accepted. */
  z.object({ code: z.literal('stillThere') }),
  /** Not enough free space for the old and the new bytes of a Replace: this much is needed. */
  z.object({ code: z.literal('noRoomToKeep'), neededBytes: z.number(), freeBytes: z.number() }),
  /** An undo copy is unreadable: gone, damaged, or encrypted with a key that the keychain does not have. */
  z.object({ code: z.literal('keptUnreadable'), problem: z.enum(['gone', 'damaged', 'key']) }),
  /** An old deletion keeps removing what was stored in its place. */
  z.object({ code: z.literal('lateDeletion') }),
  /** The service's address changed during a Replace. */
  z.object({
    code: z.literal('replaceLeft'),
    /** Of the object's own bytes: identifier of their copy at the former address. */
    copy: z.string().optional(),
  }),
  /**
   * The object whose classification was to change is gone or has changed. `copy`: identifier of a copy of its
   * bytes, with the new classification.
   */
  z.object({ code: z.literal('objectChanged'), copy: z.string().nullable() }),
  /** A moved object is gone, or is not what the list says or what was stored there. */
  z.object({ code: z.literal('moveChanged'), identifier: z.string() }),
  /** The response to a DELETE was lost, and the object still exists: it may still be deleted. */
  z.object({ code: z.literal('deletionUnknown') }),

  // Local files.
  z.object({ code: z.literal('fileChanged'), fileName: z.string() }),
  z.object({ code: z.literal('fileGone'), fileName: z.string() }),
  z.object({ code: z.literal('fileUnreadable'), fileName: z.string() }),
  z.object({ code: z.literal('fileSpecial'), fileName: z.string() }),
  z.object({ code: z.literal('notAFile') }),
  /** Free bytes, and bytes that one file needs, if known. */
  z.object({
    code: z.literal('diskFull'),
    folderName: z.string(),
    freeBytes: z.number().optional(),
    neededBytes: z.number().optional(),
  }),
  z.object({ code: z.literal('folderGone'), folderName: z.string() }),
  z.object({ code: z.literal('folderReadOnly'), folderName: z.string() }),
  /** `beside`: the watched folder that is the same, inside it or around it. */
  z.object({
    code: z.literal('folderNotWatched'),
    folderName: z.string(),
    problem: z.enum([
      'gone',
      'notAFolder',
      'unreadable',
      'holdsCoffer',
      'downloads',
      'same',
      'inside',
      'around',
    ]),
    beside: z.string().optional(),
  }),
  /** The temporary file of a download was moved, replaced or deleted. */
  z.object({ code: z.literal('partGone'), fileName: z.string() }),
  /** The database was written by a newer version and is not touched. */
  z.object({ code: z.literal('catalogueTooNew') }),
  /** Another Coffer uses the data folder. */
  z.object({ code: z.literal('dataFolderInUse') }),
  /** The database's thread died; the call may have been carried out. */
  z.object({ code: z.literal('catalogueStopped'), isStartedAgain: z.boolean() }),
  z.object({
    code: z.literal('badImportFile'),
    fileName: z.string(),
    problem: z.enum(['unreadable', 'empty', 'notText', 'notCsv', 'noIdentifiers', 'notAList', 'newer']),
    /** Of `notText`: the first line that is not text in the encoding by which the file is read. */
    line: z.number().optional(),
    encoding: z.string().optional(),
  }),

  // A team's list.
  /** `cut`: its checksum is missing or wrong. */
  z.object({ code: z.literal('badInvitation'), problem: z.enum(['notOne', 'cut', 'newer']) }),
  z.object({ code: z.literal('teamServer'), why: teamWhySchema, host: z.string() }),
  /** Neither the invitation nor the keychain has a password. */
  z.object({ code: z.literal('teamPasswordMissing'), role: z.string(), host: z.string() }),
  /** The service has a team's list, so it cannot join another, or change its address. */
  z.object({ code: z.literal('serviceInTeam'), list: z.string(), problem: z.enum(['join', 'address']) }),
  /** The list belongs to another address than the service's. */
  z.object({
    code: z.literal('teamAddressDiffers'),
    list: z.string(),
    listAddress: z.string(),
    serviceAddress: z.string(),
  }),
  /** The service's team is on another server, or was joined by another role. */
  z.object({ code: z.literal('teamDiffers'), host: z.string(), role: z.string() }),
  /** Number of changes on this computer that the team does not have. */
  z.object({ code: z.literal('teamUnshared'), count: z.number() }),
  z.object({
    code: z.literal('teamInvite'),
    problem: z.enum([
      'notCurator',
      'yourself',
      'superuser',
      'noRole',
      'closed',
      'notAllowed',
      'longAuthority',
    ]),
    role: z.string(),
  }),
  z.object({ code: z.literal('teamCurate'), problem: z.enum(teamCurateProblems) }),
  z.object({
    code: z.literal('teamCreate'),
    problem: z.enum(teamCreateProblems),
    /** The curator's role if the problem is with it, else the role that signed in. */
    role: z.string(),
    database: z.string(),
  }),

  // This computer.
  z.object({
    code: z.literal('keychain'),
    problem: z.enum(['unavailable', 'locked', 'timeout', 'refused']),
  }),
  z.object({ code: z.literal('localService'), problem: localStartProblemSchema }),
  z.object({
    code: z.literal('previewUnavailable'),
    /** `header`: how much memory a picture would take can't be told. */
    problem: z.enum(['type', 'size', 'header', 'unknownSize', 'state', 'storing']),
  }),
  /** A picture with more pixels than a preview may have. */
  z.object({ code: z.literal('pictureTooLarge'), pixels: z.number(), maxPixels: z.number() }),
  /** The value is not text, or no clipboard holds it whole. */
  z.object({ code: z.literal('secretNotText') }),
  /**
   * Nothing was copied. `unfocused`: Wayland accepts a copy only from the focused window; `noProgram`: the command found
   * no clipboard program; `notKept`: reading the clipboard back did not return the text.
   */
  z.object({ code: z.literal('clipboardRefused'), problem: z.enum(['unfocused', 'noProgram', 'notKept']) }),
  /**
   * A program was refused secrets. `unproven`: the command could not prove its identity; `tooMany`: `maxPending` requests
   * of the program wait already; `allRefused`: the person has just refused all of them.
   */
  z.object({
    code: z.literal('approvalRefused'),
    reason: z.enum(['refused', 'unanswered', 'locked', 'noTerminal', 'unproven', 'tooMany', 'allRefused']),
  }),
  z.object({ code: z.literal('cancelled') }),
  /** A bug. The log has the details under this reference. */
  z.object({ code: z.literal('unexpected'), reference: z.string() }),
]);

export type AppError = z.infer<typeof appErrorSchema>;
export type AppErrorCode = AppError['code'];
export type AppErrorOf<C extends AppErrorCode> = Extract<AppError, { code: C }>;
