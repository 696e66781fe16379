import type { Handlers } from '../../shared/contract.ts';
import { makeLink, readLink, type ObjectLink } from '../object-link.ts';
import { isSameOrigin, originOf } from '../connections/origins.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { requireObject } from '../objects/require-object.ts';
import type { Desktop, Publisher } from '../ports.ts';

export interface Links {
  readonly handlers: Pick<Handlers, 'links.take' | 'links.copy'>;
  /** Call with a text that the system asks to open. The window takes it when it is ready. */
  readonly open: (text: string) => void;
}

/** Links to objects. Opening one sends no request: anyone may have written it, so the person decides first. */
export function createLinks(deps: {
  repository: Pick<ServiceRepository, 'list' | 'get'>;
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers'>;
  desktop: Pick<Desktop, 'writeClipboardText'>;
  publisher: Publisher;
}): Links {
  const { repository, catalogue, desktop, publisher } = deps;
  /** undefined: none; null: invalid. */
  let opened: ObjectLink | null | undefined;

  return {
    open(text) {
      opened = readLink(text);
      publisher.publish('links.opened', undefined);
    },
    handlers: {
      async 'links.take'() {
        const link = opened;
        opened = undefined;
        if (link === undefined) return { link: null };
        if (link === null) return { link: { kind: 'unreadable' } };
        const { address, identifier } = link;
        const services = await Promise.all(
          repository.list().map(async (service) => {
            const object = await findRenamed(catalogue, service.id, identifier);
            return {
              serviceId: service.id,
              isAtAddress: isSameOrigin(originOf(service), address),
              // It may have been stored again since it was deleted.
              objectId: object === null || object.state === 'gone' ? null : object.id,
            };
          }),
        );
        return { link: { kind: 'object', address, identifier, services } };
      },
      async 'links.copy'({ objectId }) {
        const object = await requireObject(catalogue, objectId);
        const address = originOf(repository.get(object.serviceId));
        await desktop.writeClipboardText(makeLink({ address, identifier: object.identifier }));
        return undefined;
      },
    },
  };
}

/** The object of an identifier, under its present one; null: the list has none. */
async function findRenamed(
  catalogue: Pick<Catalogue, 'findByIdentifiers'>,
  serviceId: string,
  identifier: string,
): Promise<ObjectRecord | null> {
  const seen = new Set<string>();
  let at = identifier;
  for (;;) {
    const object = (await catalogue.findByIdentifiers(serviceId, 'data', [at])).get(at) ?? null;
    const { state, movedTo } = object ?? {};
    if (state !== 'gone' || movedTo === undefined || seen.has(movedTo)) return object;
    seen.add(movedTo);
    at = movedTo;
  }
}
