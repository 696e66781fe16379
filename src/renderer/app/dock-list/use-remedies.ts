import { dockTexts } from '../../i18n/dock-texts.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { useClient, type Client } from '../client.ts';
import { showConnect } from '../place.ts';
import { serviceFieldOf } from '../service-field.ts';
import { sayFailure } from '../say-failure.ts';
import { announce } from '../../ui/announce.tsx';
import { closeFailure, showFailure, useFailure, type Failure } from './failure-store.ts';
import type { MenuEntry } from '../../ui/Menu.tsx';
import type { Remedy } from './remedies.ts';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = dockTexts.remedy;

export function remedyLabel(
  remedy: Remedy,
  { list, direction }: Pick<Failure, 'list' | 'direction'>,
): string {
  if (remedy !== 'again') return texts[remedy];
  if (direction === null) return commonTexts.tryAgain;
  if (list === 'jobs') return transferTexts.startAgain;
  return direction === 'upload' ? transferTexts.uploadAgain : transferTexts.downloadAgain;
}

/** Applies a remedy, and reports if that fails. */
export function useRemedies(): (remedy: Remedy, failure: Failure) => void {
  const client = useClient();
  return (remedy, failure) => {
    const { which, serviceId } = failure;
    closeFailure();
    switch (remedy) {
      case 'again':
        sayFailure(client.call('transfers.retry', { which }));
        return;
      case 'takeIt':
        sayFailure(client.call('transfers.retry', { which, takesOther: true }));
        return;
      case 'remove':
        sayFailure(client.call('transfers.drop', { which }));
        return;
      case 'editAndRetry':
        useFailure.setState({ edited: failure });
        return;
      case 'chooseFile':
        sayFailure(replaceFile(client, which));
        return;
      case 'keepOnService':
        sayFailure(keepOnService(client, which));
        return;
      case 'each':
        failure.showEach?.();
        return;
      case 'saveIncomplete':
        sayFailure(
          ofOne(which, async (id) => {
            const { fileName } = await client.call('transfers.saveIncomplete', { id });
            announce(texts.savedIncomplete({ fileName }), 'polite');
          }),
        );
        return;
      case 'asItIs':
        sayFailure(ofOne(which, (id) => client.call('transfers.downloadAsItIs', { id })));
        return;
      case 'newToken':
        showConnect(serviceId, 'token');
        return;
      case 'editService':
      case 'chooseFolder':
        showConnect(serviceId, serviceFieldOf(failure.error));
    }
  };
}

/** For the failed Replace that lacks local space for the old version. */
async function keepOnService(client: Client, which: Failure['which']): Promise<void> {
  const ids = Array.isArray(which) ? which : [];
  for (const id of ids) await client.call('transfers.keepOnService', { id });
}

async function ofOne(which: Failure['which'], act: (id: number) => Promise<unknown>): Promise<void> {
  const [id] = Array.isArray(which) ? which : [];
  if (id !== undefined) await act(id);
}

/** Replaces the file of a failed upload by one that the person chooses; does nothing if they cancel. */
async function replaceFile(client: Client, which: Failure['which']): Promise<void> {
  const [id] = Array.isArray(which) ? which : [];
  if (id === undefined) return;
  const chosen = await client.call('files.chooseOne', { purpose: 'upload' });
  if (chosen !== null) await client.call('transfers.replaceFile', { id, grant: chosen.grant });
}

/** For the entry of a failure: the button for the best remedy, and the menu. */
export function useFailureActs(failure: Failure | null): {
  remedy: { label: string; run: () => void } | null;
  own: readonly MenuEntry[];
} {
  const run = useRemedies();
  if (failure === null) return { remedy: null, own: [] };
  const [first = 'again', ...others] = failure.remedies;
  const act = (remedy: Remedy) => ({ label: remedyLabel(remedy, failure), run: () => run(remedy, failure) });
  const menu = [first, ...others].filter((remedy) => remedy !== 'again').map((id) => ({ id, ...act(id) }));
  return {
    remedy: act(first),
    own: [
      {
        id: 'whole',
        label: dockTexts.failure.whole,
        icon: 'text',
        keys: 'Enter',
        onAction: () => showFailure(failure),
      },
      ...menu.map(({ id, label, run: onAction }) => ({ id, label, onAction })),
    ],
  };
}
