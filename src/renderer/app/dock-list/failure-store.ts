import { create } from 'zustand';
import type { CauseKey } from '../../../shared/domain/transfer-summary.ts';
import type { Direction, Tab } from '../../../shared/domain/transfer.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Remedy } from './remedies.ts';

/** One failed transfer, or several with the same failure. */
export type Failure = {
  /** `jobs`: a deferred request. */
  list: Tab;
  serviceId: string;
  /** The identifier; for several, their number and the reason. */
  name: string;
  /** null: several, in both directions. */
  direction: Direction | null;
  which: number[] | CauseKey;
  error: AppError;
  /** Technical details for the service's operator. */
  facts: string;
  remedies: readonly Remedy[];
  /** Expands the group into its transfers. */
  showEach?: () => void;
};

/** The failure on show, or being edited. */
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
