import type { AppError } from '../../shared/errors.ts';
import type { ServiceClient } from '../service/client.ts';

/** What the rest needs of a profile to work with its service. */
export interface ProfileFacts {
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

/** The door to the services of all profiles. */
export interface Connections {
  /**
   * A client for what the profile is now, and the origin it leads to. It reads the token of this origin and of no other,
   * and takes no more requests once the profile's address, way there, certificates or permission to go without encryption
   * changed: then it throws `cancelled`. @throws AppFailure notFound (profile)
   */
  openFor(profileId: string): Promise<{ client: ServiceClient; origin: string }>;
  /** Origin and path prefix of the base address, `local` for the built-in service. @throws AppFailure notFound (profile) */
  originOf(profileId: string): string;
  profileIds(): string[];
  /** The client of `openFor`. @throws AppFailure notFound (profile) */
  clientOf(profileId: string): Promise<ServiceClient>;
  /** @throws AppFailure notFound (profile) */
  factsOf(profileId: string): Promise<ProfileFacts>;
  /** What a request just showed. `tokenRefused` pauses everything of the profile until `onReady`. */
  report(profileId: string, verdict: ConnectionVerdict, trouble?: AppError): void;
  /** Called when a profile that was refused or unreachable is ready again: a new token, or the service came back. */
  onReady(listener: (profileId: string) => void): () => void;
}
