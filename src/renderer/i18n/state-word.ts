import type { Transfer, TransferState } from '../../shared/domain/transfer.ts';
import { transferTexts } from './transfer-texts.ts';

/** The state of a transfer in one word. A secret is a single small value, so it is sent or fetched. */
export function stateWord(state: TransferState, kind: Transfer['kind'] = 'data'): string {
  const words = transferTexts.state;
  switch (state) {
    case 'uploading':
      return kind === 'secret' ? words.sending : words.uploading;
    case 'downloading':
    case 'ready':
      return kind === 'secret' ? words.fetching : words.downloading;
    case 'unsure':
    case 'verifying':
      return words.verifying;
    case 'waiting':
    case 'processing':
    case 'done':
    case 'lost':
    case 'failed':
    case 'cancelled':
      return words[state];
  }
}
