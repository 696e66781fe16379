import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';

export interface Teams {
  readonly handlers: Pick<Handlers, Extract<keyof Handlers, `team.${string}`>>;
}

/** The team's list of each service that has one. */
export function createTeams(deps: { book: Pick<ServiceRepository, 'get'> }): Teams {
  const needed = (serviceId: string) => {
    deps.book.get(serviceId);
    return Promise.reject<never>(new AppFailure({ code: 'notFound', what: 'team' }));
  };
  return {
    handlers: {
      'team.status': () => ({ revision: 0, team: null }),
      'team.readInvitation': () =>
        Promise.reject(new AppFailure({ code: 'badInvitation', problem: 'newer' })),
      'team.look': () => Promise.reject(new AppFailure({ code: 'teamServer', why: 'unreachable', host: '' })),
      'team.earlier': () => ({ count: 0 }),
      'team.join': ({ serviceId }) => needed(serviceId),
      'team.signIn': ({ serviceId }) => needed(serviceId),
      'team.retry': ({ serviceId }) => needed(serviceId),
      'team.sync': ({ serviceId }) => needed(serviceId),
      'team.leave': ({ serviceId }) => needed(serviceId),
      'team.people': () => ({ me: null, people: [] }),
      'team.invite': ({ serviceId }) => needed(serviceId),
      'team.keptApart': () => ({ entries: [] }),
      'team.settle': ({ serviceId }) => needed(serviceId),
    },
  };
}
