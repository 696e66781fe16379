import type { Input, Output } from '../../shared/contract.ts';
import { changesWay, serviceDraftSchema } from '../../shared/domain/service.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Router } from '../ipc/router.ts';

/**
 * For commands: sends a stored token only to the address and over the proxy that the person chose. Any program of this user can act as a
 * command, so one that names another address, proxy or certificate must supply the token itself.
 */
export function keepTokensSafe(router: Router): Router {
  return async (name, input) => {
    const refused = await refusalOf(name, input);
    return refused ? { ok: false, error: refused } : router(name, input);
  };

  async function refusalOf(name: unknown, input: unknown): Promise<AppError | null> {
    if (name !== 'services.update' && name !== 'services.test' && name !== 'services.tryObject') return null;
    const { token, ...of } = input as Partial<Input<'services.update'> & Input<'services.test'>>;
    const id = of.id ?? of.serviceId;
    const draft = serviceDraftSchema.safeParse(of.draft).data;
    // The router rejects malformed input, and without a service there is no stored token.
    if (typeof token === 'string' || !draft || id == null) return null;
    const list = await router('services.list', undefined);
    if (!list.ok) return list.error;
    const service = (list.value as Output<'services.list'>).services.find((each) => each.id === id);
    return service && changesWay(service, draft) ? { code: 'tokenMissing' } : null;
  }
}
