import { z } from 'zod';
import { localStartProblemSchema } from './domain/local-start.ts';
import { teamCreateProblems, teamCurateProblems } from './domain/team-choices.ts';
import { teamWhySchema } from './domain/team-why.ts';
import { fileErrors } from './errors/files.ts';
import { storedErrors } from './errors/stored.ts';

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
  ...storedErrors,
  ...fileErrors,

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
      'removal',
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
    /** It is only said to exist, by an imported list for example; refused before anything was sent. */
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

  // The database.
  /** The database was written by a newer version and is not touched. */
  z.object({ code: z.literal('catalogueTooNew') }),
  /** Another Coffer uses the data folder. */
  z.object({ code: z.literal('dataFolderInUse') }),
  /** The database's thread died; the call may have been carried out. */
  z.object({ code: z.literal('catalogueStopped'), isStartedAgain: z.boolean() }),

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
