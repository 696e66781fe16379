import { create } from 'zustand';
import type { CauseKey, Direction, Tab } from '../../../shared/domain/transfer.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Remedy } from './remedies.ts';

/** One that failed, or several that failed alike. */
export type Failure = {
  /** `jobs`: it was a deferred request. */
  list: Tab;
  serviceId: string;
  /** The identifier, or how many and why. */
  name: string;
  /** null: of several, some of each. */
  direction: Direction | null;
  which: number[] | CauseKey;
  error: AppError;
  /** For whoever runs the service. */
  facts: string;
  remedies: readonly Remedy[];
  /** Shows each of several. */
  showEach?: () => void;
};

/** What is looked at or set right now; null: nothing. */
export const useFailure = create<{ shown: Failure | null; edited: Failure | null }>()(() => ({
  shown: null,
  edited: null,
}));

export function showFailure(shown: Failure): void {
  useFailure.setState({ shown });
}

export function closeFailure(): void {
  useFailure.setState({ shown: null, edited: null });
}
