import { z } from 'zod';
import {
  approvalAnswerSchema,
  approvalSchema,
  askSchema,
  statedIdentitySchema,
  maxSecrets,
} from '../domain/approval.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { appErrorSchema } from '../errors.ts';
import { call, nothing, type Events, type Procedures } from './parts.ts';

const wantedSchema = z.strictObject({ name: z.string().max(1000), identifier: z.string().max(8192) });
const requestFields = {
  /** From `command.introduce`, for one request. */
  ticket: z.string().max(64),
  /** By the process that asks, over what it asks for (main/agent/process-mark.ts). */
  signed: z.strictObject({
    signer: z.string().regex(/^[\w-]{43}$/),
    signature: z.string().regex(/^[\w-]{86}$/),
  }),
  statedIdentity: statedIdentitySchema,
  serviceId: serviceIdSchema,
  /** How long to ask again for a secret that is missing, in ms; it is asked for twice in any case. */
  absentMs: z.number().nonnegative().exactOptional(),
};

/** Secrets for programs, and the person's approvals. */
export const approvalsProcedures = {
  /** For the window: pending requests, oldest first, and valid approvals. */
  'approvals.list': call(nothing, { asks: z.array(askSchema), approvals: z.array(approvalSchema) }),
  /** A late answer has no effect. */
  'approvals.answer': call({ id: z.uuid(), answer: approvalAnswerSchema }),
  'approvals.end': call({ which: z.union([z.literal('all'), z.uuid()]) }),
  /**
   * For a command, before it reads values. `asks`: who asks the person: the window, the command on its own terminal, or nobody, because
   * the command supplied the token itself. For the window, a command on Linux marks its process before it
   * asks (main/agent/process-mark.ts).
   */
  'command.introduce': call.commandAskingPerson(nothing, {
    ticket: z.string(),
    asks: z.enum(['window', 'terminal', 'nobody']),
  }),
  /**
   * The values in the order requested, each with its own failure, and sealed for the command's `key` (main/agent/sealed-value.ts). Rejects
   * as a whole with approvalRefused.
   */
  'command.readSecrets': call.commandAskingPerson(
    {
      ...requestFields,
      key: z.string().regex(/^[\w-]{43}$/),
      secrets: z.array(wantedSchema).min(1).max(maxSecrets),
    },
    {
      values: z.array(z.union([z.object({ sealed: z.base64() }), z.object({ error: appErrorSchema })])),
    },
  ),
  /** Copies to the app's clipboard, which the app clears. Errors as `command.readSecrets`. */
  'command.copySecret': call.commandAskingPerson(
    { ...requestFields, identifier: z.string().max(8192) },
    { clearsAtMs: z.number().nullable() },
  ),
  /** The command has stopped waiting. */
  'command.withdraw': call.commandAskingPerson({ ticket: z.string().max(64) }),
} as const satisfies Procedures;

export const approvalsEvents = {
  'approvals.changed': z.object({ revision: z.number() }),
} as const satisfies Events;
