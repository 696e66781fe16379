import { z } from 'zod';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../catalogue/catalogue.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import { KeyedMutex } from '../lib/async.ts';

const collection = 'previews';
const mostChoices = 500;

/** The classifications of a profile whose previews are fetched unasked; null is the service default. */
const choicesSchema = z.object({ automatic: z.array(z.string().nullable()) });

export interface PreviewChoices {
  readonly handlers: Pick<Handlers, 'objects.previewChoices' | 'objects.choosePreview'>;
  /** The profile goes. */
  forgetProfile(profileId: string): Promise<void>;
}

/** A preview fetches what is stored, which the service may log: nothing is looked at unasked until a person wants that. */
export function createPreviewChoices(deps: {
  book: Pick<ProfileBook, 'get'>;
  documents: Pick<Documents, 'get' | 'put' | 'delete'>;
}): PreviewChoices {
  const { book, documents } = deps;
  const mutex = new KeyedMutex<string>();

  async function recall(profileId: string): Promise<z.infer<typeof choicesSchema>> {
    return choicesSchema.catch({ automatic: [] }).parse(await documents.get(collection, profileId));
  }

  return {
    handlers: {
      'objects.previewChoices': ({ profileId }) => recall(profileId),
      'objects.choosePreview': async ({ profileId, classification, isAutomatic }) => {
        await mutex.runExclusive(profileId, async () => {
          const { automatic } = await recall(profileId);
          // After the wait: nothing is written for a profile that went meanwhile.
          book.get(profileId);
          const others = automatic.filter((value) => value !== classification);
          const chosen = isAutomatic ? [...others, classification].slice(-mostChoices) : others;
          await documents.put(collection, profileId, { automatic: chosen });
        });
        return undefined;
      },
    },
    forgetProfile: (profileId) =>
      mutex.runExclusive(profileId, () => documents.delete(collection, profileId)),
  };
}
