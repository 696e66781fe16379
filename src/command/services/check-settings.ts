import { basename } from 'node:path';
import type { ConnectionReport } from '../../shared/contract.ts';
import type { ServiceDraft } from '../../shared/domain/service.ts';
import type { AppError } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { proxyName } from '../../shared/i18n/way-text.ts';
import { askHidden } from '../terminal/ask.ts';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { errorLine } from '../errors/error-line.ts';
import { exitCodeOf, exitCodes } from '../errors/exit-code.ts';
import { readSecretFile, type ServiceOptions } from './service-options.ts';
import { serviceTexts as texts } from './service-texts.ts';

/** Settings of a service that are not in effect yet. */
export interface Settings {
  readonly draft: ServiceDraft;
  /** Passphrase of the client certificate; undefined: none, or the stored one. */
  readonly passphrase?: string;
  /** null: a new service. */
  readonly serviceId: string | null;
}

/** Tests the connection with these settings. @param token null: the stored one */
async function test(
  { coffer }: Pick<Context, 'coffer'>,
  { draft, passphrase, serviceId }: Settings,
  token: string | null,
): Promise<{ report: ConnectionReport; error: AppError | null }> {
  const input = { draft, token, serviceId, ...(passphrase !== undefined && { passphrase }) };
  const report = await coffer.call('services.test', input);
  return { report, error: report.steps.find(({ result }) => result === 'failed')?.error ?? null };
}

const ofSettings = new Set<AppError['code']>([
  'badAddress',
  'badProxyAddress',
  'badAuthorityFile',
  'badClientCertificate',
]);

/**
 * Reads the passphrase of a new client certificate, and checks what needs no token, so that nobody types a token for settings
 * that cannot work. @throws Usage, AppFailure
 */
export async function completeSettings(
  context: Context,
  draft: ServiceDraft,
  serviceId: string | null,
  { clientCertificate = '', passphraseFile }: ServiceOptions,
): Promise<Settings> {
  const { io, interrupted } = context;
  const given =
    passphraseFile === undefined ? '' : await readSecretFile(io, '--passphrase-file', passphraseFile);
  const isNew = draft.clientCertificate.kind === 'grant' || passphraseFile !== undefined;
  let settings: Settings = { draft, serviceId, ...(isNew && { passphrase: given }) };
  // Without a token, the test sends nothing.
  const firstError = async () => (await test(context, { ...settings, serviceId: null }, null)).error;
  let error = await firstError();
  const isLocked = error?.code === 'badClientCertificate' && error.problem === 'passphrase';
  if (isLocked && passphraseFile === undefined && io.stdin.isTTY) {
    const fileName = basename(clientCertificate);
    const passphrase = (await askHidden(io, texts.passphraseOf({ fileName }), interrupted)) ?? '';
    settings = { ...settings, passphrase };
    error = await firstError();
  }
  if (error && ofSettings.has(error.code)) throw new AppFailure(error);
  return settings;
}

/** Stores the name and password for the proxy of these settings. @throws Usage if there is none, or it refuses them */
export async function signInToProxy(
  context: Context,
  settings: Settings,
  token: string | null,
  { proxyUser: user, proxyPasswordFile }: ServiceOptions,
): Promise<void> {
  if (user === undefined) return;
  const { io, coffer, interrupted } = context;
  const { proxy } = settings.draft;
  const origin = proxy.kind === 'own' ? proxy.address : (await test(context, settings, token)).report.proxy;
  if (origin === null) throw new Usage(texts.proxyUserNeedsProxy);
  const prompt = texts.passwordOf({ user, proxy: proxyName(origin) });
  const password =
    proxyPasswordFile !== undefined
      ? await readSecretFile(io, '--proxy-password-file', proxyPasswordFile)
      : io.stdin.isTTY
        ? await askHidden(io, prompt, interrupted)
        : null;
  if (password === null) throw new Usage(texts.noPassword);
  const { isRefused } = await coffer.call('proxies.signIn', { origin, user, password });
  if (isRefused) throw new Usage(texts.proxyRefused({ proxy: proxyName(origin) }), exitCodes.token);
}

/** Result of a passed test. */
export interface Found {
  readonly report: ConnectionReport;
  /** A small object was stored, read and deleted. */
  readonly isTried: boolean;
}

/**
 * Tests the connection with these settings, on request also with a small object.
 * @param token null: the stored one. @throws Usage if the test fails, with `words`
 */
export async function checkSettings(
  context: Context,
  settings: Settings,
  token: string | null,
  isTried: boolean,
  words: (values: { why: string }) => string,
): Promise<Found> {
  const { report, error } = await test(context, settings, token);
  const failed = error ?? (isTried ? await tryObject(context, settings, token) : null);
  if (!failed) return { report, isTried };
  const why = failed.code === 'tokenRefused' ? texts.tokenNotTaken : errorLine(failed);
  throw new Usage(words({ why }), exitCodeOf(failed));
}

/** Stores, reads, compares and deletes a small object: only that proves the path of an address. @returns what failed */
export async function tryObject(
  { coffer, output }: Pick<Context, 'coffer' | 'output'>,
  { draft, passphrase, serviceId }: Settings,
  token: string | null,
): Promise<AppError | null> {
  const input = { draft, token, serviceId, ...(passphrase !== undefined && { passphrase }) };
  const { identifier, steps, isLeft } = await coffer.call('services.tryObject', input);
  if (isLeft) output.error(texts.objectLeft({ identifier }));
  return steps.find(({ result }) => result === 'failed')?.error ?? null;
}

/** Describes the result of a test. */
export function foundText({ report: { host, proxy, steps }, isTried }: Found): string {
  const isTrusted = steps.some(({ step, result }) => step === 'certificate' && result === 'passed');
  const how = [
    isTrusted ? texts.how.certificate : '',
    proxy === null ? '' : texts.how.proxy({ proxy: proxyName(proxy) }),
  ].join('');
  if (isTried) return texts.foundTried({ host, how });
  return texts.foundUnproven({ host, how });
}
