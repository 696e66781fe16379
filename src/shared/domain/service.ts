import { z } from 'zod';
import { templateLengthMax } from './template.ts';
import { appErrorSchema } from '../errors.ts';

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const ofThisComputer = /^(localhost|127(\.\d+){1,3}|\[::1\])(?=[:/?]|$)/i;

/** Completes a typed address: without a scheme, https, or http for this computer. Trims it. */
export function completeAddress(typed: string): string {
  const address = typed.trim();
  if (address === '' || hasScheme.test(address)) return address;
  return `${ofThisComputer.test(address) ? 'http' : 'https'}://${address}`;
}

const authority = /^[^:]+:\/\/(?:[^/?#@]*@)?([^/?#\s]+)(?=[/?#]|$)/;

/** Host and port of a typed address; the typed text if it cannot be parsed. */
export function hostOf(typed: string): string {
  return authority.exec(completeAddress(typed))?.[1] ?? typed.trim();
}

export const serviceIdSchema = z.string().min(1).max(64);

/** Source of the picker's values. The interface names a Classification method without describing it (4.3, rule 3). */
const classificationSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('address'), address: z.string().trim().min(1).max(2000) }),
  z.strictObject({ kind: z.literal('list'), values: z.array(z.string().min(1).max(2000)).min(1).max(500) }),
]);
export type ClassificationSource = z.infer<typeof classificationSourceSchema>;

/** What to do with an upload whose identifier exists already (409). */
export const answerSchema = z.enum(['newVersion', 'replace', 'keepBoth', 'skip']);
export type Answer = z.infer<typeof answerSchema>;
export const ifExistsSchema = z.enum(['ask', ...answerSchema.options]);
export type IfExists = z.infer<typeof ifExistsSchema>;

/** Direct: a single request. Deferred: started, then polled (sections 2 and 3 of the interface). */
export const requestSchema = z.enum(['direct', 'deferred']);
export type RequestKind = z.infer<typeof requestSchema>;

/** A file or folder chosen in a dialog; `keep` leaves the service's setting, `none` is the default. */
const choiceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('keep') }),
  z.strictObject({ kind: z.literal('grant'), grant: z.string().max(64) }),
]);

/** Proxy of a service. `system`: the system's setting, or else the environment's. Loopback never uses a proxy. */
const proxySettingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('own'), address: z.string().trim().min(1).max(2000) }),
]);
export type ProxySetting = z.infer<typeof proxySettingSchema>;

/** Credentials of a proxy, by its origin (scheme, host, port). They are never sent to the window. */
export const proxySignInSchema = z.strictObject({
  origin: z.string().min(1).max(2000),
  /** RFC 7617: a colon separates name and password, so a name may not contain one. */
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

const storedInSchema = z.enum(['keychain', 'session', 'none']);

export const separatorLengthMax = 8;

/** The connection form. The token and the passphrase are sent separately. */
export const serviceDraftSchema = z.strictObject({
  name: z.string().trim().min(1).max(80),
  baseAddress: z.string().trim().min(1).max(2000),
  insecureAllowed: z.boolean(),
  /** Exact limits in bytes; null: the two readings of "50 MB" and "10 KB" apply. */
  maxObjectBytes: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).nullable(),
  maxSecretBytes: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).nullable(),
  /** Files over the limit may be in parts. */
  allowsParts: z.boolean(),
  proxy: proxySettingSchema,
  /** A PFX file. */
  clientCertificate: choiceSchema,
  authority: choiceSchema,
  downloadFolder: choiceSchema,
  classificationSource: classificationSourceSchema,
  identifierTemplate: z.string().min(1).max(templateLengthMax),
  separator: z.string().min(1).max(separatorLengthMax),
  /** Validated by `checkVersionMark`. */
  versionMark: z.string().min(1).max(40),
});
export type ServiceDraft = z.infer<typeof serviceDraftSchema>;

export const connectionStateSchema = z.enum([
  'checking',
  'ready',
  /** A connection broke off; a check will show whether the service is there. */
  'unstable',
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
  /** File name of the client certificate. */
  clientCertificate: z.object({ fileName: z.string(), passphraseStoredIn: storedInSchema }).nullable(),
  /** The extra CA file: its name and subject. */
  authority: z.object({ fileName: z.string(), subject: z.string(), fingerprint: z.string() }).nullable(),
  /** For display only: the home folder is shortened. Never accepted as input. */
  downloadFolderLabel: z.string(),
  classificationSource: classificationSourceSchema,
  identifierTemplate: z.string(),
  separator: z.string(),
  versionMark: z.string(),
  connection: connectionStateSchema,
  /** Error of the last check; null: none. */
  trouble: appErrorSchema.nullable(),
  /** session: no usable keychain, so the token is forgotten when Coffer ends. */
  tokenStoredIn: storedInSchema,
});
export type Service = z.infer<typeof serviceSchema>;

/**
 * Whether a draft would send the token by another route than the service uses now: to another address, through another proxy, or
 * with other certificates.
 */
export function changesWay(service: Service, draft: ServiceDraft): boolean {
  const { proxy, clientCertificate, authority } = service;
  const isKept = ({ kind }: ServiceDraft['authority'], now: unknown) =>
    kind === 'keep' || (kind === 'none' && now === null);
  return (
    draft.baseAddress !== service.baseAddress ||
    draft.insecureAllowed !== service.insecureAllowed ||
    JSON.stringify(draft.proxy) !== JSON.stringify(proxy) ||
    !isKept(draft.clientCertificate, clientCertificate) ||
    !isKept(draft.authority, authority)
  );
}

export const identifierTemplateDefault = '{path}';
export const separatorDefault = '/';
/** Goes between the name and the extension of a version: `report@2.docx`. */
export const versionMarkDefault = '@{number}';
