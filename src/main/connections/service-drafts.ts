import type { Input } from '../../shared/contract.ts';
import type { ServiceDraft } from '../../shared/domain/service.ts';
import { isRepeated } from '../../shared/domain/folder.ts';
import { checkVersionMark } from '../../shared/domain/versions.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Grants } from '../local-files/grants.ts';
import type { Clock } from '../ports.ts';
import { parseBaseAddress } from '../service/base-address.ts';
import { parseProxyAddress } from '../service/proxy.ts';
import { requireOpens } from './certificate-file.ts';
import { resolveAuthority, resolveCertificate, resolveChoices } from './draft-choices.ts';
import type { Passphrases } from './passphrases.ts';
import type { ServiceRepository, StoredService } from './service-repository.ts';
import type { Proxies } from './proxies.ts';
import { testConnection, type TestedConnection } from './test-connection.ts';
import { routeOf } from './token-route.ts';
import type { Tokens } from './tokens.ts';
import { tryObject } from './try-object.ts';

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
