import { dirname, parse, relative, sep } from 'node:path';
import type { Handlers, Input, ProcedureName } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Grants } from '../local-files/grants.ts';
import { shortenHome } from '../local-files/shorten-home.ts';
import type { Desktop } from '../ports.ts';
import type { Engine } from './engine.ts';
import type { Which } from './model/store-types.ts';

/** The innermost folder that contains all of these files; null: none, as on two drives. @param paths absolute, at least one */
export function commonFolder(paths: readonly string[]): string | null {
  const isBelow = (folder: string, path: string) => !relative(folder, path).split(sep).includes('..');
  const [first = '', ...others] = paths.map((path) => dirname(path));
  const { root } = parse(first);
  if (others.some((other) => parse(other).root !== root)) return null;
  return others.reduce((folder, other) => {
    let common = folder;
    while (!isBelow(common, other)) common = dirname(common);
    return common;
  }, first);
}

export function createTransferHandlers(
  engine: Engine,
  desktop: Pick<Desktop, 'openFile' | 'openFolder' | 'showInFolder' | 'writeClipboardText'>,
  grants: Pick<Grants, 'resolve' | 'forget'>,
  home: string,
): Pick<Handlers, Extract<ProcedureName, `transfers.${string}`>> {
  const { actions } = engine;

  /** Paths of those files that still exist. @throws AppFailure notFound: none does */
  async function pathsOf(which: Input<'transfers.showInFolder'>): Promise<string[]> {
    const ids = 'ids' in which ? which.ids : await engine.savedOfBatch(which.batch);
    const files = await Promise.allSettled(ids.map((id) => engine.savedFileOf(id)));
    const paths = files.flatMap((file) => (file.status === 'fulfilled' ? [file.value.path] : []));
    const [first] = files;
    if (paths.length === 0)
      throw first?.status === 'rejected'
        ? first.reason
        : new AppFailure({ code: 'notFound', what: 'savedFile' });
    return paths;
  }

  async function done(work: Promise<unknown>): Promise<undefined> {
    await work;
    return undefined;
  }

  return {
    'transfers.page': (input) => engine.page(input),
    'transfers.dock': (input) => engine.dock(input),
    'transfers.picked': async ({ ids }) => ({ rows: await engine.picked(ids) }),
    'transfers.cancel': ({ which }) => done(actions.cancel(toWhich(which))),
    'transfers.open': async ({ which }) => ({ ids: await engine.openIds(which) }),
    'transfers.retry': ({ which, takesOther }) => done(actions.retry(toWhich(which), takesOther)),
    'transfers.pause': ({ which }) => done(actions.pause(which, true)),
    'transfers.resume': ({ which }) => done(actions.pause(which, false)),
    'transfers.stopNow': () => done(actions.stopNow()),
    'transfers.setPriority': (input) => done(actions.setPriority(input)),
    'transfers.reorder': (input) => done(actions.reorder(input)),
    'transfers.clear': (input) =>
      done('batch' in input ? actions.clearBatch(input.batch) : actions.clear(input.tab, input.group)),
    'transfers.uploadOf': ({ id }) => engine.uploadOf(id),
    'transfers.editAndRetry': (input) => done(actions.editAndRetry(input)),
    'transfers.downloadAsItIs': ({ id }) => done(engine.downloadAsItIs(id)),
    'transfers.saveIncomplete': ({ id }) => engine.saveIncomplete(id),
    'transfers.replaceFile': async ({ id, grant }) => {
      await actions.replaceFile(id, grants.resolve(grant));
      grants.forget([grant]);
      return undefined;
    },
    'transfers.keepOnService': ({ id }) => done(actions.keepOnService(id)),
    'transfers.drop': ({ which }) => done(actions.drop(toWhich(which))),
    'transfers.openFile': async ({ id }) => {
      const { path, fileName, isOpenable, state } = await engine.savedFileOf(id);
      if (!isOpenable) throw new AppFailure({ code: 'fileNotOpened', problem: 'kind' });
      if (!(await desktop.openFile(path))) throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp' });
      return { fileName, isChanged: state === 'changed' };
    },
    'transfers.savedIn': async (which) => {
      const folder = commonFolder(await pathsOf(which));
      return { folder: folder === null ? null : shortenHome(folder, home) };
    },
    'transfers.showInFolder': async (which) => {
      const paths = await pathsOf(which);
      const [first = ''] = paths;
      const folder = paths.length > 1 ? commonFolder(paths) : null;
      if (folder === null) desktop.showInFolder(first);
      else if (!(await desktop.openFolder(folder)))
        throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp' });
      return undefined;
    },
    'transfers.copyActivityToken': async ({ id }) => {
      await desktop.writeClipboardText(await engine.activityTokenOf(id));
      return undefined;
    },
    'transfers.conflictPrompt': async ({ transferId }) => ({
      prompt: await engine.conflictPrompt(transferId),
    }),
    'transfers.answer': (input) => done(actions.answer(input)),
  };
}

function toWhich(which: Input<'transfers.cancel'>['which']): Which {
  if (Array.isArray(which)) return { kind: 'ids', ids: which };
  if ('batch' in which) return { kind: 'batch', batch: which.batch };
  return 'tab' in which ? { kind: 'all', tab: which.tab } : { kind: 'cause', ...which };
}
