import type { Actions } from '../actions.ts';
import type { Janitor } from './janitor.ts';

/** What a person does with transfers may end some of them in the file: what is left of those is seen to. */
export function tidyAfter(actions: Actions, janitor: Pick<Janitor, 'tidy'>): Actions {
  const after = <R>(work: Promise<R>): Promise<R> => work.finally(() => janitor.tidy());
  return {
    ...actions,
    cancel: (which) => after(actions.cancel(which)),
    retry: (which) => after(actions.retry(which)),
    mend: (input) => after(actions.mend(input)),
    replaceFile: (id, path) => after(actions.replaceFile(id, path)),
    drop: (which) => after(actions.drop(which)),
    clear: (tab, group) => after(actions.clear(tab, group)),
  };
}
