import { z } from 'zod';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../storage/database.ts';
import { openCollection } from '../database/collection.ts';
import type { ProfileBook } from '../connections/service-repository.ts';

const mostChoices = 500;

/** The classifications of a profile whose previews are fetched unasked; null is the service default. */
const choicesSchema = z.object({ automatic: z.array(z.string().nullable()) });

export interface PreviewChoices {
  readonly handlers: Pick<Handlers, 'objects.previewChoices' | 'objects.choosePreview'>;
  /** The profile goes. */
  forgetProfile(profileId: string): Promise<void>;
}

/** A preview fetches what is stored, which the service may log: nothing is looked at unasked until a person wants that. */
export async function createPreviewChoices(deps: {
  book: Pick<ProfileBook, 'get'>;
  documents: Pick<Documents, 'list' | 'write'>;
}): Promise<PreviewChoices> {
  const { book, documents } = deps;
  const choices = await openCollection(documents, 'previews', choicesSchema);
  const none: z.infer<typeof choicesSchema> = { automatic: [] };

  return {
    handlers: {
      'objects.previewChoices': ({ profileId }) => choices.get(profileId) ?? none,
      'objects.choosePreview': async ({ profileId, classification, isAutomatic }) => {
        await choices.update(profileId, ({ automatic } = none) => {
          // In its turn: nothing is written for a profile that went meanwhile.
          book.get(profileId);
          const others = automatic.filter((value) => value !== classification);
          return { automatic: isAutomatic ? [...others, classification].slice(-mostChoices) : others };
        });
        return undefined;
      },
    },
    forgetProfile: choices.delete,
  };
}
