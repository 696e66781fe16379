import { goesInParts } from '../../shared/domain/parts.ts';
import { provenDigest } from '../../shared/domain/unverified.ts';
import type { Connections } from '../connections/connections.ts';
import { smallBytes } from '../transfers/model/record.ts';
import type { Base } from '../transfers/model/state.ts';
import { checkPresence } from '../bulk-operations/check-objects.ts';
import type { RetryingRequest } from '../transfers/queue/retrying-request.ts';
import { sumUpBody } from '../service/bodies.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { peekManifest } from '../transfers/parts/read-manifest.ts';

export type Compared =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly lengthBytes: number | null }
  | { readonly kind: 'deleted' };

/**
 * Whether the object at the service is still the one that was opened. Compares the length (section 4.1, Check Data); for
 * small objects, or if the list has another digest, also the bytes; for files in parts that the list does not know as such,
 * the digest in the manifest. Waits while the service does not answer.
 * @throws the signal's reason, AppFailure if retrying cannot help
 */
export async function compareWithBase(
  deps: {
    request: RetryingRequest;
    catalogue: Pick<Catalogue, 'findByIdentifiers'>;
    connections: Pick<Connections, 'factsOf'>;
  },
  { serviceId, identifier }: { serviceId: string; identifier: string },
  base: Base,
  signal: AbortSignal,
): Promise<Compared> {
  const { request, catalogue, connections } = deps;
  const seen = await checkPresence(request, { serviceId, identifier }, signal);
  if (!seen.present) return { kind: 'deleted' };
  const { lengthBytes } = seen;
  const listed = (await catalogue.findByIdentifiers(serviceId, 'data', [identifier])).get(identifier);
  const parts = listed && provenDigest(listed) === base.sha256 ? listed.parts : undefined;
  // An object in parts stores its manifest under the identifier.
  const there = parts ? { lengthBytes: parts.manifestBytes, sha256: parts.manifestSha256 } : base;
  if (lengthBytes !== null && lengthBytes !== there.lengthBytes)
    return !parts && (await isListOfBase()) ? { kind: 'same' } : { kind: 'changed', lengthBytes };
  const isDoubtful = listed?.sha256 != null && listed.sha256 !== base.sha256;
  if (there.lengthBytes > smallBytes && !isDoubtful) return { kind: 'same' };
  const found = await request(serviceId, signal, async (service) => {
    const { body } = await service.get(identifier);
    // A different length means a different object, so stop reading there.
    return sumUpBody(body, there.lengthBytes);
  });
  return found?.sha256 === there.sha256 ? { kind: 'same' } : { kind: 'changed', lengthBytes };

  async function isListOfBase(): Promise<boolean> {
    const facts = await connections.factsOf(serviceId);
    if (!goesInParts(base.lengthBytes, facts)) return false;
    return request(serviceId, signal, async (service) => {
      const { body } = await service.get(identifier);
      const { reading } = await peekManifest(body, identifier);
      return reading.kind === 'manifest' && reading.manifest.sha256 === base.sha256;
    });
  }
}
