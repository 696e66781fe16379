import type { IfExists, RequestKind } from '../../../../src/shared/domain/service.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Wishes } from './wishes.ts';

export interface PersonOptions {
  readonly who: string;
  readonly folder: string;
  readonly clock: VirtualClock;
  readonly service: SimulatedService;
  readonly wishes: Wishes;
  /** Several ids mean services of one origin. */
  readonly serviceIds: readonly string[];
  readonly problems: unknown[];
  /** Each person has settings of their own. */
  readonly versionMark?: string | undefined;
}

export interface FileToUpload {
  readonly serviceId: string;
  readonly identifier: string;
  readonly text: string;
  readonly ifExists: IfExists;
  readonly route: RequestKind;
  readonly classification: string | null;
  /** Set as the modification time, as far as the file system can represent it. */
  readonly modified: Date | number;
}
