import type { Handlers } from '../../shared/contract.ts';
import type { OpenConnections } from './open-connections.ts';
import type { ServiceRepository } from './service-repository.ts';
import type { Proxies } from './proxies.ts';
import { parseProxyAddress } from '../service/proxy.ts';

type Name = 'list' | 'signIn' | 'forget';

/** Credentials of proxies, which are shared by services. */
export function createProxyHandlers(deps: {
  proxies: Proxies;
  repository: ServiceRepository;
  connections: OpenConnections;
}): Pick<Handlers, `proxies.${Name}`> {
  const { proxies, repository, connections } = deps;

  function waitingFor(origin: string): string[] {
    const waits = (id: string) => {
      const trouble = connections.troubleOf(id);
      return trouble?.code === 'proxyFailed' && trouble.proxy === origin;
    };
    return repository.list().flatMap(({ id }) => (waits(id) ? [id] : []));
  }

  return {
    'proxies.list': async () => ({ proxies: await proxies.list() }),
    'proxies.signIn': async (given) => {
      const origin = parseProxyAddress(given.origin);
      await proxies.signIn(given);
      await Promise.all(waitingFor(origin).map((id) => connections.check(id)));
      return { isRefused: proxies.wasRefused(origin) };
    },
    'proxies.forget': async ({ origin }) => {
      await proxies.forget(parseProxyAddress(origin));
      return undefined;
    },
  };
}
