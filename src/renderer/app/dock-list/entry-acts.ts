import type { Priority, WaitingFor } from '../../../shared/domain/transfer.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { announce } from '../../ui/announce.tsx';
import type { Client } from '../client.ts';
import { cancelTransfers } from '../cancel-transfers.ts';
import { showInFolder } from '../open-file.ts';
import { sayFailure } from '../say-failure.ts';

const texts = dockTexts.menu;

/** The state that decides which actions a transfer offers, direct or deferred. */
export type EntryFacts = {
  id: number;
  identifier: string;
  isFinished: boolean;
  isWaiting: boolean;
  waitingFor: WaitingFor | null;
  priority: Priority;
  /** Paused with everything, or with its service. */
  isHeld: boolean;
  /** It ended without success and can be retried. */
  canTryAgain: boolean;
  /** It was saved as a file of the person's, rather than a private copy. */
  isSaved: boolean;
};

/** The actions available for one or several transfers, each with those it applies to. */
export type EntryActs = {
  meant: readonly EntryFacts[];
  pause: readonly EntryFacts[];
  resume: readonly EntryFacts[];
  /** Movable within the queue, by position or priority. */
  order: readonly EntryFacts[];
  cancel: readonly EntryFacts[];
  tryAgain: readonly EntryFacts[];
  show: readonly EntryFacts[];
};

export function actsOf(meant: readonly EntryFacts[]): EntryActs {
  const open = meant.filter(({ isFinished }) => !isFinished);
  return {
    meant,
    pause: open.filter((each) => each.waitingFor !== 'answer' && !isPaused(each)),
    resume: open.filter((each) => isPaused(each) && !each.isHeld),
    order: open.filter(({ isWaiting }) => isWaiting),
    cancel: open,
    tryAgain: meant.filter(({ canTryAgain }) => canTryAgain),
    show: meant.filter(({ isSaved }) => isSaved),
  };
}

function isPaused({ isWaiting, waitingFor }: EntryFacts): boolean {
  return isWaiting && waitingFor === 'paused';
}

export function hasActs({ cancel, tryAgain }: EntryActs): boolean {
  return cancel.length + tryAgain.length > 0;
}

/** The actions of a list; each reports its own failure. */
export type EntryCommands = {
  pause: (facts: readonly EntryFacts[]) => void;
  resume: (facts: readonly EntryFacts[]) => void;
  moveToTop: (facts: readonly EntryFacts[]) => void;
  setPriority: (facts: readonly EntryFacts[], priority: Priority) => void;
  cancel: (facts: readonly EntryFacts[]) => void;
  tryAgain: (facts: readonly EntryFacts[]) => void;
  showInFolder: (facts: readonly EntryFacts[]) => void;
};

export function createEntryCommands(client: Client): EntryCommands {
  const act = (work: (ids: number[]) => Promise<void>) => (facts: readonly EntryFacts[]) => {
    if (facts.length > 0) sayFailure(work(facts.map(({ id }) => id)));
  };
  const pause = act((which) => client.call('transfers.pause', { which }));
  return {
    pause(facts) {
      pause(facts);
      const begun = facts.filter(({ isWaiting }) => !isWaiting);
      const [first] = begun;
      if (first === undefined) return;
      announce(
        begun.length === 1
          ? texts.pausedBegun({ identifier: first.identifier })
          : texts.pausedBegunMany({ count: begun.length }),
      );
    },
    resume: act((which) => client.call('transfers.resume', { which })),
    moveToTop: act((ids) => client.call('transfers.reorder', { ids, before: 'top' })),
    setPriority: (facts, priority) =>
      act((ids) => client.call('transfers.setPriority', { ids, priority }))(facts),
    cancel: (facts) => {
      if (facts.length > 0)
        cancelTransfers(
          client,
          facts.map(({ id }) => id),
        );
    },
    tryAgain: act((which) => client.call('transfers.retry', { which })),
    showInFolder: (facts) =>
      showInFolder(
        client,
        facts.map(({ id }) => id),
      ),
  };
}

/** Pauses what can be paused; if nothing can, resumes. */
export function togglePause({ pause, resume }: EntryActs, commands: EntryCommands): void {
  if (pause.length > 0) commands.pause(pause);
  else commands.resume(resume);
}
