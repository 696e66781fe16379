import { isHearsay } from '../../shared/domain/claims.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { Context } from '../context.ts';
import { secretTexts as texts } from './texts.ts';

/**
 * Says which newer versions are not taken because nobody here has read them (`newestStored`): otherwise it would go unnoticed that somebody else
 * has renewed a secret.
 */
export async function tellUnread(
  { coffer, output }: Pick<Context, 'coffer' | 'output'>,
  some: readonly { readonly service: Pick<Service, 'id'>; readonly identifier: string }[],
): Promise<void> {
  const told = new Set<string>();
  for (const { service, identifier } of some) {
    const { objects } = await coffer.call('command.find', {
      serviceId: service.id,
      kind: 'secret',
      identifiers: [identifier],
      newest: true,
    });
    const [row] = objects;
    if (!row) continue;
    const { versions = [] } = await coffer.call('objects.get', { id: row.id });
    const number = versions.find(({ object }) => object.id === row.id)?.number ?? 1;
    // With a number, exactly that version is meant.
    if (number > 1 && row.identifier === identifier) continue;
    const newer = versions.find(
      (version) => version.number > number && version.object.state === 'stored' && isHearsay(version.object),
    )?.object.identifier;
    if (newer === undefined || told.has(newer)) continue;
    told.add(newer);
    output.say(texts.unread({ identifier, newer }));
  }
}
