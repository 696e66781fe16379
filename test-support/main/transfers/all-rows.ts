import type { CauseKey } from '../../../src/shared/domain/transfer-summary.ts';
import type { Tab, Transfer } from '../../../src/shared/domain/transfer.ts';
import type { Engine } from '../../../src/main/transfers/engine.ts';

/** All transfers of a tab, including those grouped under a cause. */
export async function allOf(engine: Engine, tab: Tab): Promise<Transfer[]> {
  const all = { tab, offset: 0, limit: 100_000 };
  const { rows, summary } = await engine.page(all);
  const held = await Promise.all(
    summary[tab].causes.map(async (cause) => (await engine.page({ ...all, cause: keyOf(cause) })).rows),
  );
  return [...rows, ...held.flat()];
}

function keyOf({ serviceId, group, code }: CauseKey): CauseKey {
  return { serviceId, group, code };
}
