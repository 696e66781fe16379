import { hash } from 'node:crypto';
import { ownerOf } from '../../../../src/shared/domain/made-names.ts';
import { countParts, writeManifest, type Manifest } from '../../../../src/main/transfers/parts/manifest.ts';
import { manifestIn } from '../manifest-in.ts';
import type { SimulatedService, Version } from '../simulated-service.ts';

const read = new Map<string, Manifest | null>();

/** Parses a text stored under this identifier as a manifest; null: not a manifest. */
export function listAt(identifier: string, text: string): Manifest | null {
  if (!text.startsWith('{"coffer')) return null;
  const key = `${identifier} ${text}`;
  const known = read.get(key);
  if (known !== undefined) return known;
  const list = manifestOf(identifier, text);
  read.set(key, list);
  return list;
}

/** Accepts only a manifest in canonical form that names parts of this object alone. */
function manifestOf(identifier: string, text: string): Manifest | null {
  const list = manifestIn(text);
  if (list === null || list.parts.length !== countParts(list)) return null;
  const digests = list.parts.map(({ sha256 }) => sha256);
  const base = [identifier, ownerOf(identifier)].find(
    (each) => writeManifest({ ...list, base: each, digests }) === text,
  );
  return base === undefined ? null : { ...list, base };
}

/** Digest of the file stored there, whole or in parts. */
export function digestAt(identifier: string, text: string): string {
  return listAt(identifier, text)?.sha256 ?? hash('sha256', text);
}

/** The version stored under the identifier now. */
export function versionAt(service: SimulatedService, identifier: string): Version | null {
  const last = service.versions.get(identifier)?.at(-1);
  return last?.untilMs === Infinity ? last : null;
}

/** Identifiers that ever held a manifest naming this part. */
export function listsNaming(service: SimulatedService, partId: string): string[] {
  return [...service.versions].flatMap(([identifier, stored]) =>
    stored.some(({ text }) => listAt(identifier, text)?.parts.some(({ id }) => id === partId))
      ? [identifier]
      : [],
  );
}
