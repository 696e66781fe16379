import { z } from 'zod';

/** Messages from a command, one per line. The first is `hello`. */
export const requestSchema = z.union([
  z.strictObject({
    hello: z.looseObject({
      protocol: z.number().int(),
      version: z.string().max(100),
      /** Required if the address has a key (proof.ts). */
      nonce: z.string().max(100).optional(),
      proof: z.string().max(100).optional(),
    }),
  }),
  z.strictObject({
    id: z.number().int().nonnegative(),
    call: z.string().max(100),
    input: z.unknown().optional(),
  }),
  /** Requests grants for file paths, to be passed to other calls. Answered like a call. */
  z.strictObject({
    id: z.number().int().nonnegative(),
    grant: z.array(z.string().min(1).max(32_768)).min(1).max(10_000),
  }),
  /** The app is starting and asks a command to release the data folder. Answered like a call. */
  z.strictObject({ id: z.number().int().nonnegative(), makeWay: z.literal(true) }),
  /** Subscribes to these events. Answered like a call. */
  z.strictObject({ id: z.number().int().nonnegative(), follow: z.array(z.string().max(100)).max(100) }),
]);
export type Request = z.infer<typeof requestSchema>;
