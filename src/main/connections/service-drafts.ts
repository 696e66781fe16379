import type { ServiceDraft } from '../../shared/domain/service.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Input } from '../../shared/contract.ts';
import { isRepeated } from '../../shared/domain/folder.ts';
import { checkVersionMark } from '../../shared/domain/versions.ts';
import { stat } from '../local-files/fs.ts';
import type { Grants } from '../local-files/grants.ts';
import type { Clock } from '../ports.ts';
import { parseBaseAddress } from '../service/base-address.ts';
import { parseProxyAddress } from '../service/proxy.ts';
import { readAuthority } from './authority.ts';
import { readCertificateFile, requireOpens } from './certificate-file.ts';
import type { ServiceRepository, StoredService } from './service-repository.ts';
import type { Passphrases } from './passphrases.ts';
import type { Proxies } from './proxies.ts';
import { testConnection, type TestedConnection } from './test-connection.ts';
import { routeOf } from './token-route.ts';
import type { Tokens } from './tokens.ts';
import { tryObject } from './try-object.ts';

type Before = Pick<StoredService, 'authority' | 'clientCertificate' | 'downloadFolder'> | undefined;

/** Reads the files and the folder of a draft. @throws AppFailure badAuthorityFile, badClientCertificate, notFound (grant), invalidInput */
async function resolveChoices(draft: ServiceDraft, before: Before, grants: Grants) {
  return {
    authority: await resolveAuthority(draft, before, grants),
    clientCertificate: await resolveCertificate(draft, before, grants),
    downloadFolder: await resolveFolder(draft, before, grants),
  };
}

async function resolveAuthority(
  { authority }: Pick<ServiceDraft, 'authority'>,
  before: Before,
  grants: Grants,
): Promise<StoredService['authority']> {
  if (authority.kind === 'keep') return before?.authority ?? null;
  return authority.kind === 'grant' ? readAuthority(grants.resolve(authority.grant)) : null;
}

async function resolveCertificate(
  { clientCertificate }: Pick<ServiceDraft, 'clientCertificate'>,
  before: Before,
  grants: Grants,
): Promise<StoredService['clientCertificate']> {
  if (clientCertificate.kind === 'keep') return before?.clientCertificate ?? null;
  return clientCertificate.kind === 'grant'
    ? readCertificateFile(grants.resolve(clientCertificate.grant))
    : null;
}

async function resolveFolder({ downloadFolder }: ServiceDraft, before: Before, grants: Grants) {
  if (downloadFolder.kind === 'keep') return before?.downloadFolder ?? null;
  if (downloadFolder.kind === 'none') return null;
  const path = grants.resolve(downloadFolder.grant);
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) {
    throw new AppFailure({ code: 'invalidInput', field: 'downloadFolder', problem: 'notAFolder' });
  }
  return path;
}

/** Releases the grants, since the files were read. */
export function forgetChoices(draft: ServiceDraft, grants: Grants): void {
  for (const choice of [draft.authority, draft.clientCertificate, draft.downloadFolder]) {
    if (choice.kind === 'grant') grants.forget([choice.grant]);
  }
}

export type ServiceDrafts = ReturnType<typeof createServiceDrafts>;

/** Reads and tests the connection form. */
export function createServiceDrafts(deps: {
  repository: ServiceRepository;
  tokens: Tokens;
  passphrases: Passphrases;
  proxies: Proxies;
  grants: Grants;
  clock: Clock;
}) {
  const { repository, tokens, passphrases, proxies, grants, clock } = deps;

  /**
   * Applies a draft to a service. @throws AppFailure badAddress, badProxyAddress, nameTaken, badClientCertificate, invalidInput (versionMark, separator), and errors of
   * `resolveChoices`
   */
  async function read(draft: ServiceDraft, before: StoredService | undefined, passphrase?: string) {
    const baseAddress = before?.isLocal ? before.baseAddress : draft.baseAddress;
    parseBaseAddress(baseAddress, draft.insecureAllowed);
    if (draft.proxy.kind === 'own') parseProxyAddress(draft.proxy.address);
    const markProblem = checkVersionMark(draft.versionMark, draft.separator);
    if (markProblem !== null)
      throw new AppFailure({ code: 'invalidInput', field: 'versionMark', problem: markProblem });
    if (isRepeated(draft.separator) && draft.separator !== before?.separator)
      throw new AppFailure({ code: 'invalidInput', field: 'separator', problem: 'repeated' });
    repository.requireFreeName(draft.name, before?.id ?? null);
    const choices = await resolveChoices(draft, before, grants);
    const { clientCertificate } = choices;
    if (clientCertificate && (passphrase !== undefined || clientCertificate !== before?.clientCertificate)) {
      requireOpens(clientCertificate, passphrase ?? '');
    }
    return { ...draft, ...choices, baseAddress };
  }

  /** A token is sent only to the origin it was entered for. */
  async function storedTokenFor(service: StoredService, baseAddress: string): Promise<string | null> {
    await tokens.load(service.id);
    const isOwn = URL.parse(baseAddress)?.origin === URL.parse(service.baseAddress)?.origin;
    return isOwn ? tokens.read(service.id, routeOf(service)) : null;
  }

  /** Connection options of a draft, without changing anything. */
  async function connectionOf({
    draft,
    token,
    passphrase,
    serviceId,
    byCommand = false,
  }: Input<'services.test'>): Promise<TestedConnection> {
    const before = serviceId === null ? undefined : repository.get(serviceId);
    const { baseAddress, insecureAllowed } = draft;
    const authority = await resolveAuthority(draft, before, grants);
    const certificate = await resolveCertificate(draft, before, grants);
    if (before && token === null && byCommand) {
      const tested = { ...before, ...draft, baseAddress, authority, clientCertificate: certificate };
      if (routeOf(tested) !== routeOf(before)) throw new AppFailure({ code: 'tokenMissing' });
    }
    const usedToken = token?.trim() ?? (before ? await storedTokenFor(before, baseAddress) : null);
    return {
      baseAddress,
      insecureAllowed,
      getToken: () => usedToken,
      authorities: authority?.pem,
      certificate,
      passphrase: await passphrases.openingFor(certificate, before, passphrase),
      findProxy: proxies.finderFor(draft.proxy),
    };
  }

  return {
    read,
    test: async (input: Input<'services.test'>) => testConnection(await connectionOf(input), clock),
    tryObject: async (input: Input<'services.tryObject'>) => tryObject(await connectionOf(input), clock),
  };
}
