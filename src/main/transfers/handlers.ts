import type { Handlers } from '../../shared/contract.ts';
import type { Desktop } from '../ports.ts';
import type { Transfers } from './transfers.ts';

type Name = 'page' | 'cancel' | 'retry' | 'clear' | 'showInFolder' | 'question' | 'answer';

/** The window's side of the transfers. */
export function createTransferHandlers(
  transfers: Transfers,
  desktop: Pick<Desktop, 'showInFolder'>,
): Pick<Handlers, `transfers.${Name}`> {
  return {
    'transfers.page': ({ offset, limit }) => transfers.page(offset, limit),
    'transfers.cancel': async ({ which }) => {
      await transfers.cancel(which);
      return undefined;
    },
    'transfers.retry': async ({ which }) => {
      await transfers.retry(which);
      return undefined;
    },
    'transfers.clear': ({ group }) => {
      transfers.clear(group);
      return undefined;
    },
    'transfers.showInFolder': ({ id }) => {
      desktop.showInFolder(transfers.savedPathOf(id));
      return undefined;
    },
    'transfers.question': async ({ transferId }) => ({ question: await transfers.question(transferId) }),
    'transfers.answer': ({ transferId, answer, applyToAll }) => {
      transfers.answer(transferId, answer, applyToAll);
      return undefined;
    },
  };
}
