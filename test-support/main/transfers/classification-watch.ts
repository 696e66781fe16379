import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { isPartId, partIdOf, readManifest } from '../../../src/main/transfers/parts/manifest.ts';
import type { SimulatedService, Version } from './simulated-service.ts';

/** Of an upload: what it was to store, and with which classification. */
export interface Classified {
  readonly text: string;
  readonly classification: string | null;
}

/**
 * What we have stored has the classification that it was asked for with: each file, each part and list of one, and each copy beside
 * an object. The bytes of a stranger, whose classification nobody knows, may have any.
 */
export function lookAtClassifications(service: SimulatedService, uploads: readonly Classified[]): void {
  const asked = Map.groupBy(uploads, ({ text }) => hash('sha256', text));
  for (const [identifier, versions] of service.versions)
    for (const version of versions) if (version.by === 'us') lookAt(identifier, version, asked);
}

function lookAt(
  identifier: string,
  { text, classification }: Version,
  asked: ReadonlyMap<string, readonly Classified[]>,
): void {
  const sha256 = hash('sha256', text);
  if (isPartId(identifier)) {
    const base = identifier.slice(0, identifier.lastIndexOf('~p-'));
    assert.equal(
      identifier,
      partIdOf(base, sha256, classification),
      `${identifier} was sent as ${classification}`,
    );
    return;
  }
  const under = identifier.replace(/~[ro]-[0-9a-f]+$/, '');
  const reading = readManifest(Buffer.from(text), under, '/');
  const isList = reading.kind === 'manifest';
  if (isList) assert.equal(classification, reading.manifest.classification, `the list ${identifier}`);
  const of = asked.get(isList ? reading.manifest.sha256 : sha256) ?? [];
  if (of.length === 0) return;
  const all = of.map((each) => each.classification);
  assert.ok(
    all.includes(classification),
    `${identifier} was sent as ${classification}, and not ${all.join()}`,
  );
}
