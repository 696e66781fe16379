import type { Handlers, Input } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Grants } from '../files/grants.ts';
import type { Desktop } from '../ports.ts';
import type { Engine } from './engine.ts';
import type { Tab, Which } from './store-types.ts';

type TransferName =
  | 'page'
  | 'picked'
  | 'cancel'
  | 'retry'
  | 'pause'
  | 'resume'
  | 'stopNow'
  | 'setPriority'
  | 'move'
  | 'clear'
  | 'uploadOf'
  | 'mend'
  | 'downloadAsItIs'
  | 'saveIncomplete'
  | 'replaceFile'
  | 'keepOnService'
  | 'drop'
  | 'openFile'
  | 'showInFolder'
  | 'question'
  | 'answer';
type JobName =
  | 'page'
  | 'picked'
  | 'checkNow'
  | 'cancel'
  | 'startAgain'
  | 'clear'
  | 'showInFolder'
  | 'copyActivityToken';

/** The window's side of everything that moves. */
export function createTransferHandlers(
  engine: Engine,
  desktop: Pick<Desktop, 'openFile' | 'showInFolder' | 'writeClipboardText'>,
  grants: Pick<Grants, 'resolve' | 'forget'>,
): Pick<Handlers, `transfers.${TransferName}` | `jobs.${JobName}`> {
  const { actions } = engine;

  async function done(work: Promise<unknown>): Promise<undefined> {
    await work;
    return undefined;
  }

  function cause(which: Input<'transfers.cancel'>['which']): Which {
    if (which === 'all' || Array.isArray(which)) return meant(which, 'transfers');
    return { kind: 'cause', ...which };
  }

  return {
    'transfers.page': (input) => engine.page(input),
    'transfers.picked': async ({ ids }) => ({ rows: await engine.picked(ids) }),
    'transfers.cancel': ({ which }) => done(actions.cancel(cause(which))),
    'transfers.retry': ({ which }) => done(actions.retry(cause(which))),
    'transfers.pause': ({ which }) => done(actions.pause(which, true)),
    'transfers.resume': ({ which }) => done(actions.pause(which, false)),
    'transfers.stopNow': () => done(actions.stopNow()),
    'transfers.setPriority': (input) => done(actions.setPriority(input)),
    'transfers.move': (input) => done(actions.move(input)),
    'transfers.clear': ({ group }) => done(clear('transfers', group)),
    'transfers.uploadOf': ({ id }) => engine.uploadOf(id),
    'transfers.mend': (input) => done(actions.mend(input)),
    'transfers.downloadAsItIs': ({ id }) => done(engine.downloadAsItIs(id)),
    'transfers.saveIncomplete': ({ id }) => engine.saveIncomplete(id),
    'transfers.replaceFile': async ({ id, grant }) => {
      await actions.replaceFile(id, grants.resolve(grant));
      grants.forget([grant]);
      return undefined;
    },
    'transfers.keepOnService': ({ id }) => done(actions.keepOnService(id)),
    'transfers.drop': ({ which }) => done(actions.drop(cause(which))),
    'transfers.openFile': async ({ id }) => {
      const { path, fileName, isProgram, state } = await engine.savedFileOf(id);
      if (isProgram) throw new AppFailure({ code: 'fileNotOpened', problem: 'program' });
      if (!(await desktop.openFile(path))) throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp' });
      return { fileName, isChanged: state === 'changed' };
    },
    'transfers.showInFolder': ({ id }) => showInFolder(id),
    'transfers.question': async ({ transferId }) => ({ question: await engine.question(transferId) }),
    'transfers.answer': (input) => done(actions.answer(input)),

    'jobs.page': (input) => engine.jobsPage(input),
    'jobs.picked': async ({ ids }) => ({ rows: await engine.jobsPicked(ids) }),
    'jobs.checkNow': ({ which }) => done(actions.retry(meant(which, 'jobs'))),
    'jobs.cancel': ({ which }) => done(actions.cancel(meant(which, 'jobs'))),
    'jobs.startAgain': ({ which }) => done(actions.retry(meant(which, 'jobs'))),
    'jobs.clear': ({ group }) => done(clear('jobs', group)),
    'jobs.showInFolder': ({ id }) => showInFolder(id),
    'jobs.copyActivityToken': async ({ id }) => {
      await desktop.writeClipboardText(await engine.activityTokenOf(id));
      return undefined;
    },
  };

  async function showInFolder(id: number): Promise<undefined> {
    desktop.showInFolder((await engine.savedFileOf(id)).path);
    return undefined;
  }

  /** Only what has ended can be cleared. */
  async function clear(tab: Tab, group: string): Promise<void> {
    if (group === 'done' || group === 'needsYou') await actions.clear(tab, group);
  }
}

function meant(which: 'all' | readonly number[], tab: Tab): Which {
  return which === 'all' ? { kind: 'all', tab } : { kind: 'ids', ids: which };
}
