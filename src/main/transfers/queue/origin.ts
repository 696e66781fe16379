import type { Connections } from '../../connections/connections.ts';

/**
 * What was asked for at one origin never runs against another: neither its token nor its bytes may go there, and what is known of it is
 * true of no other place. Outside of the database nothing else compares the two.
 */
interface Asked {
  readonly serviceId: string;
  readonly origin: string;
}

/** @param origin where a client leads to, or a service is */
export function isFor({ origin: askedAt }: Pick<Asked, 'origin'>, origin: string): boolean {
  return askedAt === origin;
}

/** Its service is there, and where it was. */
export function isAtOrigin(connections: Pick<Connections, 'serviceIds' | 'originOf'>, asked: Asked): boolean {
  const { serviceId } = asked;
  return connections.serviceIds().includes(serviceId) && isFor(asked, connections.originOf(serviceId));
}
