import { z } from 'zod';
import { atMsSchema } from './at-ms.ts';
import { objectIdSchema } from './object.ts';
import { serviceIdSchema } from './service.ts';

/** A program's request for secrets is refused after this time. */
export const askMs = 60_000;
/** An approval ends after this long without use, and in any case after the second limit. */
export const idleMs = 10 * 60_000;
export const longestMs = 12 * 3_600_000;
/** Maximum number of requests of one program that wait for an answer; more are refused. */
export const maxPending = 3;
/** How long everything that a program asks for is refused after `refuseAll`, in ms. */
export const refuseAllMs = 60_000;

/** Maximum number of secrets per request. */
export const maxSecrets = 200;

const terminalSchema = z.object({
  /** As the system names it: `pts/2`. */
  name: z.string(),
  /** The program that shows it, if known. */
  shownBy: z.string().nullable(),
  openSinceMs: atMsSchema.nullable(),
});
export type Terminal = z.infer<typeof terminalSchema>;

const wantedSchema = z.object({
  /** The name under which the program gets it: a variable, or the position in a template. */
  name: z.string(),
  identifier: z.string(),
  /** null: not on the list. */
  objectId: objectIdSchema.nullable(),
  classification: z.string().nullable(),
});

/** The requester, as far as it is known. `isProven`: confirmed by the system, not only stated by the command. */
export const askSchema = z.object({
  id: z.uuid(),
  /** Equal for the requests that main counts as one program's. */
  asker: z.string(),
  /** The person refused this program more than once, each time within `refuseAllMs`. */
  isAgain: z.boolean(),
  serviceId: serviceIdSchema,
  /** Command line of the program that gets the secrets. */
  program: z.array(z.string()),
  folder: z.string(),
  terminal: terminalSchema.nullable(),
  /** Without a terminal: the program that started the command. */
  startedBy: z.string().nullable(),
  /** As typed. */
  command: z.array(z.string()),
  secrets: z.array(wantedSchema),
  /** To the clipboard rather than to a program. */
  isCopy: z.boolean(),
  isProven: z.boolean(),
  /** An approval can outlast this run: there is a terminal, or a parent program that may run further commands. */
  isLasting: z.boolean(),
  refusedAtMs: atMsSchema,
});
export type Ask = z.infer<typeof askSchema>;

export const approvalSchema = z.object({
  id: z.uuid(),
  serviceId: serviceIdSchema,
  terminal: terminalSchema.nullable(),
  startedBy: z.string().nullable(),
  identifiers: z.array(z.string()),
  givenAtMs: atMsSchema,
  usedAtMs: atMsSchema,
  endsAtMs: atMsSchema,
});
export type Approval = z.infer<typeof approvalSchema>;

/**
 * `holder`: for this terminal, or, without one, for the program that started the command. `refuseAll`: all pending
 * requests of this asker, and what it asks for within `refuseAllMs`.
 */
export const approvalAnswerSchema = z.enum(['refuse', 'refuseAll', 'once', 'holder']);
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

/** What a command states about itself, verified with the system where possible (main/approvals/caller.ts). */
export const statedIdentitySchema = z.strictObject({
  pid: z.number().int().positive(),
  /** After the name of the command. */
  words: z.array(z.string().max(32_768)).max(1000),
  folder: z.string().max(32_768),
  hasTerminal: z.boolean(),
});
export type StatedIdentity = z.infer<typeof statedIdentitySchema>;
