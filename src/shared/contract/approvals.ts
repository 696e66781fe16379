import { z } from 'zod';
import {
  approvalAnswerSchema,
  approvalSchema,
  askSchema,
  claimSchema,
  maxSecrets,
} from '../domain/approval.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { appErrorSchema } from '../errors.ts';
import { nothing, type Events, type Procedures } from './parts.ts';

const wantedSchema = z.strictObject({ name: z.string().max(1000), identifier: z.string().max(8192) });
const requestFields = { ticket: z.string().max(64), claim: claimSchema, serviceId: serviceIdSchema };

/** Secrets for programs, and whether they may have them. */
export const approvalsProcedures = {
  /** For the window. What waits for an answer, the oldest first, and what holds now. */
  'approvals.list': {
    input: nothing,
    output: z.object({ asks: z.array(askSchema), approvals: z.array(approvalSchema) }),
  },
  /** An answer that comes too late changes nothing. */
  'approvals.answer': {
    input: z.strictObject({ id: z.uuid(), answer: approvalAnswerSchema }),
    output: nothing,
  },
  'approvals.end': {
    input: z.strictObject({ which: z.union([z.literal('all'), z.uuid()]) }),
    output: nothing,
  },
  /**
   * For a command, before it asks for values. `asks` says who asks the person: the window, the command on its own terminal, or
   * nobody, since the command brought the token itself. Where there is a proof, the command keeps this file of `proofFolder` open while it asks.
   */
  'command.introduce': {
    input: nothing,
    output: z.object({
      ticket: z.string(),
      asks: z.enum(['window', 'terminal', 'nobody']),
      proof: z.string().nullable(),
    }),
  },
  /** The values in the order asked for, in base64, each with its own failure. Refuses as a whole: approvalRefused. */
  'command.readSecrets': {
    input: z.strictObject({ ...requestFields, secrets: z.array(wantedSchema).min(1).max(maxSecrets) }),
    output: z.object({
      values: z.array(z.union([z.object({ value: z.base64() }), z.object({ error: appErrorSchema })])),
    }),
  },
  /** To the clipboard of the app, which clears it. Refuses as `command.readSecrets`. */
  'command.copySecret': {
    input: z.strictObject({ ...requestFields, identifier: z.string().max(8192) }),
    output: z.object({ clearsAtMs: z.number().nullable() }),
  },
  /** The command does not wait any more. */
  'command.withdraw': { input: z.strictObject({ ticket: z.string().max(64) }), output: nothing },
} as const satisfies Procedures;

export const approvalsEvents = {
  'approvals.changed': z.object({ revision: z.number() }),
} as const satisfies Events;
