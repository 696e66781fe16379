import { isHearsay } from '../../shared/domain/claims.ts';
import type { Context } from '../context.ts';
import { secretTexts as texts } from './texts.ts';

/**
 * Says which newer versions of a service's secrets are not taken because nobody here has read them (`newestStored`): otherwise it would go
 * unnoticed that somebody else has renewed a secret.
 */
export async function tellUnread(
  { coffer, output }: Pick<Context, 'coffer' | 'output'>,
  serviceId: string,
  identifiers: readonly string[],
): Promise<void> {
  const wanted = [...new Set(identifiers)];
  const { objects } = await coffer.call('command.find', {
    serviceId,
    kind: 'secret',
    identifiers: wanted,
    newest: true,
  });
  const told = new Set<string>();
  for (const [index, identifier] of wanted.entries()) {
    const row = objects[index];
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
