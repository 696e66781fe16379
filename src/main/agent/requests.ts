import { z } from 'zod';

/** What a command says, one message a line. The first is `hello`. */
export const requestSchema = z.union([
  z.strictObject({ hello: z.looseObject({ protocol: z.number().int(), version: z.string().max(100) }) }),
  z.strictObject({
    id: z.number().int().nonnegative(),
    call: z.string().max(100),
    input: z.unknown().optional(),
  }),
  /** Paths of files for calls that take grants, answered as a call is. */
  z.strictObject({
    id: z.number().int().nonnegative(),
    grant: z.array(z.string().min(1).max(32_768)).min(1).max(10_000),
  }),
  /** The app starts, and asks a command to let go of the data folder. Answered as a call is. */
  z.strictObject({ id: z.number().int().nonnegative(), makeWay: z.literal(true) }),
  /** From now on these events are told. Answered as a call is. */
  z.strictObject({ id: z.number().int().nonnegative(), follow: z.array(z.string().max(100)).max(100) }),
]);
export type Request = z.infer<typeof requestSchema>;
