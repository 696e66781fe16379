import type { AppError } from '../../shared/errors.ts';
import type { ServiceClient } from '../service/client.ts';

/** What the rest needs of a service to work with its service. */
export interface ServiceFacts {
  readonly id: string;
  readonly name: string;
  readonly maxObjectBytes: number | null;
  readonly maxSecretBytes: number | null;
  /** What is over the limit may go in parts. */
  readonly allowsParts: boolean;
  readonly identifierTemplate: string;
  readonly separator: string;
  /** `versionMarkDefault`, or another that a person chose. */
  readonly versionMark: string;
  /** Absolute. */
  readonly downloadFolder: string;
  /** Nobody chose it, so it is made when it is not there. One that a person chose and that is gone is said to be. */
  readonly downloadFolderIsDefault: boolean;
}

export type ConnectionVerdict = 'ready' | 'tokenRefused' | 'unreachable';

/** The door to the services of all services. */
export interface Connections {
  /**
   * A client for what the service is now, and the origin it leads to. It reads the token of this origin and of no other,
   * and takes no more requests once the service's address, way there, certificates or permission to go without encryption
   * changed: then it throws `cancelled`. @throws AppFailure notFound (service)
   */
  openFor(serviceId: string): Promise<{ client: ServiceClient; origin: string }>;
  /** Origin and path prefix of the base address, `local` for the built-in service. @throws AppFailure notFound (service) */
  originOf(serviceId: string): string;
  serviceIds(): string[];
  /** The client of `openFor`. @throws AppFailure notFound (service) */
  clientOf(serviceId: string): Promise<ServiceClient>;
  /** @throws AppFailure notFound (service) */
  factsOf(serviceId: string): Promise<ServiceFacts>;
  /** What a request just showed. `tokenRefused` pauses everything of the service until `onReady`. */
  report(serviceId: string, verdict: ConnectionVerdict, trouble?: AppError): void;
  /** Called when a service that was refused or unreachable is ready again: a new token, or the service came back. */
  onReady(listener: (serviceId: string) => void): () => void;
}
