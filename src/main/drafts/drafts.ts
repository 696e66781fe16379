import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Grants } from '../files/grants.ts';
import type { Clock } from '../ports.ts';
import { createDraft, type DraftDeps, type OpenDraft } from './draft.ts';

type Name =
  'open' | 'addFiles' | 'page' | 'setIdentifier' | 'setTemplate' | 'removeEntries' | 'discard' | 'upload';

export interface Drafts {
  readonly handlers: Pick<Handlers, `drafts.${Name}`>;
  /** Ends everything that is being read. */
  close(): void;
}

/**
 * The sheets of uploads: which files, under which identifiers, with which problems, before a byte moves.
 * @param deps.batchSize how many files are named, or handed over, in one go
 */
export function createDrafts(
  deps: DraftDeps & { grants: Grants; clock: Pick<Clock, 'nowMs'>; batchSize?: number },
): Drafts {
  const { connections, grants, clock, batchSize = 500 } = deps;
  const drafts = new Map<string, OpenDraft>();

  function get(id: string): OpenDraft {
    const draft = drafts.get(id);
    if (!draft) throw new AppFailure({ code: 'notFound', what: 'draft' });
    return draft;
  }

  function discard(draft: OpenDraft): void {
    drafts.delete(draft.id);
    draft.discard();
  }

  /** A grant is used up once its file is in a sheet. */
  function add(draft: OpenDraft, granted: string[]) {
    const described = draft.add(granted.map((grant) => grants.resolve(grant)));
    grants.forget(granted);
    return described;
  }

  return {
    close() {
      for (const draft of drafts.values()) discard(draft);
    },
    handlers: {
      'drafts.open': async ({ profileId, intoFolder, grants: granted }) => {
        const facts = await connections.factsOf(profileId);
        const draft = createDraft(deps, profileId, {
          intoFolder,
          separator: facts.separator,
          template: facts.identifierTemplate,
          date: localDate(clock.nowMs()),
          exactLimitBytes: facts.maxObjectBytes,
          batchSize,
        });
        const described = add(draft, granted);
        drafts.set(draft.id, draft);
        return described;
      },
      'drafts.addFiles': ({ id, grants: granted }) => add(get(id), granted),
      'drafts.page': ({ id, offset, limit }) => get(id).page(offset, limit),
      'drafts.setIdentifier': ({ id, entryId, identifier }) => get(id).setIdentifier(entryId, identifier),
      'drafts.setTemplate': ({ id, template, resetEdited }) => get(id).setTemplate(template, resetEdited),
      'drafts.removeEntries': ({ id, entries }) => get(id).remove(entries),
      'drafts.discard': ({ id }) => {
        if (id !== null) discard(get(id));
        // What was asked for goes on, though nobody looks at its sheet any more.
        else for (const draft of drafts.values()) if (!draft.isUploading()) discard(draft);
        return undefined;
      },
      'drafts.upload': async ({ id, ...choice }) => {
        const draft = get(id);
        const outcome = await draft.upload(choice);
        if (outcome.left === 0) discard(draft);
        return outcome;
      },
    },
  };
}

function localDate(nowMs: number): string {
  const now = new Date(nowMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
