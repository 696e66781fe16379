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
  /** Several are services of one origin. */
  readonly serviceIds: readonly string[];
  readonly problems: unknown[];
  /** Each has settings of its own. */
  readonly versionMark?: string | undefined;
}

export interface FileToUpload {
  readonly serviceId: string;
  readonly identifier: string;
  readonly text: string;
  readonly ifExists: IfExists;
  readonly route: RequestKind;
  readonly classification: string | null;
  /** As the file system keeps it, which may not be able to. */
  readonly modified: Date | number;
}
