import { formatMoment, formatSize } from '../../shared/i18n/format.ts';
import type { Run } from '../context.ts';
import { findStored } from '../objects/find-objects.ts';
import { exitCodeOfAll, exitCodes } from '../errors/exit-code.ts';
import { unlessHeldUp } from '../objects/task-end.ts';
import { objectJson } from '../terminal/json.ts';
import { rowOf } from '../terminal/layout.ts';
import { commandTexts as texts } from '../texts.ts';

/** `coffer versions ID`: newest first. Also finds versions that other clients stored at the service. */
export function versions(identifier: string): Run {
  return async (context) => {
    const { coffer, output } = context;
    const service = await context.service();
    const { rows, codes } = await findStored(context, service, [identifier]);
    const [row] = rows;
    if (!row) return exitCodeOfAll(codes);
    await unlessHeldUp(context, service.id, coffer.call('objects.findVersions', { id: row.id }));
    const { object, versions: family = [{ number: 1, object: row }] } = await coffer.call('objects.get', {
      id: row.id,
    });
    const nowMs = Date.now();
    for (const { number, object: version } of family) {
      const size = version.lengthBytes === null ? '' : formatSize(version.lengthBytes);
      const stored = version.storedAtMs === null ? '' : formatMoment(version.storedAtMs, nowMs);
      const cells = [String(number).padStart(3), texts.state[version.state].padEnd(11), size.padStart(9)];
      output.result(rowOf(output, [...cells, stored.padStart(18)], version.identifier), {
        number,
        ...objectJson(version),
      });
    }
    return object.state === 'missing' ? exitCodes.notFound : exitCodes.done;
  };
}
