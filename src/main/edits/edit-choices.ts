import { editChoicesSchema, type EditChoices } from '../../shared/domain/edit.ts';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';

const maxForbidden = 500;
const none: EditChoices = { saveAs: 'newVersion', forbidden: [] };

export interface EditChoicesBook {
  readonly handlers: Pick<Handlers, 'edits.choices' | 'edits.setSaveAs' | 'edits.forbid'>;
  of(serviceId: string): EditChoices;
  /** Call when the service is removed. */
  forgetService(serviceId: string): Promise<void>;
}

export async function createEditChoices(deps: {
  repository: Pick<ServiceRepository, 'get'>;
  documents: Pick<Documents, 'list' | 'write'>;
  onChanged: () => void;
}): Promise<EditChoicesBook> {
  const { repository, documents, onChanged } = deps;
  const known = await openCollection(documents, 'editChoices', editChoicesSchema);
  const of = (serviceId: string) => known.get(serviceId) ?? none;

  async function change(serviceId: string, next: (choices: EditChoices) => EditChoices): Promise<undefined> {
    await known.update(serviceId, (choices = none) => {
      // Inside the mutex: throws if the service was removed meanwhile.
      repository.get(serviceId);
      return next(choices);
    });
    onChanged();
    return undefined;
  }

  return {
    of,
    handlers: {
      'edits.choices': ({ serviceId }) => of(serviceId),
      'edits.setSaveAs': ({ serviceId, saveAs }) => change(serviceId, (choices) => ({ ...choices, saveAs })),
      'edits.forbid': ({ serviceId, classification, isForbidden }) =>
        change(serviceId, ({ saveAs, forbidden }) => {
          const others = forbidden.filter((value) => value !== classification);
          return {
            saveAs,
            forbidden: isForbidden ? [...others, classification].slice(-maxForbidden) : others,
          };
        }),
    },
    forgetService: known.delete,
  };
}
