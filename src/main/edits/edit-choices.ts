import { editChoicesSchema, type EditChoices } from '../../shared/domain/edit.ts';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../catalogue/catalogue.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import { KeyedMutex } from '../lib/async.ts';

const collection = 'editChoices';
const mostForbidden = 500;
const none: EditChoices = { saveAs: 'newVersion', forbidden: [] };

/** What each service says of editing. */
export interface EditChoicesBook {
  readonly handlers: Pick<Handlers, 'edits.choices' | 'edits.setSaveAs' | 'edits.forbid'>;
  of(profileId: string): Promise<EditChoices>;
  /** The profile goes. */
  forgetProfile(profileId: string): Promise<void>;
}

export function createEditChoices(deps: {
  book: Pick<ProfileBook, 'get'>;
  documents: Pick<Documents, 'get' | 'put' | 'delete'>;
  onChanged: () => void;
}): EditChoicesBook {
  const { book, documents, onChanged } = deps;
  const mutex = new KeyedMutex<string>();

  async function recall(profileId: string): Promise<EditChoices> {
    return editChoicesSchema.catch(none).parse(await documents.get(collection, profileId));
  }

  async function change(profileId: string, next: (choices: EditChoices) => EditChoices): Promise<undefined> {
    await mutex.runExclusive(profileId, async () => {
      const choices = next(await recall(profileId));
      // After the wait: nothing is written for a profile that went meanwhile.
      book.get(profileId);
      await documents.put(collection, profileId, choices);
    });
    onChanged();
    return undefined;
  }

  return {
    of: recall,
    handlers: {
      'edits.choices': ({ profileId }) => recall(profileId),
      'edits.setSaveAs': ({ profileId, saveAs }) => change(profileId, (choices) => ({ ...choices, saveAs })),
      'edits.forbid': ({ profileId, classification, isForbidden }) =>
        change(profileId, ({ saveAs, forbidden }) => {
          const others = forbidden.filter((value) => value !== classification);
          return {
            saveAs,
            forbidden: isForbidden ? [...others, classification].slice(-mostForbidden) : others,
          };
        }),
    },
    forgetProfile: (profileId) =>
      mutex.runExclusive(profileId, () => documents.delete(collection, profileId)),
  };
}
