import { isOpenable } from '../../../shared/domain/openable.ts';
import type { Output } from '../../../shared/contract.ts';
import { isFinished, tabOf, type Transfer } from '../../../shared/domain/transfer.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import type { SmallAct } from '../../app/dock-list/Entry.tsx';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import type { Client } from '../../app/client.ts';
import type { EntryFacts } from '../../app/dock-list/entry-acts.ts';
import { type Failure, showFailure } from '../../app/dock-list/failure-store.ts';
import { remediesOf } from '../../app/dock-list/remedies.ts';
import { remedyLabel } from '../../app/dock-list/use-remedies.ts';
import { openFile, showInFolder } from '../../app/open-file.ts';
import { openConflictPrompt } from '../../app/conflict-prompt-store.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { undoReplace } from '../../app/undo-replace.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { failureFacts } from '../../i18n/ending-text.ts';
import { cancelTransfers } from '../../app/cancel-transfers.ts';
import { replaceTexts } from '../../i18n/replace-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { detailTexts } from '../../i18n/detail-texts.ts';

/** The file of a finished download. Enter opens it, or, if it is not of a kind to be opened, shows it in its folder. */
function fileActs(fileName: string, open: () => void, showInFolder: () => void): SmallAct[] {
  const opens = isOpenable(fileName);
  return [
    ...(opens ? [{ icon: 'file', label: commonTexts.openFile, isMain: true, run: open } as const] : []),
    {
      icon: 'folder',
      label: commonTexts.showInFolder,
      ...(!opens && { isMain: true }),
      run: showInFolder,
    },
  ];
}

type PickedTransfer = Output<'transfers.picked'>['rows'][number];

/** The facts that determine its actions. */
export function entryFacts(transfer: PickedTransfer, isHeld: boolean): EntryFacts {
  const { id, identifier, state, waitingFor, priority, outcome } = transfer;
  return {
    id,
    identifier,
    isFinished: isFinished(state),
    isWaiting: state === 'waiting',
    waitingFor,
    priority,
    isHeld,
    canTryAgain: canStartAgain(transfer) && state !== 'done',
    isSaved: outcome?.kind === 'saved' && outcome.copyFor === undefined,
  };
}

/** Whether its status can be checked at the service now. */
export function canCheck({ state }: Transfer): boolean {
  return state === 'processing' || state === 'ready';
}

/** Not for secrets: the value to store was not kept, and an old read is no longer needed. */
function canStartAgain({ kind, state }: PickedTransfer): boolean {
  return kind === 'data' && isFinished(state);
}

export type Act = { label: string; run: () => void };

/** The primary button when no failure suggests one: answer, or start again. */
export function needButton(transfer: Transfer, retry: () => void): Act | null {
  const { id, waitingFor } = transfer;
  if (waitingFor === 'answer') return { label: texts.answer, run: () => openConflictPrompt(id) };
  return canStartAgain(transfer) ? { label: again(transfer), run: retry } : null;
}

function again(transfer: Transfer): string {
  return remedyLabel('again', { list: tabOf(transfer), direction: transfer.direction });
}

/**
 * The failure with its remedies; null: none, only the result is lost, or it is a secret, whose value was not kept.
 */
export function failureOf(transfer: Transfer): Failure | null {
  const { id, identifier, state, kind, direction, serviceId, error } = transfer;
  if (state !== 'failed' || kind !== 'data' || error === null) return null;
  return {
    list: tabOf(transfer),
    serviceId,
    name: identifier,
    direction,
    which: [id],
    error,
    facts: failureFacts(transfer),
    remedies: remediesOf(error.code, direction),
  };
}

/** Shown on hover and focus without shifting the layout. */
export function smallActs(
  client: Client,
  transfer: Transfer,
  failure: Failure | null,
  retry: () => void,
): SmallAct[] {
  const { id, state, route, outcome, activityToken } = transfer;
  const acts: SmallAct[] = [];
  if (failure !== null) {
    const run = () => showFailure(failure);
    acts.push({ icon: 'text', label: dockTexts.failure.whole, isMain: true, run });
  }
  if (outcome?.kind === 'saved' && outcome.copyFor === undefined)
    acts.push(
      ...fileActs(
        outcome.fileName,
        () => openFile(client, id),
        () => showInFolder(client, [id]),
      ),
    );
  const undoable = outcome?.kind === 'stored' ? outcome.replaced?.kept : null;
  if (undoable != null)
    acts.push({ icon: 'undo', label: replaceTexts.undo, run: () => undoReplace(client, undoable) });
  if (route === 'deferred' && activityToken !== null)
    acts.push({ icon: 'copy', label: detailTexts.copyActivity, run: copyToken });
  if (state === 'cancelled' && canStartAgain(transfer))
    acts.push({ icon: 'refresh', label: again(transfer), run: retry });
  if (!isFinished(state)) acts.push({ icon: 'x', label: commonTexts.cancel, run: cancel });
  return acts;

  function copyToken(): void {
    const copied = client.call('transfers.copyActivityToken', { id });
    sayFailure(copied.then(() => announce(texts.copiedToken)));
  }

  function cancel(): void {
    cancelTransfers(client, [id]);
  }
}
