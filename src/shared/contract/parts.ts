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

export type Procedures = Record<string, { input: z.ZodType; output: z.ZodType }>;
export type Events = Record<string, z.ZodType>;
