import type { AppError } from '../../shared/errors.ts';
import { neverArrived } from '../../shared/failed-requests.ts';
import type { ServiceClient } from '../service/client.ts';

/** Properties of a service that transfers need. */
export interface ServiceFacts {
  readonly id: string;
  readonly name: string;
  readonly maxObjectBytes: number | null;
  readonly maxSecretBytes: number | null;
  /** Files over the limit may be in parts. */
  readonly allowsParts: boolean;
  readonly identifierTemplate: string;
  readonly separator: string;
  /** `versionMarkDefault`, or the user's choice. */
  readonly versionMark: string;
  /** Absolute. */
  readonly downloadFolder: string;
  /** A default folder, created if missing. A missing folder that the user chose is an error. */
  readonly downloadFolderIsDefault: boolean;
}

export type ConnectionVerdict = 'ready' | 'unstable' | 'tokenRefused' | 'unreachable';

/** What a failed request shows about its service; null: nothing. */
export function verdictOf({ code }: AppError): Exclude<ConnectionVerdict, 'ready'> | null {
  if (code === 'tokenRefused') return code;
  if (neverArrived.has(code)) return 'unreachable';
  return code === 'connectionLost' || code === 'answerTimeout' ? 'unstable' : null;
}

/** Access to the clients of all services. */
export interface Connections {
  /**
   * A client for the service's present settings, and its origin. It uses the token of this origin only. Once the service's
   * address, proxy, certificates or permission for unencrypted connections change, its requests reject with `cancelled`.
   * @throws AppFailure notFound (service)
   */
  openFor(serviceId: string): Promise<{ client: ServiceClient; origin: string }>;
  /** Origin and path prefix of the base address, `local` for the built-in service. @throws AppFailure notFound (service) */
  originOf(serviceId: string): string;
  serviceIds(): string[];
  /** The client of `openFor`. @throws AppFailure notFound (service) */
  clientOf(serviceId: string): Promise<ServiceClient>;
  /** `ServiceClient.momentOf` of the open client; `ownMs` if none is open. */
  readonly momentOf: (serviceId: string, ownMs: number) => number;
  /** @throws AppFailure notFound (service) */
  factsOf(serviceId: string): Promise<ServiceFacts>;
  /** Reports the result of a request. `tokenRefused` pauses the service until `onReady`; `unstable` has it checked. */
  report(serviceId: string, verdict: ConnectionVerdict, trouble?: AppError): void;
  /** Called when a service is ready again: it got a new token or became reachable. */
  onReady(listener: (serviceId: string) => void): () => void;
}
