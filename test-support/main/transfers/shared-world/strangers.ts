import { writeManifest, type Manifest } from '../../../../src/main/transfers/parts/manifest.ts';
import type { SimulatedService } from '../simulated-service.ts';
import { listAt, versionAt } from './lists.ts';
import type { Luck } from './luck.ts';
import type { Names } from './names.ts';

/** Requests by others, with other clients or a faulty Coffer. */
export function createStranger(service: SimulatedService, names: Names, { pick, upTo }: Luck) {
  function store(identifier: string, text: string): string {
    if (service.get(identifier) === undefined) service.put(identifier, Buffer.from(text), 'stranger');
    return identifier;
  }

  function lists(): { identifier: string; text: string; list: Manifest }[] {
    return [...service.versions.keys()].flatMap((identifier) => {
      const text = versionAt(service, identifier)?.text ?? '';
      const list = listAt(identifier, text);
      return list === null ? [] : [{ identifier, text, list }];
    });
  }

  return {
    stores: () => store(names.any(), `a stranger's ${upTo(1e6)}`),
    deletes: () => {
      const identifier = names.ofService(service);
      service.remove(identifier, 'stranger');
      return identifier;
    },
    replaces: (identifier: string) => {
      service.remove(identifier, 'stranger');
      if (upTo(10) < 7) store(identifier, `in between ${upTo(1e6)}`);
    },
    /** Stores a manifest that names parts of somebody else, unchanged or altered. */
    storesList: () => {
      const all = lists();
      if (all.length === 0) return 'there is none';
      const { identifier, text, list } = pick(all);
      const digests = list.parts.map(({ sha256 }) => sha256);
      const content = { ...list, digests };
      const huge = Number.MAX_SAFE_INTEGER;
      const texts = [
        text,
        writeManifest({ ...content, name: 'another', created: '2020-01-01T00:00:00.000Z' }),
        writeManifest({ ...content, size: huge }),
        writeManifest({ ...content, size: huge, split: { ...list.split, bytes: huge } }),
        writeManifest({ ...content, size: list.split.bytes, digests: digests.slice(0, 1) }),
      ];
      const beside = [
        `${identifier}@2`,
        `${identifier}@3`,
        `${identifier} (2)`,
        `${identifier}~o-0123456789abcdef`,
      ];
      return store(pick([identifier, names.any(), ...beside]), pick(texts));
    },
  };
}
