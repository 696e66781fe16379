import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useClient, type Client } from '../../app/client.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService } from '../../app/stores.ts';
import { OpenSheet } from './OpenSheet.tsx';
import { closeSheet, openSheet, takeTurn, uploadStore } from './upload-store.ts';

/** The one sheet before an upload, where there is one to decide. */
export function UploadSheet() {
  const client = useClient();
  const { plan } = useStore(uploadStore);
  const serviceId = useActiveService()?.id ?? null;
  useEffect(() => {
    if (serviceId !== null) sayFailure(takeTurn(() => takeUp(client, serviceId)));
  }, [client, serviceId]);
  if (plan === null) return null;
  const cancel = () => {
    closeSheet();
    sayFailure(client.call('uploadPlans.discard', { id: plan.id }));
  };
  return (
    <DialogPane onClose={cancel}>
      <OpenSheet key={plan.id} plan={plan} onCancel={cancel} />
    </DialogPane>
  );
}

/** The sheet of the page before this one, or of the Coffer before this one. What is dropped meanwhile joins it. */
async function takeUp(client: Client, serviceId: string): Promise<void> {
  if (uploadStore.getState().plan !== null) return;
  const current = await client.call('uploadPlans.current', { serviceId });
  if (current !== null && uploadStore.getState().plan === null) openSheet(current);
}
