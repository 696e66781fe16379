import type { Handlers } from '../shared/contract.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { Objects } from './objects/objects.ts';
import type { Engine } from './transfers/engine.ts';

/** What only a command line asks for. */
export function createCommandHandlers(deps: {
  catalogue: Pick<Catalogue, 'findByIdentifiers'>;
  engine: Pick<Engine, 'ofIds'>;
  overlaid: Objects['overlaid'];
}): Pick<Handlers, 'command.find' | 'command.transfers'> {
  const { catalogue, engine, overlaid } = deps;
  return {
    'command.find': async ({ profileId, kind, identifiers }) => {
      const found = await catalogue.findByIdentifiers(profileId, kind, identifiers);
      const rows = await overlaid([...found.values()]);
      const byIdentifier = new Map(rows.map((row) => [row.identifier, row]));
      return { objects: identifiers.map((identifier) => byIdentifier.get(identifier) ?? null) };
    },
    'command.transfers': async ({ ids }) => ({ transfers: await engine.ofIds(ids) }),
  };
}
