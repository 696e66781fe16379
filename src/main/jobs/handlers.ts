import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Desktop } from '../ports.ts';
import type { Jobs } from './jobs.ts';

type Name = 'page' | 'checkNow' | 'cancel' | 'startAgain' | 'clear' | 'showInFolder' | 'copyActivityToken';

/** The window's side of the jobs. */
export function createJobHandlers(
  jobs: Jobs,
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany'>,
  desktop: Pick<Desktop, 'showInFolder' | 'writeClipboardText'>,
): Pick<Handlers, `jobs.${Name}` | 'objects.downloadDeferred'> {
  return {
    'jobs.page': (input) => jobs.page(input),
    'jobs.checkNow': ({ which }) => {
      jobs.checkNow(which);
      return undefined;
    },
    'jobs.cancel': async ({ which }) => {
      await jobs.cancel(which);
      return undefined;
    },
    'jobs.startAgain': async ({ which }) => {
      await jobs.startAgain(which);
      return undefined;
    },
    'jobs.clear': async ({ group }) => {
      await jobs.clear(group);
      return undefined;
    },
    'jobs.showInFolder': ({ id }) => {
      desktop.showInFolder(jobs.savedPathOf(id));
      return undefined;
    },
    'jobs.copyActivityToken': async ({ id }) => {
      await desktop.writeClipboardText(jobs.activityTokenOf(id));
      return undefined;
    },
    'objects.downloadDeferred': async ({ selection }) => {
      const ids = await catalogue.idsOf(selection);
      const [first] = await catalogue.getMany([...ids.subarray(0, 1)]);
      if (!first) throw new AppFailure({ code: 'notFound', what: 'object' });
      return { count: await jobs.enqueueDownloads(first.profileId, ids) };
    },
  };
}
