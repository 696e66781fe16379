import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';

export const serviceIdSchema = z.string().min(1).max(64);

/** Where the picker's values come from. The interface names a Classification method and does not show it (4.3, rule 3). */
export const classificationSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('address'), address: z.string().trim().min(1).max(2000) }),
  z.strictObject({ kind: z.literal('list'), values: z.array(z.string().min(1).max(2000)).min(1).max(500) }),
]);
export type ClassificationSource = z.infer<typeof classificationSourceSchema>;

/** What becomes of an upload whose identifier exists already (409). */
export const answerSchema = z.enum(['newVersion', 'replace', 'keepBoth', 'skip']);
export type Answer = z.infer<typeof answerSchema>;
export const ifExistsSchema = z.enum(['ask', ...answerSchema.options]);
export type IfExists = z.infer<typeof ifExistsSchema>;

/** Direct: one request, answered when it is done. Deferred: started, then followed (sections 2 and 3 of the interface). */
export const requestSchema = z.enum(['direct', 'deferred']);
export type RequestKind = z.infer<typeof requestSchema>;

/** A file or folder the person chose in a dialog; `keep` leaves what the service has, `none` is the default. */
const choiceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('keep') }),
  z.strictObject({ kind: z.literal('grant'), grant: z.string().max(64) }),
]);

/** How a service is reached. `system`: as the system says, else as the environment does. Loopback never goes over a proxy. */
export const proxySettingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('own'), address: z.string().trim().min(1).max(2000) }),
]);
export type ProxySetting = z.infer<typeof proxySettingSchema>;

/** The name and password of a proxy, by its origin (scheme, host and port). What they are never crosses back. */
export const proxySignInSchema = z.strictObject({
  origin: z.string().min(1).max(2000),
  /** RFC 7617: a name with a colon could not be told from its password. */
  user: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^:\p{Cc}]+$/u),
  password: z
    .string()
    .max(1024)
    .regex(/^\P{Cc}*$/u),
});
export type ProxySignIn = z.infer<typeof proxySignInSchema>;

const keptSchema = z.enum(['keychain', 'session', 'none']);

/** What the connection form sends. The token and the passphrase travel beside it, never inside it. */
export const serviceDraftSchema = z.strictObject({
  name: z.string().trim().min(1).max(80),
  baseAddress: z.string().trim().min(1).max(2000),
  insecureAllowed: z.boolean(),
  /** The exact limits of the service in bytes; null: the two readings of "50 MB" and "10 KB" apply. */
  maxObjectBytes: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).nullable(),
  maxSecretBytes: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).nullable(),
  /** What is over the limit may go in parts. */
  allowsParts: z.boolean(),
  proxy: proxySettingSchema,
  /** A PFX file. */
  clientCertificate: choiceSchema,
  authority: choiceSchema,
  downloadFolder: choiceSchema,
  classificationSource: classificationSourceSchema,
  identifierTemplate: z.string().min(1).max(500),
  separator: z.string().min(1).max(8),
  /** `checkVersionMark` says which can stand in an identifier. */
  versionMark: z.string().min(1).max(40),
});
export type ServiceDraft = z.infer<typeof serviceDraftSchema>;

export const connectionStateSchema = z.enum([
  'checking',
  'ready',
  'tokenMissing',
  'tokenRefused',
  'unreachable',
]);
export type ConnectionState = z.infer<typeof connectionStateSchema>;

export const serviceSchema = z.object({
  id: serviceIdSchema,
  name: z.string(),
  baseAddress: z.string(),
  /** The built-in service on this computer. */
  isLocal: z.boolean(),
  insecureAllowed: z.boolean(),
  maxObjectBytes: z.number().nullable(),
  maxSecretBytes: z.number().nullable(),
  allowsParts: z.boolean(),
  proxy: proxySettingSchema,
  /** What the service is shown to prove who asks, by the name of its file. */
  clientCertificate: z.object({ fileName: z.string(), passphraseStoredIn: keptSchema }).nullable(),
  /** The extra CA file, by its name and what is in it. */
  authority: z.object({ fileName: z.string(), subject: z.string(), fingerprint: z.string() }).nullable(),
  /** For people only: the home folder is shortened, and it is never accepted back. */
  downloadFolderLabel: z.string(),
  classificationSource: classificationSourceSchema,
  identifierTemplate: z.string(),
  separator: z.string(),
  versionMark: z.string(),
  ifExists: ifExistsSchema,
  request: requestSchema,
  connection: connectionStateSchema,
  /** What the last look at the service met; null: nothing is wrong. */
  trouble: appErrorSchema.nullable(),
  /** session: there is no usable keychain, the token goes when Coffer ends. */
  tokenStoredIn: keptSchema,
});
export type Service = z.infer<typeof serviceSchema>;

export const identifierTemplateDefault = '{path}';
export const separatorDefault = '/';
/** What stands between the name and the extension of a version: `report@2.docx`. */
export const versionMarkDefault = '@{number}';
