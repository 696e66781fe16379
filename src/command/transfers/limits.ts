import { InvalidArgumentError, type Command } from 'commander';
import type { Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { selectionTexts as texts } from '../files/selection-texts.ts';

export interface LimitOptions {
  /** Bytes per second. */
  readonly limitRate?: number;
  readonly transfers?: number;
}

const factors = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };
/** The limits of the settings. */
const [leastRate, maxTransfers] = [1024, 64];

/** Adds `--limit-rate` and `--transfers`. */
export function addLimits(command: Command): Command {
  return command
    .option('--limit-rate <bytes>', texts.limitRate, toRate)
    .option('--transfers <number>', texts.transfers, toTransfers);
}

/** Limits a command's transfers. @throws Usage if another process does the work: that one has the limits of its settings */
export function limited(run: Run, { limitRate, transfers }: LimitOptions): Run {
  return async (context) => {
    const { coffer, doneBy } = context;
    if (limitRate !== undefined || transfers !== undefined) {
      if (doneBy !== 'thisCommand') throw new Usage(texts.limitsOf[doneBy], exitCodes.tryLater);
      await coffer.call('command.limit', {
        ...(transfers !== undefined && { transfersAtOnce: transfers }),
        ...(limitRate !== undefined && { bytesPerSecond: limitRate }),
      });
    }
    return run(context);
  };
}

function toRate(given: string): number {
  const [, number = '', unit = ''] = /^([0-9]{1,9}(?:\.[0-9]{1,3})?)([kmg]?)$/i.exec(given) ?? [];
  const rate = Math.round(Number(number) * factors[unit.toLowerCase() as keyof typeof factors]);
  if (number === '' || rate < leastRate) throw new InvalidArgumentError(texts.notARate);
  return rate;
}

function toTransfers(given: string): number {
  const number = Number(given);
  if (!/^[0-9]{1,2}$/.test(given) || number < 1 || number > maxTransfers)
    throw new InvalidArgumentError(texts.notTransfers({ max: maxTransfers }));
  return number;
}
