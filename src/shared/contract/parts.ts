import { z } from 'zod';
import { pageLimitMax } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { invitationMax } from '../domain/team-choices.ts';
import { pickedMax, transferIdSchema } from '../domain/transfer.ts';

export const nothing = z.undefined();
export const offset = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
export const limit = z.number().int().min(1).max(pageLimitMax);
export const revision = z.number();
export const atMs = z.number();
export const tokenSchema = z.string().min(1).max(16_384);
export const grantSchema = z.string().max(64);
/** Of the client certificate file; omitted: use the saved one, or none. */
export const passphraseSchema = z.string().max(1024).optional();
export const invitationSchema = z.string().min(1).max(invitationMax);
export const classificationValue = z.string().min(1).max(2000);

export const pickedIdsSchema = z.array(transferIdSchema).min(1).max(pickedMax);
/** All transfers of a batch. */
export const ofBatchSchema = z.strictObject({ batch: transferIdSchema });
export const pausableSchema = z.union([
  z.literal('all'),
  pickedIdsSchema,
  z.strictObject({ serviceId: serviceIdSchema }),
  ofBatchSchema,
]);

/**
 * Who decides about a call by a command. `account`: nobody else than the system, which lets only programs of this account connect. `token`:
 * whoever gives the token anew, see main/agent/keep-tokens-safe.ts. `person`: the person, whom the app asks in its window; no other process
 * answers such a call.
 */
export type Guard = 'account' | 'token' | 'person';

type Shape = Readonly<Record<string, z.ZodType>>;
/** Inputs are strict: unknown keys are rejected. */
type InputOf<T> = T extends Shape ? z.ZodObject<T, z.core.$strict> : T;
type OutputOf<T> = T extends Shape ? z.ZodObject<T> : T;
/** @param guard null: commands may not call it */
const callOf =
  (guard: Guard | null) =>
  <I extends Shape | z.ZodType, O extends Shape | z.ZodType = typeof nothing>(
    input: I,
    output: O | typeof nothing = nothing,
  ) => ({
    input: (input instanceof z.ZodType ? input : z.strictObject(input)) as InputOf<I>,
    output: (output instanceof z.ZodType ? output : z.object(output)) as OutputOf<NoInfer<O>>,
    guard,
  });

/**
 * A procedure: its input and its output, each a schema or the fields of an object. No output: nothing. Commands, and so any program of this
 * account, may call only those that are marked: none that needs the window or a dialog. docs/secrets-for-programs.md says what that means for each.
 */
export const call = Object.assign(callOf(null), {
  command: callOf('account'),
  commandWithToken: callOf('token'),
  commandAskingPerson: callOf('person'),
});

export type Procedures = Record<string, { input: z.ZodType; output: z.ZodType; guard: Guard | null }>;
export type Events = Record<string, z.ZodType>;
