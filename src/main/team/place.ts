import { isIP } from 'node:net';
import { z } from 'zod';

/** Sent as it is in the startup message, in which NUL ends each text. */
const nameSchema = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[^\p{Cc}]*$/u);

/** Where a team's list is; `TeamJoining.place` holds it as JSON. Never a password. */
export const teamPlaceSchema = z.object({
  host: z
    .string()
    .min(1)
    .max(255)
    // Without invisible characters, which could make an address look like another.
    .regex(/^[^\s/\p{Cc}\p{Cf}]+$/u),
  port: z.number().int().min(1).max(65_535),
  database: nameSchema,
  role: nameSchema,
  /** The text of a PEM file, trusted beside the system's authorities. */
  authority: z.string().nullable(),
  /** A PFX file in base64, or a PEM file with the certificate and its key. */
  clientCertificate: z
    .discriminatedUnion('form', [
      z.object({ form: z.literal('pfx'), base64: z.base64() }),
      z.object({ form: z.literal('pem'), text: z.string() }),
    ])
    .nullable(),
});
export type TeamPlace = z.infer<typeof teamPlaceSchema>;

/** What the keychain holds for a place. */
export interface TeamCredentials {
  /** null: the client certificate is enough. */
  readonly password: string | null;
  /** Of the client certificate. */
  readonly passphrase: string | null;
}

/** Whether an IP address is this computer's own. */
export const isLoopback = (address: string) =>
  isIP(address) > 0 && (address === '::1' || /^(::ffff:)?127\./.test(address));

/** Only connections to this computer are unencrypted, unless certificates are given. */
export const isEncrypted = ({ host, authority, clientCertificate }: TeamPlace) =>
  !(host === 'localhost' || isLoopback(host)) || authority !== null || clientCertificate !== null;
