import type { Service } from '../../shared/domain/service.ts';
import type { Context, Run } from '../context.ts';
import { errorLine } from '../errors/error-line.ts';
import { exitCodeOfAll, exitCodes, passesByItself } from '../errors/exit-code.ts';
import { rowOf } from '../terminal/layout.ts';
import { commandTexts as texts } from '../texts.ts';
import { codeOfConnection } from './service.ts';

/** Interval between checks of an unreachable service, in ms. */
const checkMs = 2000;

/**
 * `coffer services [--wait SECONDS]`: shows the states that the running app knows. With `--wait` checks each service until it
 * is ready or the time is over; the exit code says whether all are ready.
 */
export function services({ asks }: { asks: boolean }): Run {
  return async (context) => {
    const { coffer, output } = context;
    const { services: all, activeId } = await coffer.call('services.list', undefined);
    const shown = asks ? await Promise.all(all.map((service) => check(context, service))) : all;
    for (const service of shown) {
      const { id, name, baseAddress, connection } = service;
      const isActive = id === activeId;
      // Not checked yet, or still without an answer.
      const known = connection === 'checking' ? null : connection;
      const words = [baseAddress, ...(known ? [texts.connection[known]] : [])];
      output.result(rowOf(output, [], `${isActive ? '*' : ' '} ${name}`, words), {
        name,
        address: baseAddress,
        connection: known,
        isActive,
      });
      if (asks && service.trouble) output.error(`${name}: ${errorLine(service.trouble)}`);
    }
    return asks ? exitCodeOfAll(shown.map(codeOfConnection)) : exitCodes.done;
  };
}

async function check({ io, coffer, interrupted, waitMs }: Context, { id }: Service): Promise<Service> {
  const untilMs = io.clock.monotonicMs() + waitMs;
  for (;;) {
    const service = await coffer.call('services.check', { id });
    const { connection, trouble } = service;
    const leftMs = untilMs - io.clock.monotonicMs();
    const isAway = connection === 'unreachable' && (!trouble || passesByItself(trouble));
    if (!isAway || leftMs <= 0) return service;
    await io.clock.delay(Math.min(checkMs, leftMs), interrupted);
  }
}
