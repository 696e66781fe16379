import { isFinished, tabSchema, type Transfer } from '../../shared/domain/transfer.ts';
import { formatProgress } from '../../shared/i18n/format.ts';
import type { Context, Run } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { findTransfers } from '../transfers/find-transfers.ts';
import { stateWord, transferJson } from '../terminal/json.ts';
import { rowOf } from '../terminal/layout.ts';
import type { Output } from '../terminal/output.ts';
import { commandTexts as texts } from '../texts.ts';

const limit = 500;

function lineOf(output: Output, transfer: Transfer): string {
  const { id, direction, identifier, state, doneBytes, totalBytes } = transfer;
  const bytes = totalBytes === null ? '' : formatProgress(doneBytes, totalBytes);
  const word = stateWord(state).padEnd(11);
  return rowOf(output, [String(id).padStart(6), direction.padEnd(8), word, bytes.padStart(18)], identifier);
}

/** The transfers of all tabs. */
export async function allTransfers({ coffer }: Context): Promise<Transfer[]> {
  const ids: number[] = [];
  for (const tab of tabSchema.options) {
    for (let offset = 0, total = 1; offset < total; offset += limit) {
      const page = await coffer.call('transfers.page', { tab, offset, limit });
      ids.push(...page.rows.map(({ id }) => id));
      total = page.total;
    }
  }
  return findTransfers({ coffer }, ids);
}

/** `coffer transfers [--follow]` */
export function transfers({ follow }: { follow: boolean }): Run {
  return async (context) => {
    const { coffer, output, interrupted, makeWay } = context;
    const told = new Map<number, string>();
    const tell = async () => {
      const all = await allTransfers(context);
      for (const transfer of all) {
        const now = `${stateWord(transfer.state)} ${transfer.waitingFor ?? ''}`;
        if (told.get(transfer.id) !== now) output.result(lineOf(output, transfer), transferJson(transfer));
        told.set(transfer.id, now);
      }
      return all.some(({ state }) => !isFinished(state));
    };
    if (!follow) {
      await tell();
      if (told.size === 0) output.say(texts.noTransfers);
      return exitCodes.done;
    }
    let next = Promise.withResolvers<void>();
    await coffer.follow('transfers.changed', () => next.resolve());
    for (const signal of [interrupted, makeWay]) signal.addEventListener('abort', () => next.resolve());
    while (await tell()) {
      if (!interrupted.aborted && !makeWay.aborted) await Promise.race([next.promise, coffer.gone]);
      interrupted.throwIfAborted();
      if (makeWay.aborted) {
        output.error(texts.error({ text: texts.appStarts }));
        return exitCodes.tryLater;
      }
      next = Promise.withResolvers();
    }
    return exitCodes.done;
  };
}

/** `coffer pause`, `coffer resume` */
export function pause(isPaused: boolean): Run {
  return async ({ coffer }) => {
    await coffer.call(isPaused ? 'transfers.pause' : 'transfers.resume', { which: 'all' });
    return exitCodes.done;
  };
}

/** `coffer cancel [N…]` */
export function cancel(ids: number[]): Run {
  return async ({ coffer, output }) => {
    if (ids.length > 0) {
      const { transfers: found } = await coffer.call('command.transfers', { ids });
      const missing = ids.filter((id) => !found.some((transfer) => transfer.id === id));
      for (const id of missing) output.error(texts.noSuchTransfer({ id: String(id) }));
      if (missing.length > 0) return exitCodes.notFound;
    }
    if (ids.length === 0) await coffer.call('command.cancelAll', undefined);
    else await coffer.call('transfers.cancel', { which: ids });
    return exitCodes.done;
  };
}
