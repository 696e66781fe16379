import { judgeSize, maxSecretBytes } from '../../../shared/domain/limits.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { versionIdentifier, versionOf } from '../../../shared/domain/versions.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { Connections } from '../../connections/connections.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { AddTransfers } from './add-transfers.ts';
import { nextListed } from './newest-version.ts';
import { secretRead, secretUpload, type SecretToStore } from './record-factory.ts';

/** Enqueues the requests for secrets, whose values stay in memory. */
export interface EnqueueSecrets {
  /** @throws AppFailure badIdentifier, tooLarge, exists (it is in the list already) */
  storeSecret(serviceId: string, secret: SecretToStore): Promise<{ id: number; identifier: string }>;
  /** `value` resolves when it was fetched. @throws AppFailure notFound */
  readSecret(objectId: number): Promise<{ id: number; serviceId: string; value: Promise<Uint8Array> }>;
}

export function createEnqueueSecrets(deps: {
  adding: Pick<AddTransfers, 'add' | 'askedNow'>;
  store: Pick<TransferStore, 'versions'>;
  connections: Pick<Connections, 'originOf' | 'factsOf'>;
  rowOf: (objectId: number) => Promise<ObjectRecord>;
  /** Keeps a secret's value for its record. */
  keep: (id: number, value: Uint8Array) => void;
  /** Promises the value that a record will read. */
  expect: (id: number) => Promise<Uint8Array>;
}): EnqueueSecrets {
  const { store, connections, rowOf, keep, expect } = deps;
  const { add, askedNow } = deps.adding;

  async function storeOne(
    serviceId: string,
    secret: SecretToStore,
  ): Promise<{ id: number; identifier: string }> {
    const { identifier, value } = secret;
    const verdict = checkObjectId(identifier);
    if (!verdict.ok) throw new AppFailure({ code: 'badIdentifier', problem: verdict.problem });
    const origin = connections.originOf(serviceId);
    const exactBytes = (await connections.factsOf(serviceId)).maxSecretBytes;
    if (judgeSize(value.length, maxSecretBytes, exactBytes) === 'tooLarge') {
      throw new AppFailure({ code: 'tooLarge', limitBytes: exactBytes ?? maxSecretBytes.possible });
    }
    const upload = secretUpload(askedNow(serviceId, origin), secret);
    const [id] = await add(serviceId, [upload], ([added]) => {
      if (added !== undefined) keep(added, Uint8Array.from(value));
    });
    if (id === undefined) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    return { id, identifier };
  }

  return {
    async storeSecret(serviceId, { asNewVersion = false, ...secret }) {
      if (!asNewVersion) return storeOne(serviceId, secret);
      const { separator, versionMark } = await connections.factsOf(serviceId);
      const { base } = versionOf(secret.identifier, separator, versionMark);
      for (;;) {
        const listed = await store.versions(serviceId, 'secret', base, { separator, versionMark });
        const identifier = versionIdentifier(base, separator, versionMark, nextListed(listed));
        try {
          return await storeOne(serviceId, { ...secret, identifier, asNewVersion });
        } catch (cause) {
          // Another transfer has taken the number meanwhile.
          if (toAppError(cause)?.code !== 'exists') throw cause;
        }
      }
    },

    async readSecret(objectId) {
      const row = await rowOf(objectId);
      if (row.kind !== 'secret') throw new AppFailure({ code: 'notFound', what: 'object' });
      const { serviceId } = row;
      let value: Promise<Uint8Array> | null = null;
      const [id] = await add(serviceId, [secretRead(askedNow(serviceId), row)], ([added]) => {
        if (added !== undefined) value = expect(added);
      });
      if (id === undefined || value === null) throw new AppFailure({ code: 'notFound', what: 'transfer' });
      return { id, serviceId, value };
    },
  };
}
