import type { ListedObject } from '../../shared/contract.ts';
import { unverifiedFacts } from '../../shared/domain/unverified.ts';
import type { Transfer, TransferState } from '../../shared/domain/transfer.ts';

/* Output of `--json`, documented in docs/command-line.md and checked by test-support/command/json-schemas.ts. */

export function objectJson(row: ListedObject): object {
  const {
    identifier,
    kind,
    state,
    lengthBytes,
    sha256,
    classification,
    storedAtMs,
    checkedAtMs,
    note,
    renewBy = null,
    storedBy = null,
  } = row;
  return {
    identifier,
    kind,
    state,
    lengthBytes,
    sha256,
    classification,
    stored: toIso(storedAtMs),
    checked: toIso(checkedAtMs),
    note,
    renewBy,
    unseen: unverifiedFacts(row),
    storedBy,
  };
}

/** The command line shows fewer states than the window (docs/command-line.md). */
export function stateWord(state: TransferState): Exclude<TransferState, 'unsure' | 'ready' | 'lost'> {
  if (state === 'unsure') return 'verifying';
  if (state === 'ready') return 'downloading';
  return state === 'lost' ? 'failed' : state;
}

/** @param path the file that a download was saved as, absolute; null: not known here */
export function transferJson(transfer: Transfer, path: string | null = null): object {
  const { id, direction, identifier, state, waitingFor, doneBytes, totalBytes, error, outcome } = transfer;
  const { batch } = transfer;
  return {
    id,
    direction,
    identifier,
    state: stateWord(state),
    waitingFor,
    doneBytes,
    totalBytes,
    error: error?.code ?? null,
    outcome: outcome?.kind ?? null,
    fileName: outcome?.kind === 'saved' ? outcome.fileName : null,
    path,
    ...(batch !== undefined && { batch }),
  };
}

export function toIso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
