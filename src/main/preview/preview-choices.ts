import { z } from 'zod';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
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
  const none: z.infer<typeof choicesSchema> = { automatic: [] };

  return {
    handlers: {
      'objects.previewChoices': ({ serviceId }) => choices.get(serviceId) ?? none,
      'objects.choosePreview': async ({ serviceId, classification, isAutomatic }) => {
        await choices.update(serviceId, ({ automatic, asked = [] } = none) => {
          // Inside the mutex: throws if the service was removed meanwhile.
          repository.get(serviceId);
          const others = automatic.filter((value) => value !== classification);
          const othersAsked = asked.filter((value) => value !== classification);
          return {
            automatic: isAutomatic ? [...others, classification].slice(-maxChoices) : others,
            asked: [...othersAsked, classification].slice(-maxChoices),
          };
        });
        return undefined;
      },
    },
    forgetService: choices.delete,
  };
}

export async function previewChoices(host: Host): Promise<PreviewChoices['handlers']> {
  const own = await createPreviewChoices(host);
  host.onServiceRemoved((serviceId) => own.forgetService(serviceId));
  return own.handlers;
}
