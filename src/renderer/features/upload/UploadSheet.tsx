import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useClient, type Client } from '../../app/client.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService } from '../../app/stores.ts';
import { OpenSheet } from './OpenSheet.tsx';
import { closeSheet, openSheet, takeTurn, uploadStore } from './upload-store.ts';

/** The open upload sheet, if any. */
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

/** Restores a sheet from before a reload or a restart. Files dropped meanwhile are added to it. */
async function takeUp(client: Client, serviceId: string): Promise<void> {
  if (uploadStore.getState().plan !== null) return;
  const current = await client.call('uploadPlans.current', { serviceId });
  if (current !== null && uploadStore.getState().plan === null) openSheet(current);
}
