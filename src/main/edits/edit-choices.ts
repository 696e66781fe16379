import { editChoicesSchema, type EditChoices } from '../../shared/domain/edit.ts';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../storage/database.ts';
import { openCollection } from '../database/collection.ts';
import type { ProfileBook } from '../connections/service-repository.ts';

const mostForbidden = 500;
const none: EditChoices = { saveAs: 'newVersion', forbidden: [] };

/** What each service says of editing. */
export interface EditChoicesBook {
  readonly handlers: Pick<Handlers, 'edits.choices' | 'edits.setSaveAs' | 'edits.forbid'>;
  of(profileId: string): EditChoices;
  /** The profile goes. */
  forgetProfile(profileId: string): Promise<void>;
}

export async function createEditChoices(deps: {
  book: Pick<ProfileBook, 'get'>;
  documents: Pick<Documents, 'list' | 'write'>;
  onChanged: () => void;
}): Promise<EditChoicesBook> {
  const { book, documents, onChanged } = deps;
  const known = await openCollection(documents, 'editChoices', editChoicesSchema);
  const of = (profileId: string) => known.get(profileId) ?? none;

  async function change(profileId: string, next: (choices: EditChoices) => EditChoices): Promise<undefined> {
    await known.update(profileId, (choices = none) => {
      // In its turn: nothing is written for a profile that went meanwhile.
      book.get(profileId);
      return next(choices);
    });
    onChanged();
    return undefined;
  }

  return {
    of,
    handlers: {
      'edits.choices': ({ profileId }) => of(profileId),
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
    forgetProfile: known.delete,
  };
}
