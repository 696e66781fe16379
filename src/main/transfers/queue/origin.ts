import type { Connections } from '../../connections/connections.ts';

/**
 * A request made for one origin never runs against another: neither its token nor its bytes may go there, and what is known about it
 * holds for that origin only.
 */
interface Asked {
  readonly serviceId: string;
  readonly origin: string;
}

/** @param origin the origin of a client or of a service */
export function isFor({ origin: askedAt }: Pick<Asked, 'origin'>, origin: string): boolean {
  return askedAt === origin;
}

/** Whether the service still exists and has the same origin. */
export function isAtOrigin(connections: Pick<Connections, 'serviceIds' | 'originOf'>, asked: Asked): boolean {
  const { serviceId } = asked;
  return connections.serviceIds().includes(serviceId) && isFor(asked, connections.originOf(serviceId));
}
