import { z } from 'zod';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
import { Emitter } from '../lib/emitter.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';
import type { Host } from '../host.ts';

const maxChoices = 500;

const classifications = z.array(z.string().nullable());
/**
 * The classifications of a service whose previews are fetched automatically, and those about which the person was asked; null: the
 * service default.
 */
const choicesSchema = z.object({ automatic: classifications, asked: classifications.optional() });

export interface PreviewChoices {
  readonly handlers: Pick<Handlers, 'objects.previewChoices' | 'objects.choosePreview'>;
  /** Whether previews of a classification are fetched automatically. */
  isAutomatic(serviceId: string, classification: string | null): boolean;
  readonly onRefused: (listener: () => void) => () => void;
  /** Call when the service is removed. */
  forgetService(serviceId: string): Promise<void>;
}

/**
 * Fetching a preview reads the object, which the service may log: nothing is fetched automatically unless the person
 * wants it.
 */
export async function createPreviewChoices(deps: {
  repository: Pick<ServiceRepository, 'get'>;
  documents: Pick<Documents, 'list' | 'write'>;
}): Promise<PreviewChoices> {
  const { repository, documents } = deps;
  const choices = await openCollection(documents, 'previews', choicesSchema);
  const refused = new Emitter<[]>();
  const none: z.infer<typeof choicesSchema> = { automatic: [] };

  return {
    handlers: {
      'objects.previewChoices': ({ serviceId }) => choices.get(serviceId) ?? none,
      'objects.choosePreview': async ({ serviceId, classification, isAutomatic }) => {
        let isRefused = false;
        await choices.update(serviceId, ({ automatic, asked = [] } = none) => {
          // Inside the mutex: throws if the service was removed meanwhile.
          repository.get(serviceId);
          isRefused = !isAutomatic && automatic.includes(classification);
          const others = automatic.filter((value) => value !== classification);
          const othersAsked = asked.filter((value) => value !== classification);
          return {
            automatic: isAutomatic ? [...others, classification].slice(-maxChoices) : others,
            asked: [...othersAsked, classification].slice(-maxChoices),
          };
        });
        if (isRefused) refused.fire();
        return undefined;
      },
    },
    isAutomatic: (serviceId, classification) =>
      (choices.get(serviceId) ?? none).automatic.includes(classification),
    onRefused: refused.event,
    forgetService: choices.delete,
  };
}

export async function previewChoices(host: Host): Promise<PreviewChoices> {
  const own = await createPreviewChoices(host);
  host.onServiceRemoved((serviceId) => own.forgetService(serviceId));
  return own;
}
