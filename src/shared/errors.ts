import { z } from 'zod';
import { localStartProblemSchema } from './domain/local-start.ts';

/**
 * Everything that can go wrong and that a person is told about. One entry per code, with only what the text needs:
 * no path, token or stack can be written into it. The texts stand in the renderer (i18n).
 */
const status = z.number().int();
const activityToken = z.string().optional();

/** Why no connection came about. */
export const unreachableReasons = ['dns', 'refused', 'reset', 'timeout', 'offline', 'tls', 'other'] as const;

const proxyProblemSchema = z.enum([
  ...unreachableReasons,
  /** Its own certificate, of a proxy that is spoken to with encryption. */
  'untrusted',
  'passwordMissing',
  'passwordRefused',
  /** It takes neither a name nor a password, but something that Coffer does not speak. */
  'passwordScheme',
  /** It does not let anybody through to the service (4xx). */
  'denied',
  /** It did not get through to the service itself (5xx). */
  'noWay',
  'notAProxy',
  /** SOCKS, or what else a system may be set to. */
  'unsupported',
]);

export const appErrorSchema = z.discriminatedUnion('code', [
  // What the person or the window asked for cannot be.
  /** `values`: what of the input the problem is about. */
  z.object({
    code: z.literal('invalidInput'),
    field: z.string(),
    problem: z.string(),
    values: z.array(z.string()).optional(),
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
    ]),
  }),
  /** `isCopy`: of an object, which is no file of the person's yet. */
  z.object({
    code: z.literal('fileNotOpened'),
    problem: z.enum(['program', 'noApp']),
    isCopy: z.boolean().optional(),
  }),
  /** The settings of the service say that objects of this classification (null: its default) are not opened for editing. */
  z.object({ code: z.literal('editForbidden'), classification: z.string().nullable() }),
  /** Other files lie beside the copy, or it cannot be read or moved now. */
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
  /** `fileName` is empty where it is not known; `passphrase`: it does not open the file, or there is none. */
  z.object({
    code: z.literal('badClientCertificate'),
    problem: z.enum(['passphrase', 'format', 'unreadable']),
    fileName: z.string(),
  }),
  z.object({ code: z.literal('nameTaken'), name: z.string() }),
  /** The address of a service cannot change while so many of its transfers are not finished. */
  z.object({ code: z.literal('serviceBusy'), count: z.number() }),

  // The way to the service.
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
  /** The proxy, and not the service, is in the way. Nothing reached the service. */
  z.object({
    code: z.literal('proxyFailed'),
    reason: proxyProblemSchema,
    /** Scheme, host and port. */
    proxy: z.string(),
    /** The status that it answered with. */
    answered: z.number().int().nullable(),
  }),
  /** `closed`: the service ended the connection once it had seen the certificate, and said nothing. */
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
    /** true: a request with consequences may or may not have been carried out. */
    outcomeUnknown: z.boolean(),
  }),

  // What the service answered (section 7 of the interface).
  z.object({ code: z.literal('badRequest'), status, activityToken }),
  z.object({ code: z.literal('tokenRefused'), status }),
  z.object({ code: z.literal('tokenMissing') }),
  z.object({ code: z.literal('forbidden'), status }),
  z.object({ code: z.literal('missing'), status }),
  z.object({ code: z.literal('exists'), status, message: z.string(), activityToken }),
  /** Without a status: refused here, before anything was sent. */
  z.object({ code: z.literal('tooLarge'), status: status.optional(), limitBytes: z.number().optional() }),
  z.object({ code: z.literal('tooManyRequests'), status, retryAfterMs: z.number().nullable() }),
  z.object({ code: z.literal('serverError'), status, retryAfterMs: z.number().nullable() }),
  z.object({
    code: z.literal('unexpectedAnswer'),
    status,
    problem: z.string(),
    /** Content-Encoding of an answer that cannot be decoded. */
    encoding: z.string().optional(),
  }),

  // Whole or not.
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
  z.object({ code: z.literal('digestDiffers'), expected: z.string(), actual: z.string() }),

  // Files in parts (docs/parts.md).
  /** Under the name of a part lies something else; `storedBytes` null: nothing, or of no known length. */
  z.object({
    code: z.literal('partDiffers'),
    identifier: z.string(),
    expectedBytes: z.number(),
    storedBytes: z.number().nullable(),
  }),
  /** These bytes of a file cannot be had: the parts are not there, or hold something else. */
  z.object({
    code: z.literal('partsMissing'),
    /** The first and the last byte of each gap, counted from 0; the first gaps. */
    gaps: z.array(z.object({ firstByte: z.number(), lastByte: z.number() })).max(20),
    missingParts: z.number(),
    parts: z.number(),
    missingBytes: z.number(),
    sizeBytes: z.number(),
  }),
  /** The list was stored, and by then somebody had deleted parts that it names. */
  z.object({
    code: z.literal('storedIncomplete'),
    missingParts: z.number(),
    parts: z.number(),
    missingBytes: z.number(),
    sizeBytes: z.number(),
  }),
  /** A newer Coffer wrote the list of parts. */
  z.object({ code: z.literal('partsTooNew'), version: z.number() }),
  /** It is a list of parts that Coffer cannot read, or names parts of another object. */
  z.object({ code: z.literal('partsWrong') }),
  /** The file begins like a list of parts, and the service is set to have none. */
  z.object({ code: z.literal('partsForbidden') }),
  z.object({ code: z.literal('partsShared') }),

  /** A deletion was initiated, and ten minutes later the object is still there. */
  z.object({ code: z.literal('stillThere') }),
  /** Not enough room to keep what is replaced and what replaces it: so much must be free. */
  z.object({ code: z.literal('noRoomToKeep'), neededBytes: z.number(), freeBytes: z.number() }),
  /** Bytes kept here cannot be read: gone, damaged, or sealed with another key than the keychain has. */
  z.object({ code: z.literal('keptUnreadable'), problem: z.enum(['gone', 'damaged', 'key']) }),
  /** A deletion that was long over keeps taking away what was stored in its place. */
  z.object({ code: z.literal('lateDeletion') }),
  /** The service has left its address half-way through a Replace. */
  z.object({ code: z.literal('replaceLeft') }),
  /** The answer to a deletion was lost, and the object is still there: nobody knows whether it goes yet. */
  z.object({ code: z.literal('deletionUnknown') }),

  // Files here.
  z.object({ code: z.literal('fileChanged'), fileName: z.string() }),
  z.object({ code: z.literal('fileGone'), fileName: z.string() }),
  z.object({ code: z.literal('fileUnreadable'), fileName: z.string() }),
  z.object({ code: z.literal('fileSpecial'), fileName: z.string() }),
  z.object({ code: z.literal('notAFile') }),
  /** How much is free, and how much one file needs, where that is known. */
  z.object({
    code: z.literal('diskFull'),
    folderName: z.string(),
    freeBytes: z.number().optional(),
    neededBytes: z.number().optional(),
  }),
  z.object({ code: z.literal('folderGone'), folderName: z.string() }),
  z.object({ code: z.literal('folderReadOnly'), folderName: z.string() }),
  /** Somebody moved, replaced or deleted what a download had written so far. */
  z.object({ code: z.literal('partGone'), fileName: z.string() }),
  /** The database was written by a newer version; it is left as it is. */
  z.object({ code: z.literal('catalogueTooNew') }),
  /** Another engine works on the same data folder. */
  z.object({ code: z.literal('dataFolderInUse') }),
  /** The thread of the list died; whether what was asked for was carried out is not known. */
  z.object({ code: z.literal('catalogueStopped'), isStartedAgain: z.boolean() }),
  z.object({
    code: z.literal('badImportFile'),
    fileName: z.string(),
    problem: z.enum(['unreadable', 'empty', 'notCsv', 'noIdentifiers', 'notAList', 'newer']),
  }),

  // This computer.
  z.object({
    code: z.literal('keychain'),
    problem: z.enum(['unavailable', 'locked', 'timeout', 'refused']),
  }),
  z.object({ code: z.literal('localService'), problem: localStartProblemSchema }),
  z.object({
    code: z.literal('previewUnavailable'),
    problem: z.enum(['type', 'size', 'unknownSize', 'state']),
  }),
  /** A value that is not text, or that no clipboard carries whole. */
  z.object({ code: z.literal('secretNotText') }),
  /** A program was not given secrets. `unproven`: the command is not the one it says it is. */
  z.object({
    code: z.literal('approvalRefused'),
    reason: z.enum(['refused', 'unanswered', 'locked', 'noTerminal', 'unproven']),
  }),
  z.object({ code: z.literal('cancelled') }),
  /** Not foreseen. The log has the details under this reference. */
  z.object({ code: z.literal('unexpected'), reference: z.string() }),
]);

export type AppError = z.infer<typeof appErrorSchema>;
export type AppErrorCode = AppError['code'];
export type AppErrorOf<C extends AppErrorCode> = Extract<AppError, { code: C }>;
